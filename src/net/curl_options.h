// SPDX-License-Identifier: Apache-2.0
// What a request means in libcurl's options, and what libcurl's result codes mean as an Error. Internal to
// CurlClient.
#pragma once

#include <curl/curl.h>

#include <memory>
#include <string>

#include "net/http.h"
#include "net/proxy.h"
#include "net/url.h"

namespace ferryman::net {

/// The same for all requests of one client.
class CurlSettings {
 public:
  CurlSettings() = default;

  ProxySettings proxies;
  std::string ca_file;  // PEM bundle for every host without a profile of its own
};

struct FreeHeaderList {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
using HeaderList = std::unique_ptr<curl_slist, FreeHeaderList>;

/// What libcurl reads during the transfer and we must keep.
class RequestOptions {
 public:
  RequestOptions() = default;

  Url url;
  HeaderList headers;
  HeaderList connect_to;
};

/// `request` must outlive the transfer: libcurl reads body and PEM texts in place.
/// Error: invalid (a URL, method or header that cannot be sent).
Result<RequestOptions> set_request(CURL* easy, const HttpRequest& request, const CurlSettings& settings);

/// `detail` is libcurl's own text for this failure, may be empty.
Error describe(CURLcode code, const std::string& detail, const Url& url, const CurlSettings& settings);

/// "host:port" for texts.
std::string place_of(const Url& url);

}  // namespace ferryman::net
