// SPDX-License-Identifier: Apache-2.0
// URLs and query strings.
#include "fuzz/fuzzed_text.h"
#include "net/url.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ferryman;
  const std::string_view text = fuzz::text_of(data, size);
  if (const auto url = net::parse_url(text)) {
    fuzz::check(!url->host.empty() && !url->port.empty(), "a URL has a host and a port");
    fuzz::check(url->path.starts_with('/'), "a path starts with a slash");
    fuzz::check(net::parse_url(url->scheme + "://" + url->authority() + url->path).ok(),
                "its parts are a URL");
  }
  fuzz::check(net::percent_decode(net::percent_encode(text)) == text, "what is encoded can be decoded");
  const auto query = net::parse_query(text);
  fuzz::check(net::parse_query(net::format_query(query)) == query, "a query is what it was");
  return 0;
}
