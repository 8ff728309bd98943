// SPDX-License-Identifier: Apache-2.0
// Narrator: tells the notices of one termination, each with instance, node and event. Shared with what may
// outlive the termination.
#pragma once

#include <string>

#include "termination/context.h"
#include "termination/outcome.h"

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
  /// The first event: all that is told from now on goes back to it.
  void set_event(const Event& event);

  void tell(NoticeKind kind, std::string text, PodKey pod = PodKey());
  void tell_started(const Event& event);
  void tell_marked(Action action, const Event& event);
  void tell_end(TerminationResult result, Duration took, const std::string& why_back);

 private:
  Context& context_;
  Notices& notices_;
  Notice frame_;
};

}  // namespace ferryman::termination
