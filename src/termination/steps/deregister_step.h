// SPDX-License-Identifier: Apache-2.0
// DeregisterStep: takes one instance out of its load balancers and waits until they let it go. The calls are
// shared with all instances that leave (balancers/membership.h, balancers/departures.h).
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "termination/balancers/addresses.h"
#include "termination/balancers/departures.h"
#include "termination/balancers/membership.h"
#include "termination/claim.h"
#include "termination/plan.h"

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

  /// Notes what the index says already, so that one write carries it and the marks.
  void foresee(Claim& claim);
  /// What the index says at once, without a call. As `find`.
  bool find_known(Claim& claim);
  /// Where the instance is registered, as far as it can be told by the deadline. What is found is noted in
  /// the claim, which should be durable before `leave`. True when there is something new to note.
  Task<bool> find(Claim& claim, Deadline deadline);
  /// The last look before the completion: what was registered since, or again. As `find`, but that balancers
  /// which cannot be asked hold nobody.
  Task<bool> look_again(Claim& claim, Deadline deadline);
  /// The last look is not long ago.
  [[nodiscard]] bool looked_lately() const;
  /// When controllers have had the time to see the node's label; at once where they keep nothing.
  [[nodiscard]] SteadyTime look_at() const;

  /// Starts to deregister what was found, and how: again when the plan has changed.
  void leave(const Plan& plan);
  /// Until that is done or the deadline has come; it goes on in any case.
  Task<void> wait(Deadline deadline);

  /// What somebody else took out, before we did, is not ours to put back.
  void drop_others(Claim& claim) const;
  /// The node stays: nothing more is taken out. What a call is about to take out still is, until
  /// `calls_over`.
  void call_off(Claim& claim);
  Task<void> calls_over(Deadline deadline);
  [[nodiscard]] bool called_off() const { return called_off_; }

  /// Until when balancers may send new requests to the node; the far future while that is not known.
  [[nodiscard]] SteadyTime quiet_at() const;

  /// It is out of everything, and nothing is sent to it any more.
  [[nodiscard]] bool is_out() const;
  /// As quiet_at; but pods are not kept for ever for balancers that cannot be asked.
  [[nodiscard]] SteadyTime traffic_until() const;
  /// What still holds the instance, in words; empty when it is out.
  [[nodiscard]] std::vector<std::string> held() const;
  /// Some load balancers could not be read: `find` and `leave` again.
  [[nodiscard]] bool knows_all() const { return unread_.empty(); }
  [[nodiscard]] SteadyTime find_again_at() const { return find_again_at_; }

  /// Notified whenever `is_out` may have changed.
  Signal& changed() { return departures_.changed(); }

 private:
  [[nodiscard]] std::optional<SteadyTime> settled_in_at() const;
  [[nodiscard]] balancers::Sought sought() const;
  bool take(balancers::Found found, Claim& claim);
  bool note(Claim& claim) const;
  Task<void> learn_addresses(Deadline deadline);
  void recall(const Claim& claim);
  void recall_classic(const Claim& claim);
  void add_unseen(const balancers::Pool& pool, std::uint16_t port);

  Context& context_;
  balancers::Membership& membership_;
  balancers::Departures& departures_;
  InstanceId instance_id_;
  Log log_;
  std::vector<balancers::Registration> found_;
  std::vector<std::string> unread_;
  std::optional<balancers::Addresses> addresses_;
  bool resumed_ = false;
  bool called_off_ = false;
  std::optional<SteadyTime> asked_;   // when it was first asked: the node is marked by then
  std::optional<SteadyTime> looked_;  // the last look
  int tries_ = 0;
  SteadyTime traffic_limit_ = SteadyTime::max();
  SteadyTime find_again_at_{};
  SteadyTime earlier_quiet_at_{};  // from a claim: what an earlier run deregistered
};

}  // namespace ferryman::termination::steps
