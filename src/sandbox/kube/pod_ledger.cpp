// SPDX-License-Identifier: Apache-2.0
#include "sandbox/kube/pod_ledger.h"

#include <boost/json/serialize.hpp>

#include "sandbox/kube/json_path.h"
#include "sandbox/kube/node_objects.h"
#include "sandbox/kube/pod_objects.h"

namespace ferryman::sandbox {

namespace {

std::string labels_of(const json::value& pod) {
  const json::value* labels = value_at(pod, "metadata.labels");
  return labels == nullptr ? std::string() : json::serialize(*labels);
}

bool is_active(const json::value& pod) {
  return !is_terminating(pod) && !is_finished(pod);
}

bool is_healthy(const json::value& pod) {
  return !is_terminating(pod) && is_pod_ready(pod);
}

bool is_open(const json::value& node) {
  return !bool_at(value_at(node, "spec"), "unschedulable") && is_node_ready(node);
}

template <class Map>
const typename Map::mapped_type& found_in(const Map& map, const typename Map::key_type& key) {
  static const typename Map::mapped_type none{};
  const auto found = map.find(key);
  return found == map.end() ? none : found->second;
}

}  // namespace

PodLedger::PodLedger(ObjectStore& objects) {
  objects.listen([this](std::string_view resource, const Change& change) {
    const bool gone = change.kind == Change::Kind::deleted;
    if (resource == "pods") {
      if (change.before != nullptr) take(*change.before);
      if (!gone) add(change.object);
    } else if (resource == "nodes") {
      open(key_of(*change.object).name, !gone && is_open(*change.object));
    }
  });
}

void PodLedger::add(const ObjectPtr& pod) {
  const ObjectKey key = key_of(*pod);
  groups_[key.space][labels_of(*pod)].pods[key] = pod;
  nodes_[std::string(node_of(*pod))][key] = pod;
  count(*pod, 1);
}

void PodLedger::take(const json::value& pod) {
  const ObjectKey key = key_of(pod);
  count(pod, -1);
  auto& groups = groups_[key.space];
  const auto group = groups.find(labels_of(pod));
  group->second.pods.erase(key);
  if (group->second.pods.empty()) groups.erase(group);
  nodes_[std::string(node_of(pod))].erase(key);
  recount(std::string(node_of(pod)));
}

void PodLedger::count(const json::value& pod, int by) {
  const std::string owner(owner_uid(pod));
  const std::string node(node_of(pod));
  placed_[{owner, node}] += by;
  if (is_active(pod)) {
    active_[owner] += by;
    if (is_pod_ready(pod)) ready_[owner] += by;
  }
  if (is_healthy(pod)) groups_[key_of(pod).space][labels_of(pod)].healthy += by;
  recount(node);
}

void PodLedger::open(const std::string& node, bool is_open) {
  const auto place = places_.find(node);
  if (is_open == (place != places_.end())) return;
  if (!is_open) {
    open_.erase({place->second, node});
    places_.erase(place);
    return;
  }
  const std::size_t pods = on_node(node).size();
  places_.emplace(node, pods);
  open_.emplace(pods, node);
}

void PodLedger::recount(const std::string& node) {
  const auto place = places_.find(node);
  if (place == places_.end()) return;
  const std::size_t pods = on_node(node).size();
  if (pods == place->second) return;
  open_.erase({place->second, node});
  place->second = pods;
  open_.emplace(pods, node);
}

const PodLedger::Pods& PodLedger::on_node(std::string_view node) const {
  static const Pods none;
  const auto found = nodes_.find(node);
  return found == nodes_.end() ? none : found->second;
}

bool PodLedger::has(const std::string& owner_uid, const std::string& node) const {
  return found_in(placed_, {owner_uid, node}) > 0;
}

int PodLedger::active(const std::string& owner_uid) const {
  return found_in(active_, owner_uid);
}

int PodLedger::ready(const std::string& owner_uid) const {
  return found_in(ready_, owner_uid);
}

const std::map<std::string, PodLedger::Group>& PodLedger::groups(const std::string& space) const {
  return found_in(groups_, space);
}

}  // namespace ferryman::sandbox
