// SPDX-License-Identifier: Apache-2.0
// DemoView: what the demo shows while it runs. On a terminal a table that is redrawn; else a line per change.
#pragma once

#include <iosfwd>
#include <map>
#include <string>
#include <vector>

#include "app/demo_progress.h"

namespace ferryman::app {

class DemoView {
 public:
  /// `redraw`: the output is a terminal.
  DemoView(std::ostream& out, bool redraw, SteadyTime started)
      : out_(out), redraw_(redraw), started_(started) {}

  void say(const std::string& text);
  void show(const std::vector<NodeProgress>& nodes, SteadyTime now);

 private:
  void draw(const std::vector<NodeProgress>& nodes, SteadyTime now);
  void print_changes(const std::vector<NodeProgress>& nodes, SteadyTime now);

  std::ostream& out_;
  bool redraw_;
  SteadyTime started_;
  std::size_t drawn_ = 0;                                // lines to go back before the next drawing
  std::map<std::string, std::pair<Stage, bool>> shown_;  // by instance; with whether budgets refuse
};

}  // namespace ferryman::app
