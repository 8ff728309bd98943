// SPDX-License-Identifier: Apache-2.0
#include "net/curl_options.h"

#include <fmt/format.h>

#include <algorithm>

namespace ferryman::net {

namespace {

constexpr long longer_than_any_deadline_ms = 24L * 3600 * 1000;
constexpr long buffer_bytes = 16L * 1024;

bool is_token(std::string_view text) {
  constexpr std::string_view others = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
           others.find(c) != std::string_view::npos;
  });
}

bool is_one_line(std::string_view text) {
  return text.find_first_of(std::string_view("\r\n\0", 3)) == text.npos;
}

bool append(HeaderList& list, const std::string& line) {
  curl_slist* shorter = list.release();
  curl_slist* longer = curl_slist_append(shorter, line.c_str());
  list.reset(longer != nullptr ? longer : shorter);
  return longer != nullptr;
}

Result<HeaderList> set_headers(CURL* easy, const HttpRequest& request, const Url& url) {
  HeaderList list;
  bool complete = append(list, "Expect:");  // libcurl would wait a second for "100 Continue"
  if (!request.headers.has("Content-Type")) complete = append(list, "Content-Type:") && complete;
  const bool other_name = request.profile != nullptr && !request.profile->server_name.empty();
  if (other_name && !request.headers.has("Host"))
    complete = append(list, "Host: " + url.authority()) && complete;
  for (const auto& [name, value] : request.headers) {
    if (!is_token(name) || !is_one_line(value)) {
      return Error(Fault::invalid,
                   fmt::format("the header \"{}\" cannot be sent: it holds a line end or a blank", name));
    }
    // "Name;" is how libcurl is told to send an empty value; "Name:" would remove the header.
    complete = append(list, value.empty() ? name + ";" : name + ": " + value) && complete;
  }
  if (!complete) return Error(Fault::unexpected, "out of memory");
  curl_easy_setopt(easy, CURLOPT_HTTPHEADER, list.get());
  return list;
}

void set_method(CURL* easy, const HttpRequest& request) {
  const bool body_expected = request.method == "POST" || request.method == "PUT" || request.method == "PATCH";
  if (request.method == "HEAD") {
    curl_easy_setopt(easy, CURLOPT_NOBODY, 1L);
  } else if (body_expected || !request.body.empty()) {
    curl_easy_setopt(easy, CURLOPT_POST, 1L);
    curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
    curl_easy_setopt(easy, CURLOPT_POSTFIELDS, request.body.data());
  } else {
    curl_easy_setopt(easy, CURLOPT_HTTPGET, 1L);
  }
  curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, request.method.c_str());
}

/// Certificate and SNI follow the URL's host in libcurl. So the URL gets the expected name, and CONNECT_TO
/// the address.
void set_url(CURL* easy, const HttpRequest& request, const Url& url, HeaderList& connect_to) {
  if (request.profile == nullptr || request.profile->server_name.empty()) {
    curl_easy_setopt(easy, CURLOPT_URL, request.url.c_str());
    return;
  }
  Url named = url;
  named.host = request.profile->server_name;
  const std::string host = url.host.find(':') == std::string::npos ? url.host : "[" + url.host + "]";
  (void)append(connect_to, fmt::format("::{}:{}", host, url.port));
  const std::string query = url.query.empty() ? "" : "?" + url.query;
  curl_easy_setopt(easy, CURLOPT_URL, (url.scheme + "://" + named.authority() + url.path + query).c_str());
  curl_easy_setopt(easy, CURLOPT_CONNECT_TO, connect_to.get());
}

curl_blob in_place(const std::string& pem) {
  curl_blob blob{};
  blob.data = const_cast<char*>(pem.data());  // libcurl only reads it
  blob.len = pem.size();
  blob.flags = CURL_BLOB_NOCOPY;
  return blob;
}

void set_trust(CURL* easy, const HttpRequest& request, const CurlSettings& settings) {
  curl_easy_setopt(easy, CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
  curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 1L);
  curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 2L);
  // Debian's default directory would be trusted beside a profile's own authorities, and it keeps libcurl from
  // sharing one parsed bundle among all connections.
  curl_easy_setopt(easy, CURLOPT_CAPATH, nullptr);
  curl_easy_setopt(easy, CURLOPT_PROXY_CAPATH, nullptr);
  curl_easy_setopt(easy, CURLOPT_CAINFO, settings.ca_file.c_str());
  curl_easy_setopt(easy, CURLOPT_PROXY_CAINFO, settings.ca_file.c_str());
  if (request.profile == nullptr) return;
  const ConnectionProfile& profile = *request.profile;
  const auto set_blob = [&](CURLoption option, const std::string& pem) {
    curl_blob blob = in_place(pem);
    if (!pem.empty()) curl_easy_setopt(easy, option, &blob);
  };
  set_blob(CURLOPT_CAINFO_BLOB, profile.ca_pem);
  set_blob(CURLOPT_SSLCERT_BLOB, profile.client_cert_pem);
  set_blob(CURLOPT_SSLKEY_BLOB, profile.client_key_pem.reveal());
}

void set_proxy(CURL* easy, const HttpRequest& request, const Url& url, const CurlSettings& settings) {
  const bool direct = request.profile != nullptr && request.profile->direct;
  const std::string proxy = direct ? std::string() : settings.proxies.proxy_for(url);
  // Both set, even when empty: else libcurl asks the process's environment.
  curl_easy_setopt(easy, CURLOPT_PROXY, proxy.c_str());
  curl_easy_setopt(easy, CURLOPT_NOPROXY, "");
  curl_easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
}

void set_behaviour(CURL* easy) {
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(easy, CURLOPT_PATH_AS_IS, 1L);  // a signature covers the path as it was written
  curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_2TLS));
  curl_easy_setopt(easy, CURLOPT_PIPEWAIT, 1L);
  // Only the caller's deadline ends a call.
  curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, longer_than_any_deadline_ms);
  // Else ending a call during a name look-up waits for the look-up's thread.
  curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
  curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, buffer_bytes);
  curl_easy_setopt(easy, CURLOPT_UPLOAD_BUFFERSIZE, buffer_bytes);
  curl_easy_setopt(easy, CURLOPT_TCP_KEEPALIVE, 1L);
  constexpr long keepalive_seconds = 30;
  curl_easy_setopt(easy, CURLOPT_TCP_KEEPIDLE, keepalive_seconds);
  curl_easy_setopt(easy, CURLOPT_TCP_KEEPINTVL, keepalive_seconds);
}

}  // namespace

std::string place_of(const Url& url) {
  return url.host.find(':') == std::string::npos ? url.host + ":" + url.port
                                                 : "[" + url.host + "]:" + url.port;
}

Result<RequestOptions> set_request(CURL* easy, const HttpRequest& request, const CurlSettings& settings) {
  auto url = parse_url(request.url);
  if (!url) return std::move(url).error();
  if (!is_token(request.method))
    return Error(Fault::invalid, "\"" + request.method + "\" is not an HTTP method");
  RequestOptions options;
  auto headers = set_headers(easy, request, *url);
  if (!headers) return std::move(headers).error();
  options.headers = std::move(headers).value();
  options.url = std::move(*url);
  set_url(easy, request, options.url, options.connect_to);
  set_method(easy, request);
  set_trust(easy, request, settings);
  set_proxy(easy, request, options.url, settings);
  set_behaviour(easy);
  return options;
}

}  // namespace ferryman::net
