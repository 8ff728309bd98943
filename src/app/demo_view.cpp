// SPDX-License-Identifier: Apache-2.0
#include "app/demo_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

namespace ferryman::app {

namespace {

constexpr std::size_t most_drawn = 30;  // more than a terminal's height cannot be redrawn
constexpr std::size_t bar_width = 20;

std::string bar(const NodeProgress& node) {
  if (!node.cordoned) return std::string(bar_width, ' ');
  const std::size_t before = std::max<std::size_t>(node.pods_before, 1);
  const std::size_t gone = before - std::min(node.pods_left, before);
  const std::size_t full = node.pods_left == 0 ? bar_width : bar_width * gone / before;
  std::string out;
  for (std::size_t i = 0; i < bar_width; ++i) out += i < full ? "█" : "░";
  return out;
}

const char* colour(Stage stage) {
  switch (stage) {
    case Stage::completed:
      return "\x1b[32m";
    case Stage::timed_out:
      return "\x1b[31m";
    case Stage::serving:
      return "\x1b[2m";
    default:
      return "\x1b[36m";
  }
}

}  // namespace

void DemoView::say(const std::string& text) {
  out_ << text << '\n';
  out_.flush();
  drawn_ = 0;
}

void DemoView::show(const std::vector<NodeProgress>& nodes, SteadyTime now) {
  if (redraw_ && nodes.size() <= most_drawn) {
    draw(nodes, now);
  } else {
    print_changes(nodes, now);
  }
  out_.flush();
}

void DemoView::draw(const std::vector<NodeProgress>& nodes, SteadyTime now) {
  if (drawn_ > 0) out_ << fmt::format("\x1b[{}A", drawn_);
  for (const NodeProgress& node : nodes) {
    const SteadyTime until = node.completed.value_or(now);
    const std::string time = node.told ? fmt::format("{:.1f} s", seconds(until - *node.told)) : "";
    const std::string targets =
        node.targets_before > 0 ? fmt::format(", {:>3} targets", node.targets_left) : std::string();
    const std::string refused =
        node.refused > 0 ? fmt::format("  budgets refuse {}", node.refused) : std::string();
    out_ << fmt::format("\x1b[2K  {:<44} {}{:<10}\x1b[0m {} {:>3} pods{} left  {:>8}{}\n", node.node,
                        colour(node.stage), name_of(node.stage), bar(node), node.pods_left, targets, time,
                        refused);
  }
  drawn_ = nodes.size();
}

// Which budgets refuse changes with every attempt; that one refuses is told once a stage.
void DemoView::print_changes(const std::vector<NodeProgress>& nodes, SteadyTime now) {
  for (const NodeProgress& node : nodes) {
    auto& [stage, refused] = shown_.try_emplace(node.instance_id.str(), Stage::serving, false).first->second;
    const bool refused_now = node.refused > 0;
    if (stage == node.stage && (refused || !refused_now)) continue;
    refused = refused_now || (refused && stage == node.stage);
    stage = node.stage;
    out_ << fmt::format("  [{:6.1f} s] {} {}: {}\n", seconds(now - started_), node.node,
                        node.instance_id.str(), how_far(node));
  }
}

}  // namespace ferryman::app
