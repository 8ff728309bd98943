// SPDX-License-Identifier: Apache-2.0
#include "sim/scene_events.h"

#include <algorithm>
#include <cmath>

#include "sandbox/aws/fresh_ids.h"
#include "sandbox/promise_records.h"

namespace ferryman::sim {

sandbox::EventStamp SceneEvents::stamp() {
  return sandbox::EventStamp(sandbox::fresh_uuid(scene_.aws().random()), scene_.sim().clock.wall());
}

/// EC2 need not know it.
sandbox::Ec2Instance SceneEvents::described(const InstanceId& id) {
  const sandbox::Ec2Instance* known = scene_.aws().instances().find(id);
  if (known != nullptr) return *known;
  sandbox::Ec2Instance instance;
  instance.id = id;
  instance.zone = "us-west-2a";
  return instance;
}

std::string SceneEvents::spot(const InstanceId& id, const std::string& action) {
  return body(sandbox::spot_interruption_event(described(id), action, stamp(), scene_.aws().settings()));
}

std::string SceneEvents::rebalance(const InstanceId& id) {
  return body(sandbox::rebalance_event(described(id), stamp(), scene_.aws().settings()));
}

std::string SceneEvents::state_change(const InstanceId& id, const std::string& state) {
  return body(sandbox::state_change_event(id, state, stamp(), scene_.aws().settings()));
}

std::string SceneEvents::lifecycle(const InstanceId& id, const std::string& group, const std::string& hook) {
  sandbox::LifecycleNotice notice;
  notice.group = group;
  notice.group_arn =
      "arn:aws:autoscaling:us-west-2:123456789012:autoScalingGroup:x:autoScalingGroupName/" + group;
  notice.hook = hook;
  notice.token = sandbox::fresh_uuid(scene_.aws().random());
  notice.transition = "autoscaling:EC2_INSTANCE_TERMINATING";
  notice.instance_id = id;
  return body(sandbox::lifecycle_event(notice, stamp(), scene_.aws().settings()));
}

std::vector<InstanceId> SceneEvents::foreign(int n, Foreign kind) {
  std::vector<InstanceId> ids;
  for (int i = 0; i < n; ++i) {
    sandbox::LaunchSpec launch;
    launch.id = sandbox::fresh_instance_id(scene_.aws().random());
    launch.running = true;
    if (kind == Foreign::other_clusters) launch.tags["kubernetes.io/cluster/elsewhere"] = "owned";
    if (kind != Foreign::unknown) scene_.aws().instances().launch(launch);
    ids.push_back(launch.id);
  }
  return ids;
}

std::map<std::string, SteadyTime> claim_times(const sandbox::Journal& journal) {
  std::map<std::string, SteadyTime> times;
  for (const sandbox::JournalEntry& entry : journal.entries()) {
    const bool claims = entry.service == "kubernetes" && entry.operation == "nodes.patch" &&
                        entry.outcome == "ok" && sandbox::detail(entry, "claim") == "present";
    if (claims) times.try_emplace(entry.subject, entry.at);
  }
  return times;
}

namespace {

void note_removal(std::map<std::string, MessageStory>& stories, const sandbox::JournalEntry& entry) {
  MessageStory& story = stories[entry.subject];
  if (story.removed || sandbox::detail(entry, "deleted") == "false") return;
  story.removed = entry.at;
  story.remover = sandbox::detail(entry, "caller");
}

}  // namespace

std::map<std::string, MessageStory> message_stories(const sandbox::Journal& journal) {
  std::map<std::string, MessageStory> stories;
  for (const sandbox::JournalEntry& entry : journal.entries()) {
    if (entry.operation == "message.sent") stories[entry.subject].sent = entry.at;
    const bool removed = entry.operation == "message.deleted" || entry.operation == "DeleteMessage";
    if (removed && entry.outcome == "ok") note_removal(stories, entry);
    if (entry.operation != "ReceiveMessage" || entry.outcome != "ok") continue;
    for (const std::string& id : sandbox::split(sandbox::detail(entry, "messages"))) ++stories[id].receives;
  }
  return stories;
}

double percentile(std::vector<double> values, double percent) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const double rank = std::ceil(percent / 100 * static_cast<double>(values.size()));
  return values.at(static_cast<std::size_t>(std::max(1.0, rank)) - 1);
}

}  // namespace ferryman::sim
