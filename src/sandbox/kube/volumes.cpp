// SPDX-License-Identifier: Apache-2.0
#include "sandbox/kube/volumes.h"

#include <algorithm>
#include <charconv>

#include "sandbox/kube/json_path.h"
#include "sandbox/kube/node_objects.h"
#include "sandbox/kube/pod_objects.h"

namespace ferryman::sandbox {

namespace {

constexpr std::string_view resource = "volumeattachments";
constexpr std::string_view detach_key = "sandbox.ferryman.dev/detach-ms";
// maxWaitForUnmountDuration of the attach and detach controller.
constexpr Duration unmount_wait = std::chrono::minutes{6};

Duration own_time(const json::value& attachment) {
  const std::string_view text = string_at(value_at(attachment, "metadata.annotations"), detach_key);
  std::int64_t millis = 0;
  constexpr std::int64_t otherwise = 5'000;
  constexpr std::int64_t most = 86'400'000;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), millis);
  if (text.empty() || parsed.ec != std::errc()) millis = otherwise;
  return std::chrono::milliseconds{std::clamp<std::int64_t>(millis, 0, most)};
}

json::value claim_object(const VolumeSpec& spec, const std::string& volume) {
  json::value claim = json::object();
  make_at(claim, "metadata.name") = spec.claim;
  make_at(claim, "metadata.namespace") = spec.claim_namespace;
  make_at(claim, "spec.accessModes") = json::array{"ReadWriteOnce"};
  make_at(claim, "spec.resources.requests.storage") = "8Gi";
  make_at(claim, "spec.volumeName") = volume;
  make_at(claim, "status.phase") = "Bound";
  return claim;
}

json::value volume_object(const VolumeSpec& spec, const std::string& name) {
  json::value volume = json::object();
  make_at(volume, "metadata.name") = name;
  make_at(volume, "spec.accessModes") = json::array{"ReadWriteOnce"};
  make_at(volume, "spec.capacity.storage") = "8Gi";
  make_at(volume, "spec.claimRef.kind") = "PersistentVolumeClaim";
  make_at(volume, "spec.claimRef.namespace") = spec.claim_namespace;
  make_at(volume, "spec.claimRef.name") = spec.claim;
  make_at(volume, "spec.csi.driver") = "ebs.csi.aws.com";
  make_at(volume, "spec.csi.volumeHandle") = "vol-" + name;
  make_at(volume, "spec.persistentVolumeReclaimPolicy") = "Delete";
  make_at(volume, "status.phase") = "Bound";
  return volume;
}

json::value attachment_object(const VolumeSpec& spec, const std::string& volume) {
  json::value attachment = json::object();
  make_at(attachment, "metadata.name") = "csi-" + volume;
  make_at(attachment, "metadata.annotations").emplace_object()[detach_key] =
      std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(spec.detach).count());
  make_at(attachment, "spec.attacher") = "ebs.csi.aws.com";
  make_at(attachment, "spec.nodeName") = spec.node_name;
  make_at(attachment, "spec.source.persistentVolumeName") = volume;
  make_at(attachment, "status.attached") = true;
  return attachment;
}

}  // namespace

Volumes::Volumes(ClusterState& state) : state_(state) {
  state_.objects.listen([this](std::string_view kind, const Change& change) {
    const bool matters =
        kind == resource || kind == "nodes" || (kind == "pods" && !claims_of(*change.object).empty());
    if (matters) look_soon();
  });
}

void Volumes::add(const VolumeSpec& spec) {
  const std::string volume = "pv-" + spec.claim;
  state_.objects.create("persistentvolumes", volume_object(spec, volume));
  state_.objects.create("persistentvolumeclaims", claim_object(spec, volume));
  if (!spec.node_name.empty()) state_.objects.create(resource, attachment_object(spec, volume));
}

void Volumes::look_soon() {
  if (looking_ || state_.objects.list(resource).empty()) return;
  looking_ = true;
  state_.timeline.after(std::chrono::milliseconds{100}, [this] { look(); });
}

void Volumes::look() {
  looking_ = false;
  for (const ObjectPtr& one : state_.objects.list(resource)) {
    const auto wait = detach_time(*one);
    if (!wait) {
      leaving_.erase(std::string(uid_of(*one)));
      continue;
    }
    const std::string uid(uid_of(*one));
    const SteadyTime then = state_.clock.now() + *wait;
    const auto [place, planned] = leaving_.try_emplace(uid, then);
    if (!planned && place->second <= then) continue;
    place->second = then;
    state_.timeline.after(*wait, [this, key = key_of(*one), uid] { detach(key, uid); });
  }
}

std::optional<Duration> Volumes::detach_time(const json::value& attachment) const {
  const std::string_view node = text_at(attachment, "spec.nodeName");
  const ObjectPtr at = state_.objects.find("nodes", {"", std::string(node)});
  if (at == nullptr) return own_time(attachment);
  if (has_taint(*at, out_of_service_taint, "NoExecute") ||
      has_taint(*at, out_of_service_taint, "NoSchedule")) {
    if (!is_node_ready(*at)) return own_time(attachment);
  }
  if (in_use(std::string(text_at(attachment, "spec.source.persistentVolumeName")), node)) return std::nullopt;
  return state_.dead_kubelets.contains(std::string(node)) ? unmount_wait : own_time(attachment);
}

bool Volumes::in_use(const std::string& volume, std::string_view node) const {
  const ObjectPtr at = state_.objects.find("persistentvolumes", {"", volume});
  if (at == nullptr) return false;
  const std::string_view space = text_at(*at, "spec.claimRef.namespace");
  const std::string_view claim = text_at(*at, "spec.claimRef.name");
  const std::vector<ObjectPtr> pods = state_.objects.list("pods");
  return std::any_of(pods.begin(), pods.end(), [&](const ObjectPtr& pod) {
    if (node_of(*pod) != node || text_at(*pod, "metadata.namespace") != space || is_finished(*pod))
      return false;
    const std::vector<std::string> claims = claims_of(*pod);
    return std::find(claims.begin(), claims.end(), claim) != claims.end();
  });
}

void Volumes::detach(const ObjectKey& key, const std::string& uid) {
  const ObjectPtr now = state_.objects.find(resource, key);
  const auto planned = leaving_.find(uid);
  if (now == nullptr || uid_of(*now) != uid || planned == leaving_.end()) return;
  if (planned->second > state_.clock.now()) return;
  leaving_.erase(uid);
  state_.journal.fact("volume.detached", key.name,
                      {{"node", std::string(text_at(*now, "spec.nodeName"))}, {"uid", uid}});
  state_.objects.remove(resource, key);
}

}  // namespace ferryman::sandbox
