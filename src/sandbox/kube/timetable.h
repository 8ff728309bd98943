// SPDX-License-Identifier: Apache-2.0
// Timetable: what the world will do later, in the order of its times, ties by arrival. One coroutine, owned
// by the scope, does it. The scope may outlive the timetable: what is left is then never done.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <utility>

#include "base/scope.h"

namespace ferryman::sandbox {

class Timetable {
 public:
  using Action = std::function<void()>;

  Timetable(Clock& clock, Scope& scope);
  Timetable(const Timetable&) = delete;
  Timetable& operator=(const Timetable&) = delete;
  ~Timetable();

  void after(Duration wait, Action action);

 private:
  struct Plan;
  static Task<void> run(std::shared_ptr<Plan> plan);

  std::shared_ptr<Plan> plan_;
};

}  // namespace ferryman::sandbox
