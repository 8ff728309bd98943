// SPDX-License-Identifier: Apache-2.0
// Narrator: tells the notices of one termination, each with instance, node and event. Shared with what may
// outlive the termination.
#pragma once

#include <string>

#include "termination/context.h"

namespace ferryman::termination {

class Narrator {
 public:
  Narrator(Context& context, Notices& notices, InstanceId instance_id)
      : context_(context), notices_(notices) {
    frame_.instance_id = std::move(instance_id);
  }

  [[nodiscard]] const InstanceId& instance_id() const { return frame_.instance_id; }
  void set_node(const Node& node) {
    frame_.node = node.name;
    frame_.node_uid = node.uid;
  }
  void set_event(const Event& event) {
    frame_.event_kind = std::string(name_of(event.kind));
    frame_.event_id = event.event_id;
  }

  void tell(NoticeKind kind, std::string text) { tell(kind, std::move(text), PodKey()); }
  void tell(NoticeKind kind, std::string text, PodKey pod) {
    Notice notice = frame_;
    notice.kind = kind;
    notice.text = std::move(text);
    notice.pod = std::move(pod);
    notice.at = context_.clock.wall();
    notices_.tell(notice);
  }

 private:
  Context& context_;
  Notices& notices_;
  Notice frame_;
};

}  // namespace ferryman::termination
