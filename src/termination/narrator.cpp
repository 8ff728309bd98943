// SPDX-License-Identifier: Apache-2.0
#include "termination/narrator.h"

#include <fmt/format.h>

#include "termination/event_words.h"

namespace ferryman::termination {

void Narrator::set_event(const Event& event) {
  frame_.event_kind = std::string(name_of(event.kind));
  frame_.event_id = event.event_id;
}

void Narrator::tell(NoticeKind kind, std::string text, PodKey pod) {
  Notice notice = frame_;
  notice.kind = kind;
  notice.text = std::move(text);
  notice.pod = std::move(pod);
  notice.at = context_.clock.wall();
  notices_.tell(notice);
}

void Narrator::tell_started(const Event& event) {
  set_event(event);
  tell(NoticeKind::termination_started, what_happened(event));
}

void Narrator::tell_marked(Action action, const Event& event) {
  tell(NoticeKind::node_marked,
       fmt::format("nothing new is placed here (action: {}): {}", name_of(action), what_happened(event)));
}

void Narrator::tell_end(TerminationResult result, Duration took, const std::string& why_back) {
  if (result == TerminationResult::cancelled) {
    tell(NoticeKind::termination_cancelled, "it stays: " + why_back);
  } else {
    tell(NoticeKind::termination_finished, fmt::format("{} after {:.0f} s", name_of(result), seconds(took)));
  }
}

}  // namespace ferryman::termination
