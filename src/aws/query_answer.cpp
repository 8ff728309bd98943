// SPDX-License-Identifier: Apache-2.0
#include "aws/query_answer.h"

#include <fmt/format.h>

namespace ferryman::aws {

Result<QueryAnswer> QueryAnswer::parse(std::string_view body, std::string_view operation) {
  auto document = XmlDocument::parse(body);
  if (!document) return std::move(document).error();
  const auto root = document->root(fmt::format("{}Response", operation));
  if (!root) return root.error();
  const XmlElement result = root->at(fmt::format("{}Result", operation));
  return QueryAnswer(std::move(*document), result);
}

Result<XmlElement> QueryAnswer::content() const {
  if (result_.exists()) return result_;
  return Error(Fault::unexpected, "the answer has no result");
}

}  // namespace ferryman::aws
