// SPDX-License-Identifier: Apache-2.0
// Scene: one simulated world (AWS, Kubernetes) and the replicas of the whole daemon that run in it, in one
// process, without sockets, files or threads. The same seed and shape replay exactly.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/daemon.h"
#include "net/local_client.h"
#include "sandbox/aws/aws_handler.h"
#include "sandbox/kube/kube_handler.h"
#include "sandbox/promises.h"
#include "support/simulation.h"

namespace ferryman::sim {

class SceneShape {
 public:
  SceneShape() = default;

  int nodes = 3;
  int terminate = 1;
  int replicas = 4;  // of the one deployment, whose budget lets one go at a time
  std::chrono::seconds heartbeat_timeout{60};
  std::chrono::seconds pod_grace{30};
  Duration pod_end{std::chrono::seconds{5}};  // from SIGTERM to the end
  Duration ready_after{std::chrono::seconds{8}};
  bool budget = true;
  /// Every node is in each: the first target group is a network balancer's, the others are an application
  /// balancer's. None: nothing to leave.
  int target_groups = 2;
  int classic_elbs = 1;
  std::chrono::seconds deregistration_delay{20};
  std::vector<std::string> arguments;  // more flags for the daemon
  sandbox::PromiseTerms terms;
};

/// In memory: the kubeconfig and nothing else.
class SceneFiles final : public Files {
 public:
  Result<std::string> read(const std::string& path) override;
};

/// One daemon with its own way to the world.
class Replica {
 public:
  Replica(test::Simulation& sim, Scope& servers, std::uint64_t seed);

  /// As a crash does: nothing gets in or out any more.
  void cut() { client.cut(); }

  net::LocalClient client;
  Random random;
  test::LogCapture logs;
  Environment environment;
  SceneFiles files;
  NoPrograms programs;
  std::unique_ptr<app::Daemon> daemon;
  bool ended = false;
};

class Scene final : private sandbox::InstanceObserver {
 public:
  Scene(SceneShape shape, std::uint64_t seed);
  ~Scene() override;
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;

  /// A replica that starts now; `interceptor` may be null.
  Replica& start(net::CallInterceptor* interceptor = nullptr);

  /// Ends the first `shape.terminate` nodes through their group, as an operator does.
  void terminate();
  /// True when every ended instance is completed and the queue is empty.
  [[nodiscard]] bool over();
  /// Runs until `over`, at most `longest`, and a little longer so that last writes land.
  bool run_to_the_end(Duration longest);
  void advance(Duration duration) { sim_.clock.advance(duration); }
  /// Stops a replica as SIGTERM does; false when it did not end in time.
  bool stop(Replica& replica, Duration within);

  /// The promises that the record breaks, and what no record shows: children that failed, secrets in the log.
  [[nodiscard]] std::string broken();
  [[nodiscard]] std::size_t count(std::string_view service, std::string_view operation,
                                  std::string_view outcome = "ok") const;

  /// What `broken` judges by; may be changed while the scene runs.
  sandbox::PromiseTerms& terms() { return shape_.terms; }
  test::Simulation& sim() { return sim_; }
  sandbox::AwsWorld& aws() { return aws_; }
  sandbox::KubeWorld& kube() { return kube_; }
  sandbox::Queue& queue() { return *aws_.queues().find("ferryman"); }
  [[nodiscard]] const sandbox::Journal& journal() const { return journal_; }
  [[nodiscard]] const std::vector<InstanceId>& instances() const { return instances_; }
  [[nodiscard]] const std::vector<std::unique_ptr<Replica>>& replicas() const { return replicas_; }

 private:
  void furnish();
  void add_balancers();
  Task<void> watch(Replica& replica);
  void instance_shutting_down(const sandbox::Ec2Instance& instance) override;
  void instance_terminated(const sandbox::Ec2Instance& instance) override;

  SceneShape shape_;
  std::uint64_t seed_;
  test::Simulation sim_;
  Scope servers_{sim_.clock, sim_.log};
  Random chance_;
  sandbox::Journal journal_{sim_.clock};
  sandbox::Timeline timeline_{sim_.clock, servers_};
  sandbox::AwsWorld aws_{timeline_, chance_, journal_};
  sandbox::KubeWorld kube_{sim_.clock, chance_, servers_, journal_};
  sandbox::AccessKeys keys_{chance_, aws_.settings()};
  sandbox::AwsHandler aws_handler_{aws_, keys_};
  sandbox::KubeHandler kube_handler_{kube_};
  std::vector<InstanceId> instances_;
  std::vector<std::unique_ptr<Replica>> replicas_;
};

}  // namespace ferryman::sim
