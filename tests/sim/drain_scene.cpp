// SPDX-License-Identifier: Apache-2.0
#include "sim/drain_scene.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"

namespace ferryman::sim {

using namespace std::chrono_literals;

SceneShape DrainScene::shape_with(std::vector<std::string> arguments) {
  SceneShape shape;
  shape.nodes = 2;
  shape.replicas = 0;
  shape.budget = false;
  shape.target_groups = 0;
  shape.classic_elbs = 0;
  shape.arguments = std::move(arguments);
  return shape;
}

std::string DrainScene::node_name(std::size_t n) {
  return scene.kube().find_node(scene.instances().at(n))->name;
}

sandbox::PodSpec DrainScene::pod(const std::string& name) {
  sandbox::PodSpec spec;
  spec.name = name;
  spec.node_name = node_name();
  spec.owner_kind = "ReplicaSet";
  spec.labels = {{"app", name}};
  return spec;
}

Uid DrainScene::add(const sandbox::PodSpec& spec) {
  scene.kube().add_pod(spec);
  for (const auto& pod : scene.kube().pods()) {
    if (pod.name == spec.name && pod.pod_namespace == spec.pod_namespace) return pod.uid;
  }
  return {};
}

void DrainScene::budget(const std::string& name, const std::string& app, const std::string& spec) {
  scene.kube().add_budget(
      {"default", name},
      *parse_json(fmt::format(R"({{{},"selector":{{"matchLabels":{{"app":"{}"}}}}}})", spec, app)));
}

void DrainScene::start() {
  replica = &scene.start();
  scene.advance(5s);
  ended_ = scene.sim().clock.now();
}

void DrainScene::end() {
  start();
  scene.cluster().end(instance());
}

void DrainScene::end_by_spot() {
  start();
  scene.aws().interruptions().spot(instance());
}

std::vector<PodCall> DrainScene::calls(const std::string& pod) const {
  std::vector<PodCall> all;
  for (const auto& entry : scene.journal().entries()) {
    const bool asks = entry.operation == "pods.evict" || entry.operation == "pods.delete";
    if (entry.service != "kubernetes" || !asks || entry.subject != "default/" + pod) continue;
    PodCall call;
    call.second = since(entry.at);
    call.verb = entry.operation.substr(entry.operation.find('.') + 1);
    call.outcome = entry.outcome;
    if (entry.details.contains("grace")) call.grace = entry.details.at("grace");
    if (entry.details.contains("uid")) call.uid = entry.details.at("uid");
    all.push_back(std::move(call));
  }
  return all;
}

std::string DrainScene::calls_in_words(const std::string& pod) const {
  std::string words;
  for (const PodCall& call : calls(pod)) {
    words += fmt::format("{}{} {} {}", words.empty() ? "" : ", ", call.verb, call.outcome, call.grace);
  }
  return words;
}

std::optional<double> DrainScene::fact(const std::string& operation, const std::string& subject) const {
  for (const auto& entry : scene.journal().entries()) {
    if (entry.service == "world" && entry.operation == operation && entry.subject == subject)
      return since(entry.at);
  }
  return std::nullopt;
}

std::optional<double> DrainScene::completed() const {
  for (const auto& entry : scene.journal().entries()) {
    if (entry.operation == "hook.completed") return since(entry.at);
  }
  return std::nullopt;
}

std::string DrainScene::report(const std::string& pod) const {
  return line("pod.report", "default/" + pod + " ");
}

std::string DrainScene::line(const std::string& event, const std::string& text) const {
  for (const std::string& one : replica->logs.with(event)) {
    if (one.find(text) != std::string::npos) return one;
  }
  return {};
}

bool DrainScene::there(const Uid& uid) {
  const auto pods = scene.kube().pods();
  return std::any_of(pods.begin(), pods.end(), [&](const auto& pod) { return pod.uid == uid; });
}

}  // namespace ferryman::sim
