// SPDX-License-Identifier: Apache-2.0
// The samples, broken in ten thousand ways: none crashes anything, and what parses can be explained and aged.
#include <gtest/gtest.h>

#include <array>
#include <boost/json/serialize.hpp>

#include "base/json.h"
#include "base/random.h"
#include "termination/explain.h"
#include "termination/useful_life.h"
#include "unit/termination/builders.h"

namespace ferryman::termination {
namespace {

constexpr std::array samples = {
    "direct-asg-terminate-lifecycle",
    "direct-asg-test-notification",
    "eventbridge-asg-launch-lifecycle",
    "eventbridge-asg-terminate-lifecycle-warm-pool",
    "eventbridge-asg-terminate-lifecycle",
    "eventbridge-capacity-reservation-interruption",
    "eventbridge-health-other-service",
    "eventbridge-health-scheduled-change-backup-region",
    "eventbridge-health-scheduled-change-closed",
    "eventbridge-health-scheduled-change",
    "eventbridge-rebalance-recommendation",
    "eventbridge-spot-interruption-hibernate",
    "eventbridge-spot-interruption",
    "eventbridge-state-change-running",
    "eventbridge-state-change-shutting-down",
    "eventbridge-state-change-stopped",
    "eventbridge-state-change-stopping",
    "eventbridge-state-change-terminated",
    "sns-wrapped-asg-terminate-lifecycle",
};
constexpr int mutations = 10'000;

std::string flipped(std::string text, Random& random) {
  for (std::uint64_t n = 1 + random.below(4); n > 0; --n)
    text[random.below(text.size())] ^= static_cast<char>(1U << random.below(8));
  return text;
}

std::string cut(std::string text, Random& random) {
  text.resize(random.below(text.size()));
  return text;
}

std::string doubled(const std::string& text, Random& random) {
  const std::size_t from = random.below(text.size());
  const std::string span = text.substr(from, 1 + random.below(100));
  return text.substr(0, from) + span + span + text.substr(from);
}

/// Every value in the document, in its order.
void collect(json::value& value, std::vector<json::value*>& into) {
  into.push_back(&value);
  if (value.is_object()) {
    for (auto& member : value.get_object()) collect(member.value(), into);
  } else if (value.is_array()) {
    for (json::value& element : value.get_array()) collect(element, into);
  }
}

/// One value takes another's place, or that of something that is never there.
std::string swapped(const std::string& text, Random& random) {
  json::value body = *parse_json(text);
  std::vector<json::value*> all;
  collect(body, all);
  const json::array strange = {nullptr,
                               true,
                               -1,
                               1e300,
                               json::array(),
                               json::object(),
                               "",
                               std::string(1, '\0'),
                               std::string(300, 'x')};
  const bool by_another = random.below(2) == 0;
  const json::value value =
      by_another ? *all[random.below(all.size())] : strange[random.below(strange.size())];
  *all[random.below(all.size())] = value;
  return json::serialize(body);
}

std::string mutated(const std::string& text, Random& random) {
  switch (random.below(4)) {
    case 0:
      return flipped(text, random);
    case 1:
      return cut(text, random);
    case 2:
      return doubled(text, random);
    default:
      return swapped(text, random);
  }
}

void check(const parse::ParsedMessage& message, const std::string& body) {
  EXPECT_EQ(message.events.empty(), message.content != parse::Content::events) << body;
  EXPECT_EQ(message.because.empty(), !message.events.empty()) << body;
  for (const Event& event : message.events) {
    EXPECT_TRUE(parse_instance_id(event.instance_id.str())) << body;
    EXPECT_NE(event.key(), "") << body;
    EXPECT_GE(end_of_life(message), end_of_life(event)) << body;
  }
  const MessageExplanation explanation = explain(message, Policy());
  EXPECT_EQ(explanation.events.size(), message.events.size()) << body;
  for (const EventExplanation& about : explanation.events) EXPECT_FALSE(about.reasons.empty()) << body;
}

TEST(Mutations, TenThousandOfThemCrashNothing) {
  Random random(5);
  int parsed = 0;
  int refused = 0;
  for (int i = 0; i < mutations && !testing::Test::HasFailure(); ++i) {
    const std::string body =
        mutated(test::sample(samples.at(static_cast<std::size_t>(i) % samples.size())), random);
    const auto message = parse::parse_message(body);
    message ? ++parsed : ++refused;
    if (message) check(*message, body);
    if (!message) EXPECT_EQ(message.error().fault, Fault::invalid) << body;
  }
  EXPECT_GT(parsed, mutations / 10);  // else they are too wild to reach the parsers
  EXPECT_GT(refused, mutations / 10);
}

}  // namespace
}  // namespace ferryman::termination
