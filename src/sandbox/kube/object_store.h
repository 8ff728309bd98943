// SPDX-License-Identifier: Apache-2.0
// ObjectStore: the sandbox's etcd. Objects by resource, namespace and name; one global resourceVersion; a
// bounded history of changes per resource, from which watches read and old lists are rebuilt. Objects are
// stored without kind and apiVersion, as the API server leaves them out of list items. A stored object never
// changes: an update replaces it.
#pragma once

#include <compare>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/json.h"
#include "base/random.h"

namespace ferryman::sandbox {

using ObjectPtr = std::shared_ptr<const json::value>;

class ObjectKey {
 public:
  ObjectKey() = default;
  ObjectKey(std::string space_in, std::string name_in)
      : space(std::move(space_in)), name(std::move(name_in)) {}
  friend auto operator<=>(const ObjectKey&, const ObjectKey&) = default;

  [[nodiscard]] std::string str() const { return space.empty() ? name : space + "/" + name; }

  std::string space;  // the namespace; empty for cluster-scoped objects
  std::string name;
};

ObjectKey key_of(const json::value& object);

class Change {
 public:
  enum class Kind : std::uint8_t { added, modified, deleted };

  Change() = default;

  Kind kind = Kind::added;
  std::uint64_t version = 0;
  ObjectPtr object;  // of a deletion: the last state, with the deletion's resourceVersion
  ObjectPtr before;  // null for added
};

class ObjectStore {
 public:
  using Listener = std::function<void(std::string_view resource, const Change&)>;

  ObjectStore(Clock& clock, Random& random) : clock_(clock), random_(random) {}

  /// Called within each change, in the order of registration; a listener must not change the store.
  void listen(Listener listener) { listeners_.push_back(std::move(listener)); }

  /// Null when there is none.
  [[nodiscard]] ObjectPtr find(std::string_view resource, const ObjectKey& key) const;
  [[nodiscard]] std::vector<ObjectPtr> list(std::string_view resource) const;
  /// As it was at `version`; empty when that is older than the history.
  [[nodiscard]] std::optional<std::vector<ObjectPtr>> list_at(std::string_view resource,
                                                              std::uint64_t version) const;

  /// Sets uid, creationTimestamp and resourceVersion. Null when the name is taken.
  ObjectPtr create(std::string_view resource, json::value object);
  /// The object must exist. Keeps what a client cannot change; an update without a difference changes
  /// nothing.
  ObjectPtr update(std::string_view resource, const ObjectKey& key, json::value object);
  /// Null when there was none.
  ObjectPtr remove(std::string_view resource, const ObjectKey& key);

  [[nodiscard]] std::uint64_t version() const { return version_; }
  /// True when changes after `version` have been forgotten: 410 Expired.
  [[nodiscard]] bool expired(std::string_view resource, std::uint64_t version) const;
  [[nodiscard]] std::vector<Change> changes_after(std::string_view resource, std::uint64_t version) const;
  /// Forgets all history, as etcd's compaction does.
  void compact();
  /// Notified by each change of the resource.
  Signal& changed(std::string_view resource) { return *shelf(resource).changed; }

  std::string new_uid();
  /// As in generated names: five of the API server's 27 safe characters.
  std::string new_suffix();

 private:
  struct Shelf {
    std::map<ObjectKey, ObjectPtr> objects;
    std::deque<Change> history;
    std::uint64_t forgotten = 0;  // the version of the newest change that left the history
    std::unique_ptr<Signal> changed;
  };

  Shelf& shelf(std::string_view resource);
  [[nodiscard]] const Shelf* find_shelf(std::string_view resource) const;
  void record(std::string_view resource, Shelf& at, Change change);

  Clock& clock_;
  Random& random_;
  std::uint64_t version_ = 1;
  std::map<std::string, Shelf, std::less<>> shelves_;
  std::vector<Listener> listeners_;
};

}  // namespace ferryman::sandbox
