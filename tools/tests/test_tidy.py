# SPDX-License-Identifier: Apache-2.0
"""What tools/tidy says of the files that it had no time for."""
import unittest
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

_loader = SourceFileLoader("tidy", str(Path(__file__).resolve().parent.parent / "tidy"))
_spec = spec_from_loader("tidy", _loader)
tidy = module_from_spec(_spec)
_loader.exec_module(tidy)


class LeftOut(unittest.TestCase):
    def test_a_few_files_are_named(self):
        self.assertEqual(tidy.left_out_text(["src/b.cpp", "src/a.cpp"]),
                         "left out for time: src/a.cpp src/b.cpp (tools/tidy --all takes them)")

    def test_many_are_counted(self):
        text = tidy.left_out_text([f"src/{n}.cpp" for n in range(300)])
        self.assertEqual(text, "left out for time: 300 files (tools/tidy --all takes them)")


if __name__ == "__main__":
    unittest.main()
