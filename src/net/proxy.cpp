// SPDX-License-Identifier: Apache-2.0
#include "net/proxy.h"

#include <algorithm>
#include <array>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/network_v4.hpp>
#include <boost/asio/ip/network_v6.hpp>

namespace ferryman::net {

namespace ip = boost::asio::ip;

namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return out;
}

std::string first_of(const Environment& environment, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    std::string value = environment.get(name);
    if (!value.empty()) return value;
  }
  return {};
}

std::vector<std::string> split_exceptions(std::string_view text) {
  constexpr std::string_view separators = ", \t";
  std::vector<std::string> entries;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(separators), text.size());
    if (end > 0) entries.push_back(lower(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return entries;
}

/// "10.0.0.0/8" or "fd00::/8".
bool in_network(const ip::address& address, const std::string& network) {
  boost::system::error_code bad;
  if (address.is_v4()) {
    const auto range = ip::make_network_v4(network, bad);
    if (bad) return false;
    return ip::network_v4(address.to_v4(), range.prefix_length()).canonical() == range.canonical();
  }
  const auto range = ip::make_network_v6(network, bad);
  if (bad) return false;
  return ip::network_v6(address.to_v6(), range.prefix_length()).canonical() == range.canonical();
}

bool address_matches(const ip::address& address, std::string entry) {
  if (entry.find('/') != std::string::npos) return in_network(address, entry);
  std::erase_if(entry, [](char c) { return c == '[' || c == ']'; });
  boost::system::error_code bad;
  return ip::make_address(entry, bad) == address && !bad;
}

/// "example.com" and ".example.com" match example.com and all below it, as in curl.
bool name_matches(std::string_view host, std::string_view entry) {
  if (entry.starts_with("*.")) entry.remove_prefix(1);
  if (entry.starts_with('.')) entry.remove_prefix(1);
  if (entry.empty() || !host.ends_with(entry)) return false;
  return host.size() == entry.size() || host[host.size() - entry.size() - 1] == '.';
}

}  // namespace

bool is_link_local_service(std::string_view host) {
  constexpr std::array<std::string_view, 4> services = {"169.254.169.254", "fd00:ec2::254", "169.254.170.2",
                                                        "169.254.170.23"};
  return std::find(services.begin(), services.end(), host) != services.end() || host == "fd00:ec2::23";
}

// http_proxy counts in small letters only: a CGI server would set HTTP_PROXY from a request's "Proxy:"
// header.
ProxySettings::ProxySettings(const Environment& environment)
    : for_http_(first_of(environment, {"http_proxy", "all_proxy", "ALL_PROXY"})),
      for_https_(first_of(environment, {"https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"})),
      exceptions_(split_exceptions(first_of(environment, {"no_proxy", "NO_PROXY"}))) {}

std::string ProxySettings::proxy_for(const Url& url) const {
  const std::string& proxy = url.scheme == "https" ? for_https_ : for_http_;
  return proxy.empty() || bypassed(url) ? std::string() : proxy;
}

bool ProxySettings::bypassed(const Url& url) const {
  if (is_link_local_service(url.host)) return true;
  const std::string host = lower(url.host);
  boost::system::error_code not_an_address;
  const ip::address address = ip::make_address(host, not_an_address);
  return std::any_of(exceptions_.begin(), exceptions_.end(), [&](const std::string& entry) {
    if (entry == "*") return true;
    return not_an_address ? name_matches(host, entry) : address_matches(address, entry);
  });
}

}  // namespace ferryman::net
