// SPDX-License-Identifier: Apache-2.0
// How the fake API server takes requests and objects apart.
#pragma once

#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "base/json.h"
#include "net/http.h"
#include "net/url.h"

namespace ferryman::test {

inline std::string key_of(const json::object& object) {
  const json::value* metadata = object.if_contains("metadata");
  const std::string space(string_at(metadata, "namespace"));
  const std::string name(string_at(metadata, "name"));
  return space.empty() ? name : space + "/" + name;
}

inline std::string path_of(const net::HttpRequest& request) {
  return net::parse_url(request.url)->path;
}

inline std::map<std::string, std::string> query_of(const net::HttpRequest& request) {
  std::map<std::string, std::string> query;
  for (auto& [name, value] : net::parse_query(net::parse_url(request.url)->query)) query[name] = value;
  return query;
}

inline std::vector<std::string> split(const std::string& path) {
  std::vector<std::string> parts;
  std::istringstream text(path);
  for (std::string part; std::getline(text, part, '/');) parts.push_back(part);
  return parts;
}

inline void merge(json::object& into, const json::object& changes) {
  for (const auto& [key, value] : changes) {
    if (value.is_null()) {
      into.erase(key);
    } else if (value.is_object()) {
      json::value& inner = into[key];
      if (!inner.is_object()) inner = json::object();
      merge(inner.get_object(), value.get_object());
    } else {
      into[key] = value;
    }
  }
}

}  // namespace ferryman::test
