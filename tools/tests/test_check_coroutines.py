# SPDX-License-Identifier: Apache-2.0
"""check_coroutines: what g++ gets wrong is found at its line, what it gets right is not."""
import unittest
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

_loader = SourceFileLoader("check_coroutines", str(Path(__file__).resolve().parent.parent / "check_coroutines"))
_spec = spec_from_loader("check_coroutines", _loader)
coroutines = module_from_spec(_spec)
_loader.exec_module(coroutines)


def found(text):
    return list(coroutines.findings(text))


class Coroutines(unittest.TestCase):
    def test_branches_around_an_await_are_found(self):
        for text in ("auto a = again ? co_await f() : co_await g();", "if (b && co_await f()) return;", "co_await f(x ? y : z);",
                     "while (!over ||\n  !co_await f()) {\n}", "switch (co_await f()) {", "if (co_await f(x()) == y) ++z;", "} else if (a || co_await f()) {"):
            self.assertEqual(len(found(text)), 1, text)
        self.assertEqual(found("int x;\n\nauto y =\n    a ? co_await f() : 0;\n"), [4])

    def test_conditions_beside_it_are_allowed(self):
        for text in ("if (a && b) co_await f();", "while (a || b) x = co_await f();", "if (!co_await f()) return;", "if (a == b) co_await f();", "while (a != b) c = co_await f();", "auto&& a = co_await f();",
                     "if (a) co_return co_await f();", "for (;;) {\n  co_await f();  // a ? b\n}", 'log("a && b", co_await f());',
                     "const int x = a ? 1 : 2;\nco_await f(x);"):
            self.assertEqual(found(text), [], text)


if __name__ == "__main__":
    unittest.main()
