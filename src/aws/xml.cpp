// SPDX-License-Identifier: Apache-2.0
#include "aws/xml.h"

#include <fmt/format.h>

#include <charconv>
#include <pugixml.hpp>

namespace ferryman::aws {

namespace {

pugi::xml_node node_of(void* handle) {
  return pugi::xml_node(static_cast<pugi::xml_node_struct*>(handle));
}

pugi::xml_node child_of(const pugi::xml_node& parent, std::string_view name) {
  for (const pugi::xml_node& child : parent.children()) {
    if (child.name() == name) return child;
  }
  return {};
}

}  // namespace

std::string_view XmlElement::name() const {
  return node_of(node_).name();
}

XmlElement XmlElement::at(std::string_view path) const {
  pugi::xml_node node = node_of(node_);
  while (!path.empty() && node) {
    const std::string_view step = path.substr(0, path.find('/'));
    path.remove_prefix(std::min(step.size() + 1, path.size()));
    node = child_of(node, step);
  }
  return XmlElement(node.internal_object());
}

std::vector<XmlElement> XmlElement::children(std::string_view child) const {
  std::vector<XmlElement> found;
  for (const pugi::xml_node& node : node_of(node_).children()) {
    if (node.name() == child) found.push_back(XmlElement(node.internal_object()));
  }
  return found;
}

std::string XmlElement::text(std::string_view path) const {
  return node_of(at(path).node_).child_value();
}

Result<std::string> XmlElement::required(std::string_view path) const {
  std::string value = text(path);
  if (!value.empty()) return value;
  return Error(Fault::unexpected, fmt::format("the answer's <{}> has no {}", name(), path));
}

Result<long long> XmlElement::required_number(std::string_view path) const {
  const std::string value = text(path);
  long long number = 0;
  const auto parsed = std::from_chars(value.data(), value.data() + value.size(), number);
  if (!value.empty() && parsed.ec == std::errc() && parsed.ptr == value.data() + value.size()) return number;
  return Error(Fault::unexpected, fmt::format("the answer's <{}> has no number {}", name(), path));
}

struct XmlDocument::Impl {
  pugi::xml_document document;
};

XmlDocument::XmlDocument(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
XmlDocument::XmlDocument(XmlDocument&&) noexcept = default;
XmlDocument& XmlDocument::operator=(XmlDocument&&) noexcept = default;
XmlDocument::~XmlDocument() = default;

Result<XmlDocument> XmlDocument::parse(std::string_view text) {
  auto impl = std::make_unique<Impl>();
  const auto parsed =
      impl->document.load_buffer(text.data(), text.size(), pugi::parse_default, pugi::encoding_utf8);
  if (!parsed) {
    return Error(Fault::unexpected,
                 fmt::format("the answer is not XML: {} at byte {}", parsed.description(), parsed.offset));
  }
  return XmlDocument(std::move(impl));
}

XmlElement XmlDocument::root() const {
  return XmlElement(impl_->document.document_element().internal_object());
}

Result<XmlElement> XmlDocument::root(std::string_view name) const {
  const XmlElement element = root();
  if (element.name() == name) return element;
  constexpr std::size_t shown = 60;  // a stranger's name may be of any length
  return Error(Fault::unexpected, fmt::format("the answer is <{}> where <{}> was expected",
                                              element.name().substr(0, shown), name));
}

}  // namespace ferryman::aws
