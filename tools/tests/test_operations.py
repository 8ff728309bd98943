# SPDX-License-Identifier: Apache-2.0
"""docs/operations.md tells of everything that the program says when something is wrong, and of every metric."""
import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = (ROOT / "docs" / "operations.md").read_text()
SAID = re.compile(r'(?:\.(?:warn|error)\(|\bcomplain_once\([\w.]+,)\s*(?:[^";]*?\?\s*)?"([a-z]+(?:\.[a-z_]+)+)"'
                  r'|\.write\([^;"]*Level::(?:warn|error)[^;"]*"([a-z]+(?:\.[a-z_]+)+)"')


def said() -> set:
    """The names of warnings and errors in the program's own log calls; the sandbox's are for those who run it."""
    files = [file for file in (ROOT / "src").rglob("*.cpp") if "sandbox" not in file.parts]
    return {name for file in files for pair in SAID.findall(file.read_text()) for name in pair if name}


class Operations(unittest.TestCase):
    def test_every_warning_and_error_is_explained(self):
        names = said()
        self.assertGreater(len(names), 30)
        self.assertEqual([name for name in sorted(names) if f"`{name}`" not in PAGE], [])

    def test_every_metric_is_explained(self):
        names = set(re.findall(r'"((?:ferryman|process)_[a-z_]+)"', (ROOT / "src/app/metrics_page.cpp").read_text()))
        self.assertGreater(len(names), 30)
        self.assertEqual([name for name in sorted(names) if f"`{name}`" not in PAGE], [])

    def test_no_metric_is_made_up(self):
        known = (ROOT / "src/app/metrics_page.cpp").read_text()
        for name in re.findall(r"\b(ferryman_[a-z_]+)\b", PAGE):
            self.assertIn(f'"{name.removesuffix("_bucket")}"', known)

    def test_the_marks_are_those_that_are_written(self):
        marks = re.findall(r'= "([a-z./-]+)"', re.sub(r'=\s+"', '= "', (ROOT / "src/termination/ports/marks.h").read_text()))
        self.assertGreaterEqual(len(marks), 3)
        for mark in marks:
            self.assertIn(mark, PAGE)


if __name__ == "__main__":
    unittest.main()
