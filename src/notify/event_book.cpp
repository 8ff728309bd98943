// SPDX-License-Identifier: Apache-2.0
#include "notify/event_book.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace ferryman::notify {

using termination::EventObject;
using termination::Notice;

namespace {

/// kubectl describe looks for a Node's events by the node's name as their UID, as the kubelet writes them; by
/// the real UID only since 1.24. https://github.com/kubernetes/kubernetes/pull/106485
EventObject node_object(const std::string& name) {
  EventObject object;
  object.kind = "Node";
  object.name = name;
  object.uid = Uid(name);
  return object;
}

EventObject pod_object(const termination::PodKey& pod) {
  EventObject object;
  object.kind = "Pod";
  object.object_namespace = pod.pod_namespace;
  object.name = pod.name;
  object.uid = pod.uid;
  return object;
}

bool about_pod(const Notice& notice) {
  return is_about_pod(notice.kind) && !notice.pod.name.empty();
}

EventEntry::Key key_of(const Notice& notice) {
  if (!about_pod(notice)) return {notice.node + "/" + notice.node_uid.str(), notice.kind};
  return {notice.pod.pod_namespace + "/" + notice.pod.name + "/" + notice.pod.uid.str(), notice.kind};
}

std::string text_of(const Notice& notice) {
  constexpr std::size_t ellipsis = 3;
  const std::string text = to_utf8(notice.text);
  if (text.size() <= EventBook::longest_text) return text;
  return shortened(text, EventBook::longest_text - ellipsis);
}

/// A name of Kubernetes has at most 253 characters, and no part of it ends with a dash.
std::string beginning_of_name(std::string_view object) {
  constexpr std::size_t most = 200;
  object = object.substr(0, most);
  while (object.ends_with('-') || object.ends_with('.')) object.remove_suffix(1);
  return std::string(object);
}

std::map<std::string, std::string> annotations_of(const Notice& notice) {
  constexpr std::size_t longest = 256;
  std::map<std::string, std::string> annotations;
  const auto add = [&](const char* key, const std::string& value) {
    if (!value.empty()) annotations[key] = shortened(to_utf8(value), longest);
  };
  add("ferryman.dev/instance-id", notice.instance_id.str());
  add("ferryman.dev/event-kind", notice.event_kind);
  add("ferryman.dev/event-id", notice.event_id);
  return annotations;
}

}  // namespace

EventEntryPtr EventBook::begin(const Notice& notice, WallTime at) {
  auto entry = std::make_shared<EventEntry>(key_of(notice));
  auto& event = entry->event;
  if (about_pod(notice)) {
    event.about = pod_object(notice.pod);
    if (!notice.node.empty()) {
      event.related = node_object(notice.node);
      event.related.uid = notice.node_uid;
    }
  } else {
    event.about = node_object(notice.node);
  }
  // Time only grows and so does the number of those begun: the sum is new each time.
  event.name = fmt::format("{}.{:x}", beginning_of_name(event.about.name),
                           clock_.wall().time_since_epoch().count() + begun_++);
  event.warning = is_warning(notice.kind);
  event.reason = reason_of(notice.kind);
  event.text = text_of(notice);
  event.first = at;
  event.last = at;
  event.annotations = annotations_of(notice);
  entry->said = clock_.now();
  return entry;
}

EventEntryPtr EventBook::enter(const Notice& notice) {
  if (!about_pod(notice) && notice.node.empty()) return nullptr;
  const WallTime at = notice.at == WallTime{} ? clock_.wall() : notice.at;
  Texts& texts = entries_[key_of(notice)];
  const std::string text = text_of(notice);
  auto known = std::ranges::find_if(texts, [&](const auto& entry) { return entry->event.text == text; });
  if (known == texts.end() && texts.size() < most_texts) return texts.emplace_back(begin(notice, at));
  EventEntry& entry = known == texts.end() ? *texts.back() : **known;
  entry.event.text = text;
  entry.event.last = std::max(entry.event.last, at);
  ++entry.event.count;
  entry.said = clock_.now();
  return known == texts.end() ? texts.back() : *known;
}

void EventBook::forget(const EventEntryPtr& entry) {
  const auto found = entries_.find(entry->key);
  if (found == entries_.end()) return;
  std::erase(found->second, entry);
  if (found->second.empty()) entries_.erase(found);
}

std::vector<EventEntryPtr> EventBook::due() const {
  std::vector<EventEntryPtr> found;
  const SteadyTime now = clock_.now();
  for (const auto& [key, texts] : entries_) {
    for (const EventEntryPtr& entry : texts) {
      if (entry->written() && entry->has_news() && !entry->queued && now - entry->told_at >= between_repeats)
        found.push_back(entry);
    }
  }
  return found;
}

void EventBook::forget_old() {
  const SteadyTime now = clock_.now();
  for (auto it = entries_.begin(); it != entries_.end();) {
    std::erase_if(it->second,
                  [&](const EventEntryPtr& entry) { return !entry->queued && now - entry->said > memory; });
    it = it->second.empty() ? entries_.erase(it) : std::next(it);
  }
}

std::size_t EventBook::size() const {
  std::size_t count = 0;
  for (const auto& [key, texts] : entries_) count += texts.size();
  return count;
}

}  // namespace ferryman::notify
