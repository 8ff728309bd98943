// SPDX-License-Identifier: Apache-2.0
// QueryAnswer: the frame that all answers of the query protocol share:
// <OperationResponse><OperationResult>…</OperationResult><ResponseMetadata/></OperationResponse>.
#pragma once

#include <string_view>
#include <vector>

#include "aws/xml.h"

namespace ferryman::aws {

class QueryAnswer {
 public:
  /// Error: unexpected, when the text is no answer of that operation.
  static Result<QueryAnswer> parse(std::string_view body, std::string_view operation);

  /// Valid as long as this; does not exist when the answer has no content.
  [[nodiscard]] const XmlElement& result() const { return result_; }
  /// Error: unexpected, when it does not exist.
  [[nodiscard]] Result<XmlElement> content() const;

 private:
  QueryAnswer(XmlDocument document, XmlElement result) : document_(std::move(document)), result_(result) {}

  XmlDocument document_;
  XmlElement result_;
};

/// The list's members, each read by `read`; the first that cannot be read is the error.
template <class T>
Result<std::vector<T>> read_members(const XmlElement& list, Result<T> (*read)(const XmlElement&)) {
  std::vector<T> all;
  for (const XmlElement& member : list.children("member")) {
    auto one = read(member);
    if (!one) return std::move(one).error();
    all.push_back(std::move(*one));
  }
  return all;
}

}  // namespace ferryman::aws
