// SPDX-License-Identifier: Apache-2.0
// StaticCredentials: keys given in the settings. They never expire.
#pragma once

#include "aws/credentials.h"

namespace ferryman::aws {

class StaticCredentials final : public CredentialSource {
 public:
  /// An empty access_key_id means that the settings name none.
  explicit StaticCredentials(Credentials credentials) : credentials_(std::move(credentials)) {}

  [[nodiscard]] std::string_view name() const override { return "settings"; }
  Task<Result<Credentials>> fetch(Deadline deadline) override;

 private:
  Credentials credentials_;
};

}  // namespace ferryman::aws
