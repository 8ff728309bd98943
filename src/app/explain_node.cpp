// SPDX-License-Identifier: Apache-2.0
#include "app/explain_node.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/serialize.hpp>
#include <optional>
#include <ostream>

#include "app/kube_side.h"
#include "app/process_loop.h"
#include "app/real_programs.h"
#include "base/duration_text.h"
#include "base/json.h"
#include "net/curl_client.h"

namespace ferryman::app {

namespace {

using termination::drain::name_of;
using termination::drain::NodeOutlook;
using termination::drain::PodOutlook;
using termination::drain::Treatment;
using termination::drain::Verdict;

bool is_asked(const PodOutlook& outlook) {
  const Treatment treatment = outlook.verdict.treatment;
  return treatment == Treatment::evict || treatment == Treatment::remove || treatment == Treatment::last ||
         treatment == Treatment::sweep;
}

bool differs(const Verdict& one, const Verdict& other) {
  return one.treatment != other.treatment || one.reason != other.reason;
}

json::object verdict_object(const Verdict& verdict) {
  return {{"treatment", name_of(verdict.treatment)}, {"reason", verdict.reason}};
}

json::object pod_object(const PodOutlook& outlook) {
  json::object out = verdict_object(outlook.verdict);
  out["namespace"] = outlook.pod.key.pod_namespace;
  out["name"] = outlook.pod.key.name;
  out["uid"] = outlook.pod.key.uid.str();
  if (differs(outlook.verdict, outlook.if_voluntary))
    out["if_voluntary"] = verdict_object(outlook.if_voluntary);
  out["grace"] = outlook.grace.count();
  if (outlook.own) out["own"] = true;
  if (outlook.wave) out["wave"] = *outlook.wave;
  if (outlook.pod.wait_up_to) out["wait_up_to"] = format_duration(*outlook.pod.wait_up_to);
  if (outlook.traffic) out["takes_traffic"] = true;
  if (!outlook.blocked.empty()) out["blocked"] = outlook.blocked;
  if (!outlook.pod.misread.empty()) out["misread"] = outlook.pod.misread;
  return out;
}

std::string summary(const NodeOutlook& node) {
  const auto count = [&](auto holds) { return std::ranges::count_if(node.pods, holds); };
  const auto asked = count(is_asked);
  const auto terminating = count([](const PodOutlook& o) { return o.verdict.treatment == Treatment::wait; });
  const auto refused = count([](const PodOutlook& o) { return o.verdict.treatment == Treatment::refuse; });
  return fmt::format(
      "Node {}{} has {} pods: {} would be asked to go, {} terminate already, {} are refused by a setting, {} "
      "stay.",
      node.node, node.unreachable ? ", whose kubelet does not report" : "", node.pods.size(), asked,
      terminating, refused, static_cast<std::ptrdiff_t>(node.pods.size()) - asked - terminating - refused);
}

/// What it waits for before it is asked.
std::vector<std::string> holds(const PodOutlook& outlook) {
  std::vector<std::string> texts;
  if (!is_asked(outlook)) return texts;
  if (outlook.wave.value_or(0) != 0) texts.push_back(fmt::format("in wave {}", *outlook.wave));
  if (outlook.traffic) texts.emplace_back("not before the node's load balancers send it nothing any more");
  if (outlook.pod.wait_up_to) {
    texts.push_back(fmt::format("not before {} after the event, for kinds in --heed-waits",
                                format_duration(*outlook.pod.wait_up_to)));
  }
  return texts;
}

void print_pod(std::ostream& out, const PodOutlook& outlook, std::size_t width) {
  out << fmt::format("{:<7} {:<{}} {}", name_of(outlook.verdict.treatment),
                     outlook.pod.key.pod_namespace + "/" + outlook.pod.key.name, width,
                     outlook.verdict.reason);
  if (outlook.own) out << "; our own: when no other is left";
  if (differs(outlook.verdict, outlook.if_voluntary))
    out << fmt::format("; {} for a voluntary end: {}", name_of(outlook.if_voluntary.treatment),
                       outlook.if_voluntary.reason);
  out << '\n';
  for (const std::string& held : holds(outlook)) out << fmt::format("        {}\n", held);
  if (!outlook.blocked.empty()) out << fmt::format("        refused now by {}\n", outlook.blocked);
  if (!outlook.pod.misread.empty()) out << fmt::format("        {}\n", outlook.pod.misread);
}

/// The answer on the real platform.
class NodeExplain {
 public:
  NodeExplain(const Invocation& invocation, Settings settings)
      : invocation_(invocation),
        settings_(std::move(settings)),
        loop_(settings_.log),
        http_(loop_.clock(), invocation.environment),
        programs_(loop_.clock(), invocation.environment),
        platform_{loop_.clock(),          loop_.random(), http_,    invocation.files,
                  invocation.environment, loop_.sink(),   programs_},
        scope_(loop_.clock(), loop_.log()),
        looked_(loop_.clock()) {}

  int run(const std::string& node, bool as_json) {
    auto access = find_cluster(settings_, platform_, loop_.log(), scope_);
    if (!access) return refuse(invocation_, "explain", {access.error().text});
    Groundwork ground;
    ground.access = std::move(*access);
    KubeSide kube(ground, platform_, loop_.log());
    loop_.on_signal([this] { looked_.notify_all(); });
    const bool sound = loop_.run("explain", ask(kube.cluster(), node));
    if (sound && outlook_) return print(*outlook_, as_json);
    invocation_.err << fmt::format("ferryman explain: {}\n", trouble_);
    return exit_failed;
  }

 private:
  Task<void> ask(termination::Cluster& cluster, std::string node) {
    constexpr Duration patience = std::chrono::seconds{30};
    const Deadline deadline = Deadline::after(loop_.clock(), patience);
    const auto before = looked_.version();
    scope_.spawn("look ahead", look(cluster, std::move(node), deadline));
    if (looked_.version() == before) co_await looked_.wait_until(deadline.at());
    scope_.cancel();
    constexpr Duration for_the_last = std::chrono::seconds{1};
    co_await scope_.join(Deadline::after(loop_.clock(), for_the_last));
  }

  Task<void> look(termination::Cluster& cluster, std::string node, Deadline deadline) {
    auto outlook = co_await termination::drain::look_ahead(cluster, settings_.policy, loop_.clock(),
                                                           std::move(node), deadline);
    if (outlook) {
      outlook_ = std::move(*outlook);
    } else {
      trouble_ = outlook.error().text;
      if (outlook.error().fault == Fault::not_found) trouble_ += "; kubectl get nodes lists the names";
    }
    looked_.notify_all();
  }

  int print(const NodeOutlook& outlook, bool as_json) {
    for (const std::string& gap : outlook.unseen)
      invocation_.err << fmt::format("ferryman explain: {}\n", gap);
    as_json ? print_outlook_json(invocation_.out, outlook) : print_outlook(invocation_.out, outlook);
    return std::ranges::any_of(outlook.pods, is_asked) ? exit_done : exit_nothing_to_do;
  }

  const Invocation& invocation_;
  Settings settings_;
  ProcessLoop loop_;
  net::CurlClient http_;
  RealPrograms programs_;
  Platform platform_;
  Scope scope_;
  Signal looked_;
  std::optional<NodeOutlook> outlook_;
  std::string trouble_ = "stopped before the API server answered";
};

}  // namespace

void print_outlook(std::ostream& out, const NodeOutlook& node) {
  out << summary(node) << '\n';
  std::size_t width = 0;
  for (const PodOutlook& outlook : node.pods)
    width = std::max(width, outlook.pod.key.pod_namespace.size() + outlook.pod.key.name.size() + 1);
  for (const PodOutlook& outlook : node.pods) print_pod(out, outlook, width);
}

void print_outlook_json(std::ostream& out, const NodeOutlook& node) {
  for (const PodOutlook& pod : node.pods) out << json::serialize(pod_object(pod)) << '\n';
}

int explain_node(const Invocation& invocation, Settings settings, const std::string& node, bool as_json) {
  return NodeExplain(invocation, std::move(settings)).run(node, as_json);
}

}  // namespace ferryman::app
