// SPDX-License-Identifier: Apache-2.0
// Probes: /healthz (the loop turns), /readyz (200, or 503 with a line per thing that is not ready), /metrics,
// the status page at / and its like for scripts at /status.json.
#pragma once

#include "app/status_report.h"
#include "net/http_handler.h"

namespace ferryman::app {

class Probes final : public net::HttpHandler {
 public:
  /// The source must outlive the handler.
  explicit Probes(StatusSource& source) : source_(source) {}

  Task<net::HttpReply> handle(net::HttpRequest request) override;

 private:
  [[nodiscard]] net::HttpResponse answer(const net::HttpRequest& request);
  [[nodiscard]] net::HttpResponse readyz();

  StatusSource& source_;
};

}  // namespace ferryman::app
