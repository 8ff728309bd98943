// SPDX-License-Identifier: Apache-2.0
// kubeconfig files, and what their exec plugins print.
#include "fuzz/fuzzed_text.h"
#include "kube/exec_plugin.h"
#include "kube/kubeconfig.h"
#include "support/simulation.h"

namespace {

using namespace ferryman;

class OneFile final : public Files {
 public:
  explicit OneFile(std::string_view text) : text_(text) {}
  Result<std::string> read(const std::string& path) override {
    if (path != "/config") return Error(Fault::not_found, path + ": no such file");
    return text_;
  }

 private:
  std::string text_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  test::Simulation sim;
  OneFile files(text);
  NoPrograms programs;
  const kube::TokenContext tools(files, sim.clock, programs, sim.scope, sim.log);
  const auto access = kube::read_kubeconfig("/config", "", tools);
  if (!access)
    fuzz::check(access.error().text.find("/config") != std::string::npos, "an error names the file");
  (void)kube::parse_exec_credential(text, "client.authentication.k8s.io/v1");
  return 0;
}
