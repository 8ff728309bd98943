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
KNOWN = [
    Known(r"/pods", r"spec\.|^items$", DEFAULTS),
    Known(r"/pods", r"metadata\.generation", DEFAULTS),
    Known(r"/nodes", r"metadata\.annotations|spec\.taints|^items$", ADMISSION),
    Known(r"/namespaces( |$)", r"metadata\.labels|spec\.finalizers", ADMISSION),
]
