# SPDX-License-Identifier: Apache-2.0
"""Where the sandbox may differ from a real API server; docs/compatibility.md says the same in words."""
import re
from dataclasses import dataclass


@dataclass
class Known:
    request: str  # regular expressions, found anywhere
    what: str
    reason: str
    met: bool = False

    def covers(self, request, what: str) -> bool:
        return bool(re.search(self.request, str(request)) and re.search(self.what, what))


DEFAULTS = "default values are not filled in"
ADMISSION = "admission plugins and most controllers are not played"
ANONYMOUS = "nobody is let in without a token, as on EKS but for health"
PROTOBUF = "answers are JSON, never protobuf or YAML"
DISCOVERY = "discovery tells only what is there"
PARSER = "how the real server's parser fails is not copied"
WATCHES = "when bookmarks come, and watches of odd forms, are not copied"
NO_HISTORY = "old states are not kept"
DELETED = "a namespace or service account that is deleted is answered with a Status"
REVIEWS = "members without meaning are left out"

KNOWN = [
    Known(r"/pods", r"^spec|^items$|^metadata\.generation", DEFAULTS),
    Known(r"/(namespaces|namespaces/compare)  ?", r"metadata\.labels|spec", ADMISSION),
    Known(r"/configmaps$", r"^items$", ADMISSION),
    Known(r"token: none", r"status", ANONYMOUS),
    Known(r"protobuf|Accept: application/yaml", r"", PROTOBUF),
    Known(r"GET  /(api|apis)(/v1|/policy/v1|/coordination.k8s.io/v1)?$", r"resources|serverAddress|^apiVersion$|^groups", DISCOVERY),
    Known(r"/openapi/v3|GET  /api/v2", r"", DISCOVERY),
    Known(r"PUT .*'resourceVersion': 'abc'|renewTime': 'noon'|'minAvailable': 'x'|'name': 'bad'}, 'rules'", r"", PARSER),
    Known(r"PUT .*'uid': '00000000", r"message", PARSER),
    Known(r"watch=true.*(allowWatchBookmarks|PartialObjectMetadataList)|compare-1\?watch=true|/api/v1/watch/|sendInitialEvents=true$", r"", WATCHES),
    Known(r"resourceVersionMatch=Exact&resourceVersion=1", r"items", NO_HISTORY),
    Known(r"DELETE  /api/v1/namespaces/(compare|rights/serviceaccounts/limited)$", r"", DELETED),
    Known(r"review|/token", r"metadata|spec|causes|details", REVIEWS),
]
