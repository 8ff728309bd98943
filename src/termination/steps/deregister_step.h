// SPDX-License-Identifier: Apache-2.0
// DeregisterStep: takes one instance out of its load balancers and waits until they let it go. The calls are
// shared with all instances that leave (balancers/departures.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "termination/balancers/departures.h"
#include "termination/balancers/membership.h"
#include "termination/claim.h"

namespace ferryman::termination::steps {

class DeregisterStep {
 public:
  DeregisterStep(Context& context, balancers::Membership& membership, balancers::Departures& departures,
                 InstanceId instance_id, Log log);
  DeregisterStep(const DeregisterStep&) = delete;
  DeregisterStep& operator=(const DeregisterStep&) = delete;
  ~DeregisterStep();

  /// An earlier run began with it: it may have deregistered what nobody noted.
  void resume() { resumed_ = true; }

  /// Where the instance is registered, as far as it can be told by the deadline. What is found is noted in
  /// the claim, which should be durable before `leave`. True when there is something new to note.
  Task<bool> find(Claim& claim, Deadline deadline);

  /// Deregisters what was found; returns when that is done or at the deadline. It goes on in any case.
  Task<void> leave(Deadline deadline);

  /// Until when balancers may send new requests to the node; the far future while that is not known.
  [[nodiscard]] SteadyTime quiet_at() const;

  /// It is out of everything, and nothing is sent to it any more.
  [[nodiscard]] bool is_out() const;
  /// What still holds the instance, in words; empty when it is out.
  [[nodiscard]] std::vector<std::string> held() const;
  /// Some load balancers could not be read: `find` and `leave` again.
  [[nodiscard]] bool knows_all() const { return unread_.empty(); }
  [[nodiscard]] SteadyTime find_again_at() const { return find_again_at_; }

  /// Notified whenever `is_out` may have changed.
  Signal& changed() { return departures_.changed(); }

 private:
  void recall(const Claim& claim);
  void add_unseen(const balancers::Pool& pool, std::uint16_t port);

  Context& context_;
  balancers::Membership& membership_;
  balancers::Departures& departures_;
  InstanceId instance_id_;
  Log log_;
  std::vector<balancers::Registration> found_;
  std::vector<std::string> unread_;
  bool resumed_ = false;
  std::optional<SteadyTime> since_;  // what is known of load balancers from before is too old
  int tries_ = 0;
  SteadyTime find_again_at_{};
  SteadyTime earlier_quiet_at_{};  // from a claim: what an earlier run deregistered
};

}  // namespace ferryman::termination::steps
