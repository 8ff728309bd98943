// SPDX-License-Identifier: Apache-2.0
#include "net/url.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/url/parse.hpp>
#include <boost/url/url_view.hpp>
#include <charconv>
#include <cstdint>

namespace ferryman::net {

namespace {

std::string default_port(std::string_view scheme) {
  return scheme == "https" ? "443" : "80";
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string decode(std::string_view text, bool plus_is_blank) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escape =
        text[i] == '%' && i + 2 < text.size() && hex_digit(text[i + 1]) >= 0 && hex_digit(text[i + 2]) >= 0;
    if (escape) {
      out += static_cast<char>(hex_digit(text[i + 1]) * 16 + hex_digit(text[i + 2]));
      i += 2;
    } else {
      out += plus_is_blank && text[i] == '+' ? ' ' : text[i];
    }
  }
  return out;
}

bool is_port(std::string_view text) {
  std::uint16_t number = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  return parsed.ec == std::errc() && parsed.ptr == text.data() + text.size() && number > 0;
}

/// Of the decoded host: an escaped line break, blank or slash would change the Host header or the URL itself.
bool is_host(std::string_view text, bool is_address) {
  return std::all_of(text.begin(), text.end(), [&](char c) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    return letter || c == '.' || c == '-' || c == '_' || (is_address && c == ':');
  });
}

}  // namespace

std::string Url::authority() const {
  const std::string name = host.find(':') == std::string::npos ? host : "[" + host + "]";
  return port == default_port(scheme) ? name : name + ":" + port;
}

Result<Url> parse_url(std::string_view text) {
  const auto parsed = boost::urls::parse_uri(boost::core::string_view(text.data(), text.size()));
  if (!parsed)
    return Error(Fault::invalid, fmt::format("\"{}\" is not a URL: {}", text, parsed.error().message()));
  const boost::urls::url_view view = *parsed;
  Url url;
  url.scheme = std::string(view.scheme());
  if (url.scheme != "http" && url.scheme != "https") {
    return Error(Fault::invalid,
                 fmt::format("\"{}\" is not a URL for us: it must start with http:// or https://", text));
  }
  if (view.host().empty()) return Error(Fault::invalid, fmt::format("\"{}\" names no host", text));
  url.host = view.host_address();
  if (!is_host(url.host, view.host_type() == boost::urls::host_type::ipv6)) {
    return Error(Fault::invalid,
                 fmt::format("\"{}\" is not a URL for us: its host is no name and no address", text));
  }
  url.port = view.port().empty() ? default_port(url.scheme) : std::string(view.port());
  const auto path = view.encoded_path();
  // Boost 1.81 takes "https://host:port/" for an empty port and the path "port/".
  if ((!path.empty() && !path.starts_with('/')) || !is_port(url.port)) {
    return Error(Fault::invalid,
                 fmt::format("\"{}\" is not a URL: its port is not a number from 1 to 65535", text));
  }
  url.path = path.empty() ? "/" : std::string(path.data(), path.size());
  const auto query = view.encoded_query();
  url.query = std::string(query.data(), query.size());
  return url;
}

QueryParameters parse_query(std::string_view query) {
  QueryParameters parameters;
  while (!query.empty()) {
    const std::string_view pair = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(pair.size() + 1, query.size()));
    if (pair.empty()) continue;
    const std::size_t equals = pair.find('=');
    const std::string_view value =
        equals == std::string_view::npos ? std::string_view() : pair.substr(equals + 1);
    parameters.emplace_back(decode(pair.substr(0, equals), true), decode(value, true));
  }
  return parameters;
}

std::string percent_encode(std::string_view text) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
                       c == '-' || c == '_' || c == '.' || c == '~';
    if (plain) {
      out += c;
    } else {
      out += '%';
      out += digits[byte >> 4U];
      out += digits[byte & 15U];
    }
  }
  return out;
}

std::string percent_decode(std::string_view text) {
  return decode(text, false);
}

std::string format_query(const QueryParameters& parameters) {
  std::string out;
  for (const auto& [name, value] : parameters) {
    if (!out.empty()) out += '&';
    out += percent_encode(name);
    out += '=';
    out += percent_encode(value);
  }
  return out;
}

}  // namespace ferryman::net
