// SPDX-License-Identifier: Apache-2.0
// The query protocol's XML, read from strangers: elements that we do not know are ignored, those that we need
// and miss are an Error{unexpected} that names them. Hides pugixml.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ferryman::aws {

/// A view of one element; valid as long as its XmlDocument.
class XmlElement {
 public:
  XmlElement() = default;

  /// False for what was looked up and not found; looking into it further is allowed.
  [[nodiscard]] bool exists() const { return node_ != nullptr; }
  [[nodiscard]] std::string_view name() const;
  /// By child names joined by "/": "DescribeInstancesResult/nextToken".
  [[nodiscard]] XmlElement at(std::string_view path) const;
  /// All children of that name, in order.
  [[nodiscard]] std::vector<XmlElement> children(std::string_view child) const;
  /// The text of the element at `path`; empty when there is none.
  [[nodiscard]] std::string text(std::string_view path) const;
  /// Error: unexpected, when the element is missing or empty.
  [[nodiscard]] Result<std::string> required(std::string_view path) const;
  /// Error: unexpected, when the element is missing or no whole number.
  [[nodiscard]] Result<long long> required_number(std::string_view path) const;

 private:
  friend class XmlDocument;
  explicit XmlElement(void* node) : node_(node) {}

  void* node_ = nullptr;  // pugi's own handle
};

class XmlDocument {
 public:
  XmlDocument(XmlDocument&&) noexcept;
  XmlDocument& operator=(XmlDocument&&) noexcept;
  ~XmlDocument();

  /// Error: unexpected, when the text is no XML or ends too early.
  static Result<XmlDocument> parse(std::string_view text);

  [[nodiscard]] XmlElement root() const;
  /// The root, which must have this name. Error: unexpected.
  [[nodiscard]] Result<XmlElement> root(std::string_view name) const;

 private:
  struct Impl;
  explicit XmlDocument(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace ferryman::aws
