// SPDX-License-Identifier: Apache-2.0
// The lines of a watch, in pieces, until it ends or fails.
#include "fuzz/fuzzed_text.h"
#include "kube/watch.h"
#include "support/simulation.h"

namespace {

using namespace ferryman;

class Pieces final : public net::HttpStream {
 public:
  Pieces(std::string_view text, std::size_t piece) : left_(text), piece_(piece) {}

  Task<Result<std::string>> read(Deadline /*deadline*/) override {
    std::string text(left_.substr(0, piece_));
    left_.remove_prefix(text.size());
    co_return text;
  }

 private:
  std::string_view left_;
  std::size_t piece_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  test::Simulation sim;
  kube::Watch watch(std::make_unique<Pieces>(fuzz::text_of(data, size), 1 + size % 50), "1");
  const Deadline deadline(sim.clock.now() + std::chrono::seconds{1});
  std::size_t events = 0;
  for (;;) {
    const auto event = sim.run(watch.next(deadline));
    if (!event || !*event) return 0;
    fuzz::check(++events <= size, "an event takes a line");
  }
}
