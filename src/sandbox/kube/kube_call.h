// SPDX-License-Identifier: Apache-2.0
// KubeCall: one request to the API server, understood: which verb on which resource, and in what form to
// answer.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "net/http.h"
#include "net/url.h"
#include "sandbox/kube/access_rules.h"
#include "sandbox/kube/object_store.h"
#include "sandbox/kube/resource_types.h"

namespace ferryman::sandbox {

/// What Accept asks for.
enum class OutputForm : std::uint8_t {
  json,
  table,     // as=Table: kubectl get
  partial,   // as=PartialObjectMetadata(List)
  unusable,  // nothing that we can write: 406
};

/// A list has a form of its own for metadata alone, PartialObjectMetadataList; a watch takes either.
OutputForm output_form(std::string_view accept, std::string_view verb);

class KubeCall {
 public:
  KubeCall() = default;

  /// The decoded value of a query parameter; empty when absent.
  [[nodiscard]] std::string_view parameter(std::string_view name) const;
  [[nodiscard]] bool flag(std::string_view name) const;
  [[nodiscard]] bool has_protobuf_body() const;
  /// What RBAC is asked about this call.
  [[nodiscard]] AccessQuestion question() const;

  std::string method;
  std::string path;
  net::QueryParameters query;
  net::Headers headers;
  std::string body;
  OutputForm form = OutputForm::json;
  const ResourceType* type = nullptr;  // null: discovery, or nothing that exists
  std::string verb;  // "get", "list", "watch", "create", "update", "patch", "delete", "evict"
  ObjectKey key;     // an empty name: the whole collection
  std::string subresource;
  std::string group;                           // of the path; with `resource` also where no such type exists
  std::string resource;                        // empty: the path is none of a resource
  KubeUser user;                               // who the token belongs to, or whom its owner plays
  std::vector<std::string> warnings;           // for the answer's Warning headers
  std::map<std::string, std::string> details;  // for the journal, filled while the call is served
};

KubeCall understand(net::HttpRequest request);

}  // namespace ferryman::sandbox
