// SPDX-License-Identifier: Apache-2.0
#include "termination/volumes.h"

namespace ferryman::termination {

Volumes::Volumes(Context& context, Cluster& cluster)
    : context_(context),
      cluster_(cluster),
      attachments_(
          context, [&cluster](Deadline deadline) { return cluster.attachments(deadline); },
          [&context](const Error& error, bool first) {
            context.log.write(first ? Level::warn : Level::debug, "attachments.unknown",
                              {{"error", error},
                               {"effect", "instances are let go before their volumes are detached"},
                               {"cure", "allow list on volumeattachments (storage.k8s.io)"}});
          }) {}

Task<std::shared_ptr<const std::vector<VolumeAttachment>>> Volumes::attachments(Deadline deadline) {
  constexpr Duration fresh = std::chrono::seconds{2};
  co_return co_await attachments_.get(fresh, fresh, deadline);
}

Task<std::optional<std::string>> Volumes::volume_of(std::string claim_namespace, std::string claim,
                                                    Deadline deadline) {
  if (context_.clock.now() < ask_again_) co_return std::nullopt;
  auto volume = co_await cluster_.volume_of(std::move(claim_namespace), std::move(claim), deadline);
  if (volume) co_return std::optional(std::move(*volume));
  note(volume.error());
  co_return std::nullopt;
}

void Volumes::note(const Error& error) {
  constexpr Duration seldom = std::chrono::minutes{10};
  const bool denied = lacks_right(error);
  if (denied) ask_again_ = context_.clock.now() + seldom;
  context_.log.write(
      said_ ? Level::debug : Level::warn, "volumes.unknown",
      {{"error", error},
       {"effect", "all volumes that are attached to a node are waited for, not those of its pods alone"},
       {"cure", "allow get on persistentvolumeclaims"}});
  said_ = said_ || denied;
}

}  // namespace ferryman::termination
