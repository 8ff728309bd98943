# SPDX-License-Identifier: Apache-2.0
"""The count in the last line of `make test`."""
import unittest
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

_loader = SourceFileLoader("run_tests", str(Path(__file__).resolve().parent.parent / "run_tests"))
_spec = spec_from_loader("run_tests", _loader)
run_tests = module_from_spec(_spec)
_loader.exec_module(run_tests)

LOG = """\
[==========] 12 tests from 3 test suites ran. (5 ms total)
[  PASSED  ] 12 tests.
Test Passed.
tests/x_test.cpp:21: Failure
[  FAILED  ] Subject.DoesWhatItShould (0 ms)
[==========] 5 tests from 1 test suite ran. (1 ms total)
[  PASSED  ] 3 tests.
Test Failed.
"""


class Count(unittest.TestCase):
    def test_adds_up_over_programs(self):
        self.assertEqual(run_tests.count(LOG), (15, 1, 1, 1))

    def test_a_program_that_crashed_has_no_summary(self):
        self.assertEqual(run_tests.count("Segmentation fault\nTest Failed.\n"), (0, 0, 0, 1))


if __name__ == "__main__":
    unittest.main()
