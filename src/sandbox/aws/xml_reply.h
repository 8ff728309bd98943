// SPDX-License-Identifier: Apache-2.0
// XmlReply: the answers of the query protocols, built element by element.
#pragma once

#include <pugixml.hpp>
#include <string>

#include "sandbox/aws/aws_call.h"

namespace ferryman::sandbox {

/// Query: <OpResponse><OpResult>…</OpResult><ResponseMetadata>…; EC2: <OpResponse><requestId/>….
class XmlReply {
 public:
  explicit XmlReply(const AwsCall& call);

  /// Where the operation's own elements go.
  pugi::xml_node& result() { return result_; }
  /// For operations that answer nothing, where the service leaves the element out.
  void drop_result();
  [[nodiscard]] std::string text() const;

 private:
  pugi::xml_document document_;
  pugi::xml_node result_;
};

/// Appends <name>text</name>.
void add_text(pugi::xml_node parent, const char* name, const std::string& text);
void add_text(pugi::xml_node parent, const char* name, long long number);

/// The body of a refusal.
std::string xml_refusal(const AwsCall& call, const Error& error, bool sender);

}  // namespace ferryman::sandbox
