// SPDX-License-Identifier: Apache-2.0
// Platform: everything that the daemon takes from outside. `serve` makes the real one, simulations their own.
// All of it must outlive the daemon.
#pragma once

#include "base/clock.h"
#include "base/environment.h"
#include "base/files.h"
#include "base/log.h"
#include "base/programs.h"
#include "base/random.h"
#include "net/http_client.h"

namespace ferryman::app {

struct Platform {
  Clock& clock;
  Random& random;
  net::HttpClient& http;
  Files& files;
  const Environment& environment;  // of AWS_… only; settings come resolved
  LogSink& log_sink;
  Programs& programs;
};

}  // namespace ferryman::app
