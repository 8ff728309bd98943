// SPDX-License-Identifier: Apache-2.0
#include "sandbox/kube/object_output.h"

#include <fmt/format.h>

#include <boost/json/serialize.hpp>

#include "sandbox/kube/event_forms.h"
#include "sandbox/kube/json_path.h"
#include "sandbox/kube/table_output.h"

namespace ferryman::sandbox {

namespace {

/// As the clients of the style's type see it; copied only where that is another form than the stored one.
std::string whole(const OutputStyle& style, const json::value& object) {
  return has_wire_form(*style.type) ? json::serialize(wire_form(*style.type, object))
                                    : json::serialize(object);
}

/// Objects are stored without kind and apiVersion: they are put in front of the text.
std::string with_type(const OutputStyle& style, const json::value& object) {
  return fmt::format(R"({{"kind":"{}","apiVersion":"{}",{})", style.type->kind, style.type->api_version(),
                     std::string_view(whole(style, object)).substr(1));
}

json::value metadata_only(const json::value& object) {
  json::value partial = json::object();
  partial.get_object()["kind"] = "PartialObjectMetadata";
  partial.get_object()["apiVersion"] = "meta.k8s.io/v1";
  const json::value* metadata = find(object, "metadata");
  partial.get_object()["metadata"] = metadata == nullptr ? json::value(json::object()) : *metadata;
  return partial;
}

json::object list_metadata(const ListMeta& meta) {
  json::object made;
  made["resourceVersion"] = std::to_string(meta.version);
  if (!meta.continue_token.empty()) made["continue"] = meta.continue_token;
  if (meta.remaining > 0) made["remainingItemCount"] = meta.remaining;
  return made;
}

}  // namespace

std::string encode_object(const OutputStyle& style, const json::value& object) {
  if (style.form == OutputForm::partial) return json::serialize(metadata_only(object));
  if (style.form == OutputForm::table) {
    json::object table = table_of(style, {std::make_shared<const json::value>(object)});
    table["metadata"] =
        json::object{{"resourceVersion", json::string(text_at(object, "metadata.resourceVersion"))}};
    return json::serialize(table);
  }
  return with_type(style, object);
}

std::string encode_list(const OutputStyle& style, const std::vector<ObjectPtr>& objects,
                        const ListMeta& meta) {
  if (style.form == OutputForm::table) {
    json::object table = table_of(style, objects);
    table["metadata"] = list_metadata(meta);
    return json::serialize(table);
  }
  const bool partial = style.form == OutputForm::partial;
  const std::string kind = partial ? "PartialObjectMetadataList" : fmt::format("{}List", style.type->kind);
  std::string text = fmt::format(R"({{"kind":"{}","apiVersion":"{}","metadata":{},"items":[)", kind,
                                 partial ? "meta.k8s.io/v1" : style.type->api_version(),
                                 json::serialize(list_metadata(meta)));
  for (const ObjectPtr& object : objects) {
    if (text.back() != '[') text += ',';
    text += partial ? json::serialize(metadata_only(*object)) : whole(style, *object);
  }
  return text + "]}";
}

std::string encode_event(const OutputStyle& style, std::string_view type, const json::value& object) {
  return fmt::format("{{\"type\":\"{}\",\"object\":{}}}\n", type, encode_object(style, object));
}

std::string encode_bookmark(const OutputStyle& style, std::uint64_t version, bool initial_end) {
  if (style.form == OutputForm::table) {
    json::object table = table_of(style, {});
    table["metadata"] = json::object{{"resourceVersion", json::string(std::to_string(version))}};
    return fmt::format("{{\"type\":\"BOOKMARK\",\"object\":{}}}\n", json::serialize(table));
  }
  json::value mark = json::object();
  make_at(mark, "metadata.resourceVersion") = std::to_string(version);
  make_at(mark, "metadata.creationTimestamp") = nullptr;
  if (initial_end)
    make_at(mark, "metadata.annotations").emplace_object()["k8s.io/initial-events-end"] = "true";
  return encode_event(style, "BOOKMARK", mark);
}

std::string encode_error_event(const json::object& status) {
  return fmt::format("{{\"type\":\"ERROR\",\"object\":{}}}\n", json::serialize(status));
}

}  // namespace ferryman::sandbox
