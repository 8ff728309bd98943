// SPDX-License-Identifier: Apache-2.0
// ContinuedService: after a deregistration a load balancer goes on sending new requests to the target for a
// while, whatever the deregistration delay and the target's state say: 5 to 20 s (application and classic),
// 60 to 130 s (network and gateway), by chance. Facts: traffic.ended when that is over; traffic.lost when a
// machine stops that some balancer still sends new requests to; with instance (or ip), group and port.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "sandbox/aws/aws_settings.h"
#include "sandbox/aws/target_key.h"
#include "sandbox/journal.h"
#include "sandbox/timeline.h"

namespace ferryman::sandbox {

class ContinuedService {
 public:
  /// All must outlive it.
  ContinuedService(Timeline& timeline, Journal& journal, const AwsSettings& settings)
      : timeline_(timeline), journal_(journal), settings_(settings), random_(settings.seed) {}

  /// The target has just left the pool. `type`: the balancer's, "application", "network", "gateway",
  /// "classic".
  void begin(const std::string& pool, const TargetKey& target, std::string_view type);
  /// Nobody is there any more, and the balancer has noticed.
  void end(const std::string& pool, const TargetKey& target);

  [[nodiscard]] bool holds(const std::string& pool, const TargetKey& target) const;
  /// Those that left the pool and still get new requests.
  [[nodiscard]] std::vector<TargetKey> of(const std::string& pool) const;

  /// The pools that still send to an instance or address which left them.
  [[nodiscard]] std::vector<std::pair<std::string, TargetKey>> still_sent_to(const std::string& id) const;

  void lost(const std::string& pool, const TargetKey& target, std::string why);

 private:
  void fact(const char* what, const std::string& pool, const TargetKey& target, std::string why);

  Timeline& timeline_;
  Journal& journal_;
  const AwsSettings& settings_;
  Random random_;  // of its own: the world's other chances stay what they are
  std::map<std::string, std::map<TargetKey, Timeline::Ticket>> pools_;
};

}  // namespace ferryman::sandbox
