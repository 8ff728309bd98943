// SPDX-License-Identifier: Apache-2.0
// PodWatch: one watch over the metadata of all pods, running only while somebody looks at a node. It tells
// the views (kube/node_pods) what happened to pods by name; which pods a node has, each view lists by itself.
#pragma once

#include <cstdint>
#include <deque>
#include <list>
#include <string>

#include "kube/reflector.h"

namespace ferryman::kube {

class NodePods;

/// What the watch says about one pod.
class PodEvent {
 public:
  PodEvent() = default;

  std::string pod_namespace;
  std::string name;
  Uid uid;
  std::uint64_t version = 0;
  bool deleted = false;
  bool terminating = false;
};

class PodWatch final : public ReflectorTarget {
 public:
  explicit PodWatch(Context context);

  /// What to watch: metadata only; a server that cannot cut objects down sends whole pods.
  static Call call();

  /// A list under way: it may be older or newer than an event that comes meanwhile, so events are remembered,
  /// once for all views, until no list is under way.
  class Listing {
   public:
    explicit Listing(PodWatch& watch) : watch_(watch) { ++watch_.lists_under_way_; }
    Listing(const Listing&) = delete;
    Listing& operator=(const Listing&) = delete;
    ~Listing() {
      if (--watch_.lists_under_way_ == 0) watch_.recent_.clear();
    }

   private:
    PodWatch& watch_;
  };
  [[nodiscard]] const std::deque<PodEvent>& recent() const { return recent_; }
  /// The version of the newest event that is remembered no more: an older list has to be made again.
  [[nodiscard]] std::uint64_t forgotten() const { return forgotten_; }

  /// A view is here from its making to its end.
  void join(NodePods& view);
  void leave(NodePods& view);
  /// A view has a list: the watch may start from it.
  void listed() { wanted_.notify_all(); }

  /// A list older than this misses events that no watch will bring.
  [[nodiscard]] std::uint64_t start() const { return start_; }
  [[nodiscard]] Context& context() { return context_; }

  Task<Result<std::string>> list() override;
  bool apply(const WatchEvent& event) override;
  void lost() override;
  [[nodiscard]] bool wanted() const override;
  Signal& wanted_changed() override { return wanted_; }

 private:
  Context context_;
  void remember(PodEvent event);

  std::list<NodePods*> views_;
  Signal wanted_;
  std::uint64_t start_ = 0;
  std::deque<PodEvent> recent_;
  std::uint64_t forgotten_ = 0;
  int lists_under_way_ = 0;
};

}  // namespace ferryman::kube
