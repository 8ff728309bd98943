// SPDX-License-Identifier: Apache-2.0
#include "termination/parse/envelope.h"

#include <fmt/format.h>

#include "base/text.h"

namespace ferryman::termination::parse {

namespace {

// SQS's own limit since 2025:
// https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-messages.html
constexpr std::size_t largest_body = std::size_t{1} << 20U;
constexpr std::size_t longest_id = 255;  // EventBridge's are UUIDs
constexpr std::size_t longest_shown = 64;

}  // namespace

Result<Envelope> parse_envelope(std::string_view body) {
  if (body.size() > largest_body) {
    return Error(Fault::invalid, fmt::format("the body has {} bytes, more than SQS carries", body.size()));
  }
  auto parsed = parse_json(body);
  if (!parsed) return std::move(parsed).error();
  const json::value& root = *parsed;
  if (!root.is_object()) return Error(Fault::invalid, "the body is JSON but no object");

  Envelope envelope;
  envelope.id = string_at(root, "id");
  envelope.source = string_at(root, "source");
  envelope.detail_type = string_at(root, "detail-type");
  envelope.account = string_at(root, "account");
  envelope.region = string_at(root, "region");
  if (envelope.source.empty() || envelope.detail_type.empty()) {
    return Error(Fault::invalid, "no EventBridge event: \"source\" or \"detail-type\" is missing");
  }
  if (envelope.id.size() > longest_id) return Error(Fault::invalid, "\"id\" is too long");
  const std::string_view text = string_at(root, "time");
  const auto time = parse_rfc3339(text);
  if (!time) {
    return Error(Fault::invalid,
                 fmt::format("\"time\" is no RFC 3339 time: \"{}\"", shortened(text, longest_shown)));
  }
  envelope.time = *time;
  if (const json::value* detail = find(root, "detail")) envelope.detail = *detail;
  return envelope;
}

}  // namespace ferryman::termination::parse
