// SPDX-License-Identifier: Apache-2.0
#include "sandbox/kube/kube_call.h"

#include <algorithm>
#include <vector>

namespace ferryman::sandbox {

namespace {

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

std::vector<std::string> segments_of(std::string_view path) {
  std::vector<std::string> segments;
  while (!path.empty()) {
    const std::string_view segment = path.substr(0, path.find('/'));
    path.remove_prefix(std::min(segment.size() + 1, path.size()));
    if (!segment.empty()) segments.push_back(net::percent_decode(segment));
  }
  return segments;
}

/// The form of one clause of Accept; unusable when it is none of ours.
OutputForm clause_form(std::string_view clause, std::string_view verb) {
  const std::string_view type = trimmed(clause.substr(0, clause.find(';')));
  if (type != "application/json" && type != "*/*" && type != "application/*") return OutputForm::unusable;
  const std::size_t as = clause.find("as=");
  if (as == std::string_view::npos) return OutputForm::json;
  const std::string_view wanted = clause.substr(as + 3, clause.find(';', as) - as - 3);
  if (clause.find("g=meta.k8s.io") == std::string_view::npos ||
      clause.find("v=v1beta1") != std::string_view::npos) {
    return OutputForm::unusable;
  }
  if (wanted == "Table") return OutputForm::table;
  if (wanted == "PartialObjectMetadata" && verb != "list") return OutputForm::partial;
  const bool several = verb == "list" || verb == "watch" || verb == "deletecollection";
  if (wanted == "PartialObjectMetadataList" && several) return OutputForm::partial;
  return OutputForm::unusable;
}

std::string verb_of(const KubeCall& call) {
  const bool collection = call.key.name.empty();
  if (call.method == "GET" && !collection) return "get";
  if (call.method == "GET" && call.flag("watch")) return "watch";
  if (call.method == "GET") return "list";
  if (call.method == "POST") return call.subresource == "eviction" ? "evict" : "create";
  if (call.method == "PUT") return "update";
  if (call.method == "PATCH") return "patch";
  if (call.method == "DELETE") return collection ? "deletecollection" : "delete";
  return call.method;
}

/// /api/v1/… or /apis/<group>/<version>/…, then [namespaces/<namespace>/]<resource>[/<name>[/<subresource>]].
void resolve(KubeCall& call, const std::vector<std::string>& steps) {
  const bool core = steps.size() > 2 && steps[0] == "api";
  const bool grouped = steps.size() > 3 && steps[0] == "apis";
  if (!core && !grouped) return;
  std::size_t at = core ? 2 : 3;
  if (grouped) call.group = steps[1];
  const std::string& version = steps[at - 1];
  // A namespace's own subresources look like resources in it.
  const bool in_namespace = steps[at] == "namespaces" && steps.size() > at + 2 && steps[at + 2] != "status" &&
                            steps[at + 2] != "finalize";
  if (in_namespace) {
    call.key.space = steps[at + 1];
    at += 2;
  }
  call.resource = steps[at];
  call.type = find_resource(call.group, version, call.resource);
  if (steps.size() > at + 1) call.key.name = steps[at + 1];
  if (steps.size() > at + 2) call.subresource = steps[at + 2];
  const bool misplaced =
      steps.size() > at + 3 || (call.type != nullptr && in_namespace && !call.type->namespaced);
  if (misplaced) call.type = nullptr;
}

/// fieldSelector=metadata.name=x makes a list or watch about one object, which rules by name can allow.
std::string named_by_selector(std::string_view selector) {
  constexpr std::string_view start = "metadata.name=";
  if (!selector.starts_with(start) || selector.find(',') != std::string_view::npos) return {};
  return std::string(selector.substr(start.size()));
}

}  // namespace

OutputForm output_form(std::string_view accept, std::string_view verb) {
  if (trimmed(accept).empty()) return OutputForm::json;
  while (!accept.empty()) {
    const std::string_view clause = accept.substr(0, accept.find(','));
    accept.remove_prefix(std::min(clause.size() + 1, accept.size()));
    const OutputForm form = clause_form(clause, verb);
    if (form != OutputForm::unusable) return form;
  }
  return OutputForm::unusable;
}

std::string_view KubeCall::parameter(std::string_view name) const {
  for (const auto& [field, value] : query) {
    if (field == name) return value;
  }
  return {};
}

bool KubeCall::flag(std::string_view name) const {
  const std::string_view value = parameter(name);
  return value == "true" || value == "1";
}

bool KubeCall::has_protobuf_body() const {
  return headers.get("Content-Type").starts_with("application/vnd.kubernetes.protobuf");
}

AccessQuestion KubeCall::question() const {
  AccessQuestion asked;
  asked.verb = verb == "evict" ? "create" : verb;
  if (resource.empty()) {
    asked.verb = method;
    for (char& c : asked.verb) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    asked.path = path;
    return asked;
  }
  asked.group = group;
  asked.resource = resource;
  asked.subresource = subresource;
  asked.name = key.name.empty() ? named_by_selector(parameter("fieldSelector")) : key.name;
  // A namespace is in itself.
  asked.space = resource == "namespaces" && group.empty() ? key.name : key.space;
  return asked;
}

KubeCall understand(net::HttpRequest request) {
  KubeCall call;
  call.method = std::move(request.method);
  call.headers = std::move(request.headers);
  call.body = std::move(request.body);
  if (const auto url = net::parse_url(request.url)) {
    call.path = url->path;
    call.query = net::parse_query(url->query);
  }
  resolve(call, segments_of(call.path));
  call.verb = verb_of(call);
  call.form = output_form(call.headers.get("Accept"), call.verb);
  return call;
}

}  // namespace ferryman::sandbox
