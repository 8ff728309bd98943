// SPDX-License-Identifier: Apache-2.0
// Scene: one simulated world (AWS, and one or more Kubernetes clusters on one queue) and the replicas of the
// whole daemon that run in it, in one process, without sockets, files or threads. The same seed and shape
// replay exactly.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sandbox/aws/aws_handler.h"
#include "sim/scene_cluster.h"

namespace ferryman::sim {

class Scene final {
 public:
  /// With one cluster, "sim".
  Scene(SceneShape shape, std::uint64_t seed);
  ~Scene();
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;

  /// Another cluster in the same account and region, on the same queue. Its group is NAME-workers.
  SceneCluster& add_cluster(const std::string& name, SceneShape shape);

  /// A replica that starts now; `interceptor` may be null.
  Replica& start(net::CallInterceptor* interceptor = nullptr) { return start(cluster(), interceptor); }
  Replica& start(SceneCluster& cluster, net::CallInterceptor* interceptor = nullptr);

  /// Ends the first `shape.terminate` nodes through their group, as an operator does.
  void terminate();
  /// True when every ended instance is completed and the queue is empty.
  [[nodiscard]] bool over();
  /// Runs until `over`, at most `longest`, and a little longer so that last writes land.
  bool run_to_the_end(Duration longest);
  void advance(Duration duration) { sim_.clock.advance(duration); }
  /// Advances in steps of 100 ms until `done` or so long; gives the seconds that it took.
  double advance_until(const std::function<bool()>& done, Duration longest);
  /// Stops a replica as SIGTERM does; false when it did not end in time.
  bool stop(Replica& replica, Duration within);

  /// The promises that the record breaks, and what no record shows: children that failed, secrets in the log.
  [[nodiscard]] std::string broken() { return broken(cluster()); }
  /// Those that this cluster's daemons broke.
  [[nodiscard]] std::string broken(SceneCluster& cluster);
  [[nodiscard]] std::size_t count(std::string_view service, std::string_view operation,
                                  std::string_view outcome = "ok") const;

  SceneCluster& cluster(std::size_t n = 0) { return *clusters_.at(n); }
  /// What `broken` judges by; may be changed while the scene runs.
  sandbox::PromiseTerms& terms() { return cluster().terms(); }
  test::Simulation& sim() { return sim_; }
  sandbox::AwsWorld& aws() { return stage_.aws; }
  sandbox::KubeWorld& kube() { return cluster().kube(); }
  sandbox::Queue& queue() { return *aws().queues().find("ferryman"); }
  [[nodiscard]] const sandbox::Journal& journal() const { return stage_.journal; }
  [[nodiscard]] const std::vector<InstanceId>& instances() { return cluster().instances(); }
  [[nodiscard]] const std::vector<std::unique_ptr<Replica>>& replicas() const { return replicas_; }

 private:
  Task<void> watch(Replica& replica);

  std::uint64_t seed_;
  test::Simulation sim_;
  Scope servers_{sim_.clock, sim_.log};
  SceneStage stage_;
  sandbox::AwsHandler aws_handler_{stage_.aws, stage_.keys};
  std::vector<std::unique_ptr<SceneCluster>> clusters_;
  std::vector<std::unique_ptr<Replica>> replicas_;
};

}  // namespace ferryman::sim
