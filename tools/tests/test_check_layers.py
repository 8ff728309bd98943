# SPDX-License-Identifier: Apache-2.0
"""check_layers on small trees: each rule is broken once and must be seen, at its line, with a cure."""
import unittest
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

_loader = SourceFileLoader("check_layers", str(Path(__file__).resolve().parent.parent / "check_layers"))
_spec = spec_from_loader("check_layers", _loader)
layers = module_from_spec(_spec)
_loader.exec_module(layers)

LICENCE = "// SPDX-License-Identifier: Apache-2.0\n"
NET_LIST = "ferryman_module(net\n  SOURCES http.cpp\n  HEADERS http.h\n  DEPENDS ferryman_base Boost::url)\n"


def found(path, body, licence=LICENCE):
    """The findings of one source file in a tree that lists it."""
    folder, _, name = path.rpartition("/")
    return layers.check({path: licence + body, f"{folder}/CMakeLists.txt": f"ferryman_module(x SOURCES {name})\n"})


class Includes(unittest.TestCase):
    def test_an_arrow_of_the_table_is_allowed(self):
        self.assertEqual(found("src/net/http.cpp", '#include "base/log.h"\n#include "net/http.h"\n'), [])

    def test_an_arrow_against_the_table_is_found_at_its_line(self):
        (finding,) = found("src/termination/plan.cpp", '\n#include "net/http.h"\n')
        self.assertEqual((finding.file, finding.line), ("src/termination/plan.cpp", 3))
        self.assertIn("termination may use base, ports", finding.mend)

    def test_nothing_below_includes_app(self):
        for module in ("base", "net", "aws", "kube", "termination", "sandbox"):
            self.assertEqual(len(found(f"src/{module}/x.cpp", '#include "app/settings.h"\n')), 1, module)

    def test_the_sandbox_may_check_signatures_but_sees_no_client(self):
        self.assertEqual(found("src/sandbox/gate.cpp", '#include "aws/sigv4.h"\n'), [])
        self.assertEqual(len(found("src/sandbox/gate.cpp", '#include "aws/sqs.h"\n')), 1)

    def test_adapters_see_the_ports_and_nothing_else_of_the_product(self):
        self.assertEqual(found("src/kube/cluster.cpp", '#include "termination/ports/cluster.h"\n'), [])
        self.assertEqual(len(found("src/kube/cluster.cpp", '#include "termination/plan.h"\n')), 1)

    def test_a_source_file_is_never_included(self):
        (finding,) = found("src/net/http.cpp", '#include "net/url.cpp"\n')
        self.assertIn("include a header", finding.mend)

    def test_libraries_stay_where_the_table_has_them(self):
        self.assertEqual(found("src/net/curl_client.cpp", "#include <curl/curl.h>\n"), [])
        self.assertEqual(len(found("src/kube/client.cpp", "#include <curl/curl.h>\n")), 1)
        self.assertEqual(len(found("src/base/scope.cpp", "#include <boost/asio.hpp>\n")), 1)
        self.assertEqual(len(found("src/net/http.cpp", "#include <mutex>\n")), 1)

    def test_a_line_can_be_excused_with_a_reason(self):
        self.assertEqual(found("src/net/http.cpp", "#include <mutex>  // layers: libcurl's share lock\n"), [])


class Effects(unittest.TestCase):
    def test_time_chance_and_environment_are_injected(self):
        for line in ("auto t = std::chrono::steady_clock::now();", 'auto p = std::getenv("HOME");',
                     "std::random_device device;", "boost::asio::co_spawn(x, y, z);", "std::mutex m;"):
            self.assertEqual(len(found("src/termination/plan.cpp", line + "\n")), 1, line)

    def test_a_comment_may_speak_of_them(self):
        self.assertEqual(found("src/termination/plan.cpp", "// never steady_clock::now()\n"), [])


class Links(unittest.TestCase):
    FILES = {"src/net/http.cpp": LICENCE, "src/net/http.h": LICENCE}

    def test_a_module_that_links_along_the_arrows_passes(self):
        self.assertEqual(layers.check({**self.FILES, "src/net/CMakeLists.txt": NET_LIST}), [])

    def test_a_link_against_the_arrows_is_found(self):
        files = {**self.FILES, "src/net/CMakeLists.txt": NET_LIST.replace("Boost::url", "ferryman_kube"),
                 "src/kube/client.cpp": LICENCE, "src/kube/CMakeLists.txt": "ferryman_module(kube SOURCES client.cpp)\n"}
        (finding,) = layers.check(files)
        self.assertEqual((finding.file, finding.line), ("src/net/CMakeLists.txt", 1))
        self.assertIn("ferryman_net links ferryman_kube", finding.what)

    def test_an_unlisted_header_is_found(self):
        files = {**self.FILES, "src/net/url.h": LICENCE, "src/net/CMakeLists.txt": NET_LIST}
        self.assertEqual([f.file for f in layers.check(files)], ["src/net/url.h"])

    def test_a_commented_call_declares_nothing(self):
        files = {**self.FILES, "src/net/CMakeLists.txt": "# ferryman_module(net SOURCES http.cpp HEADERS http.h)\n"}
        self.assertEqual(len(layers.check(files)), 2)

    def test_a_target_outside_ferryman_module_is_found(self):
        files = {**self.FILES, "src/net/CMakeLists.txt": NET_LIST + "target_link_libraries(ferryman_net ferryman_app)\n"}
        self.assertEqual([f.line for f in layers.check(files)], [5])


class Files(unittest.TestCase):
    def test_a_long_file_needs_a_reason(self):
        self.assertEqual(found("src/net/http.cpp", "\n" * 299), [])
        self.assertEqual(len(found("src/net/http.cpp", "\n" * 300)), 1)
        self.assertEqual(found("src/net/http.cpp", "// size: one table\n" + "\n" * 300), [])

    def test_headers_are_shorter(self):
        self.assertEqual(len(found("src/net/http.h", "\n" * 150)), 1)

    def test_the_licence_line_comes_first(self):
        (finding,) = found("src/net/http.cpp", "int x;\n", licence="")
        self.assertIn("licence", finding.what)

    def test_vague_names_are_refused(self):
        self.assertEqual(len(found("src/net/string_utils.cpp", "")), 1)
        self.assertEqual(found("src/net/utilization.cpp", ""), [])

    def test_paths_of_one_machine_and_registry_hosts_are_found_in_any_file(self):
        for word in ("/wo" + "rk/main", "/tmp" + "/w/x", "https://py" + "pi.org/simple", "http://deb.debian" + ".org/debian"):
            self.assertEqual(len(layers.check({"docs/x.md": f"a\n{word}\n"})), 1, word)

    def test_harmless_words_pass(self):
        self.assertEqual(layers.check({"docs/x.md": "network/ framework/x /tmp/where crates.iota\n"}), [])


if __name__ == "__main__":
    unittest.main()
