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
REVIEWS = "members without meaning are left out"

KNOWN = [
    Known(r"/pods", r"^spec|^items$|^metadata\.generation", DEFAULTS),
    Known(r"/(namespaces|namespaces/compare)  ?", r"metadata\.labels|spec", ADMISSION),
    Known(r"/configmaps$", r"^items$", ADMISSION),
    Known(r"token: none", r"status", ANONYMOUS),
    Known(r"protobuf", r"", PROTOBUF),
    Known(r"Accept: application/yaml", r"", PROTOBUF),
    Known(r"GET  /(api|apis)(/v1|/policy/v1|/coordination.k8s.io/v1)?$", r"resources|serverAddress|^apiVersion$|^groups", DISCOVERY),
    Known(r"/openapi/v3", r"", DISCOVERY),
    Known(r"GET  /api/v2", r"", DISCOVERY),
    Known(r"PUT .*'resourceVersion': 'abc'", r"", PARSER),
    Known(r"renewTime': 'noon'", r"", PARSER),
    Known(r"'name': 'bad'}, 'rules'", r"", PARSER),
    Known(r"PUT .*'uid': '00000000", r"message", PARSER),
    Known(r"watch=true.*allowWatchBookmarks", r"events", WATCHES),
    Known(r"watch=true.*PartialObjectMetadataList", r"body|events", WATCHES),
    Known(r"/api/v1/watch/", r"status", WATCHES),
    Known(r"resourceVersionMatch=Exact&resourceVersion=1", r"items", NO_HISTORY),
    Known(r"DELETE  /api/v1/namespaces/compare$", r"metadata|spec", ADMISSION),
    Known(r"selfsubjectaccessreviews", r"causes|details", REVIEWS),
    Known(r"selfsubjectrulesreviews", r"spec", REVIEWS),
    Known(r"selfsubjectreviews", r"metadata", REVIEWS),
    Known(r"/token", r"metadata|spec|causes", REVIEWS),
]
