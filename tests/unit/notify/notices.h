// SPDX-License-Identifier: Apache-2.0
// Notices for tests, and what takes them.
#pragma once

#include <string>

#include "notify/kubernetes_events.h"
#include "notify/notice_board.h"
#include "support/simulation.h"
#include "unit/notify/fake_event_writer.h"

namespace ferryman::test {

inline termination::Notice node_notice(termination::NoticeKind kind, const std::string& node,
                                       std::string text = "it happened") {
  termination::Notice notice(kind, InstanceId("i-0123456789abcdef0"), std::move(text));
  notice.node = node;
  notice.node_uid = Uid("uid-of-" + node);
  notice.event_kind = "spot-interruption";
  notice.event_id = "e-1";
  return notice;
}

inline termination::Notice pod_notice(termination::NoticeKind kind, const std::string& pod,
                                      std::string text = "budget shop/web allows no disruption") {
  termination::Notice notice = node_notice(kind, "node-a", std::move(text));
  notice.pod.pod_namespace = "shop";
  notice.pod.name = pod;
  notice.pod.uid = Uid("uid-of-" + pod);
  return notice;
}

/// The subscriber behind its board, in simulated time.
class EventsFixture {
 public:
  EventsFixture() {
    board.add(events);
    events.start(sim.scope);
  }
  ~EventsFixture() {
    sim.scope.cancel();
    sim.clock.advance(std::chrono::seconds{0});
  }
  EventsFixture(const EventsFixture&) = delete;
  EventsFixture& operator=(const EventsFixture&) = delete;

  void pass(Duration duration) { sim.clock.advance(duration); }
  [[nodiscard]] std::uint64_t dropped(notify::EventLoss loss) const {
    return metrics.events_dropped[loss].value();
  }

  Simulation sim;
  FakeEventWriter writer{sim.clock};
  notify::Metrics metrics;
  std::optional<termination::Node> node;  // of every instance
  notify::NoticeBoard board{metrics, [this](const InstanceId&) { return node ? &*node : nullptr; }};
  notify::KubernetesEvents events{sim.clock, sim.log, writer, metrics};
};

}  // namespace ferryman::test
