# SPDX-License-Identifier: Apache-2.0
"""CONTRIBUTING.md's table has every target of the Makefile, and no other."""
import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


class Targets(unittest.TestCase):
    def test_the_table_is_the_makefiles(self):
        targets = set(re.findall(r"^([a-z-]+):.*## ", (ROOT / "Makefile").read_text(), re.M)) - {"help"}
        table = re.findall(r"^\| `make ([a-z-]+)[^`]*` \|", (ROOT / "CONTRIBUTING.md").read_text(), re.M)
        self.assertEqual(sorted(table), sorted(targets))


if __name__ == "__main__":
    unittest.main()
