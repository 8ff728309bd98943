// SPDX-License-Identifier: Apache-2.0
// The forms of Auto Scaling's query protocol: parameters with their checks, elements of the answers.
#pragma once

#include <pugixml.hpp>
#include <string>

#include "base/result.h"
#include "sandbox/aws/aws_call.h"
#include "sandbox/aws/groups.h"
#include "sandbox/aws/paging.h"

namespace ferryman::sandbox {

Error validation_error(std::string text);

/// MaxRecords and NextToken; `usual` is the size when none is named, `most` the largest.
Result<PageRequest> read_records_page(const AwsCall& call, std::size_t usual, std::size_t most);

/// Group, hook, token and instance of a heartbeat or a completion; the journal's details are filled in.
Result<ActionKey> read_action_key(AwsCall& call);

/// PutLifecycleHook's parameters on top of `hook` (the existing one, or a new one).
Result<GroupHook> read_hook(const AwsCall& call, GroupHook hook);

/// "true" or "false". Error: missing or of another form.
Result<bool> read_flag(const AwsCall& call, const std::string& name);

void write_group(pugi::xml_node member, const Group& group, const Instances& instances);
void write_group_tag(pugi::xml_node member, const std::string& group, const std::string& key,
                     const std::string& value);
void write_group_instance(pugi::xml_node member, const std::string& id, const std::string& state,
                          const std::string& zone);
void write_hook(pugi::xml_node member, const GroupHook& hook, const std::string& group);
void write_activity(pugi::xml_node activity, const ScalingActivity& what);

}  // namespace ferryman::sandbox
