// SPDX-License-Identifier: Apache-2.0
#include "sandbox/kube/object_store.h"

#include <fmt/format.h>

#include <algorithm>

#include "sandbox/kube/json_path.h"

namespace ferryman::sandbox {

namespace {

constexpr std::size_t most_history = 5'000;

}  // namespace

ObjectKey key_of(const json::value& object) {
  return {std::string(text_at(object, "metadata.namespace")), std::string(text_at(object, "metadata.name"))};
}

ObjectStore::Shelf& ObjectStore::shelf(std::string_view resource) {
  const auto found = shelves_.find(resource);
  if (found != shelves_.end()) return found->second;
  Shelf& made = shelves_[std::string(resource)];
  made.changed = std::make_unique<Signal>(clock_);
  return made;
}

const ObjectStore::Shelf* ObjectStore::find_shelf(std::string_view resource) const {
  const auto found = shelves_.find(resource);
  return found == shelves_.end() ? nullptr : &found->second;
}

ObjectPtr ObjectStore::find(std::string_view resource, const ObjectKey& key) const {
  const Shelf* at = find_shelf(resource);
  if (at == nullptr) return nullptr;
  const auto found = at->objects.find(key);
  return found == at->objects.end() ? nullptr : found->second;
}

std::vector<ObjectPtr> ObjectStore::list(std::string_view resource) const {
  std::vector<ObjectPtr> all;
  if (const Shelf* at = find_shelf(resource); at != nullptr) {
    all.reserve(at->objects.size());
    for (const auto& [key, object] : at->objects) all.push_back(object);
  }
  return all;
}

// The present, with the changes since then undone from the newest back.
std::optional<std::vector<ObjectPtr>> ObjectStore::list_at(std::string_view resource,
                                                           std::uint64_t version) const {
  const Shelf* at = find_shelf(resource);
  if (at == nullptr) return std::vector<ObjectPtr>();
  if (version < at->forgotten) return std::nullopt;
  std::map<ObjectKey, ObjectPtr> objects = at->objects;
  for (auto change = at->history.rbegin(); change != at->history.rend() && change->version > version;
       ++change) {
    const ObjectKey key = key_of(*change->object);
    if (change->before == nullptr) {
      objects.erase(key);
    } else {
      objects[key] = change->before;
    }
  }
  std::vector<ObjectPtr> all;
  for (auto& [key, object] : objects) all.push_back(std::move(object));
  return all;
}

ObjectPtr ObjectStore::create(std::string_view resource, json::value object) {
  Shelf& at = shelf(resource);
  const ObjectKey key = key_of(object);
  if (at.objects.contains(key)) return nullptr;
  Change change;
  change.kind = Change::Kind::added;
  change.version = ++version_;
  make_at(object, "metadata.uid") = new_uid();
  make_at(object, "metadata.resourceVersion") = std::to_string(change.version);
  make_at(object, "metadata.creationTimestamp") = format_rfc3339(clock_.wall());
  change.object = std::make_shared<const json::value>(std::move(object));
  at.objects.emplace(key, change.object);
  ObjectPtr made = change.object;
  record(resource, at, std::move(change));
  return made;
}

ObjectPtr ObjectStore::update(std::string_view resource, const ObjectKey& key, json::value object) {
  Shelf& at = shelf(resource);
  ObjectPtr& place = at.objects.at(key);
  for (const std::string_view path : {"metadata.uid", "metadata.creationTimestamp",
                                      "metadata.resourceVersion", "metadata.name", "metadata.namespace"}) {
    if (const json::value* kept = value_at(*place, path); kept != nullptr) make_at(object, path) = *kept;
  }
  if (object == *place) return place;
  Change change;
  change.kind = Change::Kind::modified;
  change.version = ++version_;
  change.before = place;
  make_at(object, "metadata.resourceVersion") = std::to_string(change.version);
  change.object = std::make_shared<const json::value>(std::move(object));
  place = change.object;
  ObjectPtr made = change.object;
  record(resource, at, std::move(change));
  return made;
}

ObjectPtr ObjectStore::remove(std::string_view resource, const ObjectKey& key) {
  Shelf& at = shelf(resource);
  const auto found = at.objects.find(key);
  if (found == at.objects.end()) return nullptr;
  Change change;
  change.kind = Change::Kind::deleted;
  change.version = ++version_;
  change.before = found->second;
  json::value last = *found->second;
  make_at(last, "metadata.resourceVersion") = std::to_string(change.version);
  change.object = std::make_shared<const json::value>(std::move(last));
  at.objects.erase(found);
  ObjectPtr gone = change.object;
  record(resource, at, std::move(change));
  return gone;
}

void ObjectStore::record(std::string_view resource, Shelf& at, Change change) {
  at.history.push_back(std::move(change));
  if (at.history.size() > most_history) {
    at.forgotten = at.history.front().version;
    at.history.pop_front();
  }
  const Change kept = at.history.back();
  for (const Listener& listener : listeners_) listener(resource, kept);
  at.changed->notify_all();
}

bool ObjectStore::expired(std::string_view resource, std::uint64_t version) const {
  const Shelf* at = find_shelf(resource);
  return at != nullptr && version < at->forgotten;
}

std::vector<Change> ObjectStore::changes_after(std::string_view resource, std::uint64_t version) const {
  const Shelf* at = find_shelf(resource);
  if (at == nullptr) return {};
  const auto first =
      std::upper_bound(at->history.begin(), at->history.end(), version,
                       [](std::uint64_t v, const Change& change) { return v < change.version; });
  return {first, at->history.end()};
}

void ObjectStore::compact() {
  for (auto& [resource, at] : shelves_) {
    if (at.history.empty()) continue;
    at.forgotten = at.history.back().version;
    at.history.clear();
  }
}

std::string ObjectStore::new_uid() {
  const std::uint64_t high = random_.next();
  const std::uint64_t low = random_.next();
  // Version 4, variant 1 (RFC 9562).
  return fmt::format("{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}", high >> 32U, (high >> 16U) & 0xffffU,
                     high & 0xfffU, 0x8000U | ((low >> 48U) & 0x3fffU), low & 0xffffffffffffU);
}

std::string ObjectStore::new_suffix() {
  constexpr std::string_view safe = "bcdfghjklmnpqrstvwxz2456789";
  std::string suffix;
  for (int i = 0; i < 5; ++i) suffix += safe[random_.below(safe.size())];
  return suffix;
}

}  // namespace ferryman::sandbox
