// SPDX-License-Identifier: Apache-2.0
// ObjectRows: a list's items as values. One that cannot be parsed ends the list; one that `read` wants not is
// passed over.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json.h"
#include "kube/list_stream.h"

namespace ferryman::kube {

template <class T>
class ObjectRows final : public ListRows {
 public:
  /// `what` names an item in errors ("a Service"); both must outlive this.
  ObjectRows(std::string_view what, std::optional<T> (*read)(const json::value&))
      : what_(what), read_(read) {}

  void begin() override { rows.clear(); }

  Result<void> item(std::string_view text) override {
    const auto object = parse_json(text);
    if (!object) {
      return Error(Fault::unexpected, std::string(what_) + " in the list is " + object.error().text);
    }
    if (auto row = read_(*object)) rows.push_back(std::move(*row));
    return {};
  }

  std::vector<T> rows;

 private:
  std::string_view what_;
  std::optional<T> (*read_)(const json::value&);
};

}  // namespace ferryman::kube
