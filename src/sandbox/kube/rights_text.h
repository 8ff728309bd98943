// SPDX-License-Identifier: Apache-2.0
// Rights in one line, for flags, scenarios and the control API:
// "nodes:get,list,patch pods/eviction:create leases.coordination.k8s.io:*". A resource as kubectl writes it,
// with a name behind "=" when the right is for one object only; "*:*" is everything.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "sandbox/kube/object_store.h"

namespace ferryman::sandbox {

/// The PolicyRules of a ClusterRole. Error (invalid): what cannot be read, and the form.
Result<json::array> read_rights(std::string_view text);

/// Makes or replaces a ClusterRole and its binding to the user, both called "sandbox:<user>".
void grant(ObjectStore& objects, const std::string& user, json::array rules);

}  // namespace ferryman::sandbox
