// SPDX-License-Identifier: Apache-2.0
#include "termination/pause_switch.h"

#include <algorithm>
#include <array>

namespace ferryman::termination {

namespace {

constexpr Duration period = std::chrono::seconds{5};
constexpr std::string_view key = "paused";

}  // namespace

Task<void> PauseSwitch::run() {
  const Policy& policy = context_.policy;
  if (policy.pause_name.empty()) co_return;
  for (;;) {
    const auto data =
        co_await cluster_.config_map(policy.pause_namespace, policy.pause_name, context_.call_deadline());
    if (data) {
      note(*data);
    } else {
      complain(data.error());
    }
    if (!looked_) {
      looked_ = true;
      changed_.notify_all();
    }
    co_await context_.clock.sleep_for(period);
  }
}

/// Whoever writes something there in an emergency means it.
bool PauseSwitch::means_on(std::string_view value) {
  constexpr std::array<std::string_view, 8> off = {"", "false", "False", "FALSE", "no", "off", "0", "n"};
  return std::find(off.begin(), off.end(), value) == off.end();
}

void PauseSwitch::note(const Data& data) {
  said_.clear();
  bool on = false;
  if (data) {
    const auto value = data->find(std::string(key));
    on = value != data->end() && means_on(value->second);
  }
  if (on != on_) set(on);
}

void PauseSwitch::set(bool on) {
  on_ = on;
  context_.metrics.paused.set(on ? 1 : 0);
  const std::string name = context_.policy.pause_namespace + "/" + context_.policy.pause_name;
  if (on) {
    context_.log.warn("work.paused", {{"config_map", name},
                                      {"effect",
                                       "nothing new is begun, what runs goes on; hooks that begin to wait "
                                       "now run out after their own timeout"},
                                      {"cure", "remove its key paused, or set it to false"}});
  } else {
    context_.log.info("work.resumed", {{"config_map", name}});
  }
  changed_.notify_all();
}

void PauseSwitch::complain(const Error& error) {
  if (said_ == error.text) return;
  said_ = error.text;
  context_.log.warn("pause.not_read", {{"error", error},
                                       {"effect", on_ ? "still paused" : "not paused"},
                                       {"cure", error.fault == Fault::denied
                                                    ? "grant the verb get on that ConfigMap, or leave out "
                                                      "--pause-config-map"
                                                    : "asked again every 5 s"}});
}

}  // namespace ferryman::termination
