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
PROTOBUF = "protobuf is not spoken: bodies are refused, answers are JSON"
DISCOVERY = "discovery tells only what is there"
PARSER = "how the real server's parser fails is not copied"
WATCHES = "when bookmarks come is not copied"
NO_HISTORY = "old states are not kept"

KNOWN = [
    Known(r"/pods", r"^spec|^items$|^metadata\.generation", DEFAULTS),
    Known(r"/(namespaces|namespaces/compare)  ?", r"metadata\.labels|spec", ADMISSION),
    Known(r"/configmaps$", r"^items$", ADMISSION),
    Known(r"token: none", r"status", ANONYMOUS),
    Known(r"protobuf", r"", PROTOBUF),
    Known(r"GET  /(api|apis)(/v1|/policy/v1|/coordination.k8s.io/v1)?$", r"resources|serverAddress|^apiVersion$|^groups", DISCOVERY),
    Known(r"/openapi/v3", r"", DISCOVERY),
    Known(r"PUT .*'resourceVersion': 'abc'|renewTime': 'noon'", r"", PARSER),
    Known(r"PUT .*'uid': '00000000", r"message", PARSER),
    Known(r"watch=true.*allowWatchBookmarks", r"events", WATCHES),
    Known(r"resourceVersionMatch=Exact&resourceVersion=1", r"items", NO_HISTORY),
]
