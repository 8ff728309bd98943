// SPDX-License-Identifier: Apache-2.0
// ProxySettings: which proxy a request goes through, by the variables that every tool reads
// (HTTPS_PROXY, http_proxy, ALL_PROXY, NO_PROXY). libcurl is told the answer and never looks for itself.
#pragma once

#include <string>
#include <vector>

#include "base/environment.h"
#include "net/url.h"

namespace ferryman::net {

class ProxySettings {
 public:
  ProxySettings() = default;
  explicit ProxySettings(const Environment& environment);

  /// The proxy's URL as the variable holds it (it may name a password: never log it); empty: go straight.
  [[nodiscard]] std::string proxy_for(const Url& url) const;

 private:
  [[nodiscard]] bool bypassed(const Url& url) const;

  std::string for_http_;
  std::string for_https_;
  std::vector<std::string> exceptions_;  // NO_PROXY's entries in small letters
};

/// Instance metadata, pod identity and container credentials: link-local, never behind a proxy.
bool is_link_local_service(std::string_view host);

}  // namespace ferryman::net
