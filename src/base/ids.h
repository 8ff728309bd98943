// SPDX-License-Identifier: Apache-2.0
// Strong names for the strings that must not be mixed up.
#pragma once

#include <compare>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace ferryman {

template <class Tag>
class Id {
 public:
  Id() = default;
  explicit Id(std::string text) : text_(std::move(text)) {}

  [[nodiscard]] const std::string& str() const { return text_; }
  [[nodiscard]] bool empty() const { return text_.empty(); }
  friend auto operator<=>(const Id&, const Id&) = default;

 private:
  std::string text_;
};

/// An EC2 instance id: "i-" and 8 or 17 hexadecimal digits. Make one from foreign text with
/// parse_instance_id.
using InstanceId = Id<struct InstanceIdTag>;

/// A Kubernetes object's UID: the same name with another UID is another object.
using Uid = Id<struct UidTag>;

/// Empty when `text` is not an instance id.
std::optional<InstanceId> parse_instance_id(std::string_view text);

/// The instance id at the end of a Node's spec.providerID ("aws:///us-west-2a/i-0123456789abcdef0").
std::optional<InstanceId> instance_id_of_provider(std::string_view provider_id);

}  // namespace ferryman

template <class Tag>
struct std::hash<ferryman::Id<Tag>> {
  std::size_t operator()(const ferryman::Id<Tag>& id) const { return std::hash<std::string>{}(id.str()); }
};
