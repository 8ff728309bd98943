// SPDX-License-Identifier: Apache-2.0
#include "aws/queue_address.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "aws/partitions.h"
#include "aws/region.h"
#include "net/url.h"

namespace ferryman::aws {

namespace {

constexpr std::size_t account_digits = 12;

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(separator, start), text.size());
    parts.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return parts;
}

/// "us-west-2", "cn-north-1", "eusc-de-east-1": parts joined by hyphens, a number last.
bool looks_like_region(std::string_view label) {
  return is_region_name(label) && label.find('-') != std::string_view::npos && label.back() >= '0' &&
         label.back() <= '9';
}

bool is_account(std::string_view text) {
  return text.size() == account_digits && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_CreateQueue.html
bool is_queue_name(std::string_view text) {
  constexpr std::size_t longest = 80;
  constexpr std::string_view fifo = ".fifo";
  if (text.size() > longest) return false;
  if (text.ends_with(fifo)) text.remove_suffix(fifo.size());
  const auto allowed = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '-' || c == '_';
  };
  return !text.empty() && std::ranges::all_of(text, allowed);
}

Error no_address(std::string_view text, std::string_view what) {
  return {
      Fault::invalid,
      fmt::format("\"{}\" is no {}; write it like https://sqs.us-west-2.amazonaws.com/123456789012/ferryman, "
                  "arn:aws:sqs:us-west-2:123456789012:ferryman or, for a queue of the own account, ferryman",
                  text, what)};
}

/// "arn:aws:sqs:us-west-2:123456789012:ferryman"
Result<QueueAddress> parse_arn(std::string_view text) {
  const auto parts = split(text, ':');
  const bool sound = parts.size() == 6 && !parts[1].empty() && parts[2] == "sqs" &&
                     is_region_name(parts[3]) && is_account(parts[4]) && is_queue_name(parts[5]);
  if (!sound) return no_address(text, "queue's ARN");
  QueueAddress address;
  address.region = parts[3];
  address.account = parts[4];
  address.name = parts[5];
  address.url = fmt::format("https://sqs.{}.{}/{}/{}", address.region, partition_of(address.region).suffix,
                            address.account, address.name);
  address.is_arn = true;
  return address;
}

Result<QueueAddress> parse_queue_url(std::string_view text) {
  const auto url = net::parse_url(text);
  if (!url || url->path.size() <= 1 || url->path.ends_with('/')) return no_address(text, "queue's URL");
  const auto parts = split(url->path, '/');
  QueueAddress address;
  address.url = text;
  address.name = parts.back();
  address.region = region_of_queue_url(text);
  if (is_account(parts[parts.size() - 2])) address.account = parts[parts.size() - 2];
  return address;
}

}  // namespace

std::string region_of_queue_url(std::string_view queue_url) {
  const auto url = net::parse_url(queue_url);
  if (!url) return {};
  const auto labels = split(url->host, '.');
  for (std::size_t i = 0; i + 1 < labels.size(); ++i) {
    const bool current = labels[i] == "sqs" || labels[i] == "sqs-fips";
    if (current && looks_like_region(labels[i + 1])) return std::string(labels[i + 1]);
    if (labels[i + 1] == "queue" && looks_like_region(labels[i])) return std::string(labels[i]);
  }
  return url->host == "queue.amazonaws.com" ? "us-east-1" : "";
}

std::string account_of_arn(std::string_view arn) {
  const auto parts = split(arn, ':');
  return parts.size() >= 6 && is_account(parts[4]) ? std::string(parts[4]) : std::string();
}

Result<QueueAddress> parse_queue_address(std::string_view text) {
  if (text.starts_with("arn:")) return parse_arn(text);
  if (text.find("://") != std::string_view::npos) return parse_queue_url(text);
  if (!is_queue_name(text)) return no_address(text, "queue's URL, ARN or name");
  QueueAddress address;
  address.name = text;
  return address;
}

}  // namespace ferryman::aws
