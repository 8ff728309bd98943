// SPDX-License-Identifier: Apache-2.0
// InstanceCredentials: the keys of the instance's role, from instance metadata. In a cluster these are the
// node's, shared by all its pods: the last resort.
#pragma once

#include "aws/credentials.h"
#include "aws/instance_metadata.h"

namespace ferryman::aws {

class InstanceCredentials final : public CredentialSource {
 public:
  /// The metadata must outlive this.
  explicit InstanceCredentials(InstanceMetadata& metadata) : metadata_(metadata) {}

  [[nodiscard]] std::string_view name() const override { return "instance metadata"; }
  Task<Result<Credentials>> fetch(Deadline deadline) override;

 private:
  InstanceMetadata& metadata_;
};

}  // namespace ferryman::aws
