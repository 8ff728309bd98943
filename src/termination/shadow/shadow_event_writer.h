// SPDX-License-Identifier: Apache-2.0
// ShadowEventWriter: the EventWriter port for --shadow. It logs what would be written, and writes nothing.
#pragma once

#include "base/log.h"
#include "termination/ports/event_writer.h"

namespace ferryman::termination::shadow {

class ShadowEventWriter final : public EventWriter {
 public:
  explicit ShadowEventWriter(Log log) : log_(std::move(log)) {}

  Task<Result<void>> create(ClusterEvent event, Deadline /*deadline*/) override {
    log_.debug("shadow.would", {{"call", "create event"},
                                {"about", event.about.kind + " " + event.about.name},
                                {"reason", event.reason},
                                {"text", event.text}});
    co_return Result<void>();
  }
  Task<Result<void>> repeat(ClusterEvent event, Deadline /*deadline*/) override {
    log_.debug("shadow.would", {{"call", "patch event"},
                                {"about", event.about.kind + " " + event.about.name},
                                {"reason", event.reason},
                                {"count", event.count}});
    co_return Result<void>();
  }

 private:
  Log log_;
};

}  // namespace ferryman::termination::shadow
