// SPDX-License-Identifier: Apache-2.0
// VolumeAttachments: a PersistentVolume that is attached to a node. While it is, no other node can use it.
// https://kubernetes.io/docs/reference/kubernetes-api/config-and-storage-resources/volume-attachment-v1/
#pragma once

#include <string>
#include <utility>

namespace ferryman::termination {

class VolumeAttachment {
 public:
  VolumeAttachment() = default;
  VolumeAttachment(std::string name_in, std::string node_in, std::string volume_in)
      : name(std::move(name_in)), node(std::move(node_in)), volume(std::move(volume_in)) {}

  std::string name;
  std::string node;    // spec.nodeName
  std::string volume;  // spec.source.persistentVolumeName
};

}  // namespace ferryman::termination
