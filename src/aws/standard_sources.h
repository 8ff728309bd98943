// SPDX-License-Identifier: Apache-2.0
// The SDKs' order of credential sources behind the settings: environment, web identity, shared profile,
// container endpoint, instance metadata (docs/adr/0011-credentials.md).
#pragma once

#include "aws/credential_chain.h"
#include "aws/instance_metadata.h"
#include "aws/sts.h"
#include "base/files.h"

namespace ferryman::aws {

/// All must outlive the sources. STS: of the region, without credentials.
CredentialChain::Sources standard_sources(const CallContext& context, const Environment& environment,
                                          Files& files, Sts& sts, InstanceMetadata& metadata);

}  // namespace ferryman::aws
