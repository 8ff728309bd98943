// SPDX-License-Identifier: Apache-2.0
// read_pages: all pages of a list that AWS answers in parts, each named by the token in the page before.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "aws/service_client.h"
#include "net/url.h"

namespace ferryman::aws {

/// `first` asks for the first page; a Page has a `next_token`, empty in the last. `parameter`: under which
/// name the token is sent. Errors: as the client's; unexpected, when a page cannot be read or they do not
/// end.
template <class Page>
Task<Result<std::vector<Page>>> read_pages(ServiceClient& client, Call first,
                                           Result<Page> (*parse)(std::string_view), Deadline deadline,
                                           std::string_view parameter = "NextToken") {
  std::vector<Page> pages;
  for (int page_number = 0; page_number < limits::pages; ++page_number) {
    Call call = first;
    if (!pages.empty()) {
      call.body += call.body.empty() ? "" : "&";
      call.body += std::string(parameter) + "=" + net::percent_encode(pages.back().next_token);
    }
    FERRYMAN_TRY(body, co_await client.send(call, deadline));
    auto page = parse(body);
    if (!page) co_return client.misread(call, page.error());
    const bool same_again = !pages.empty() && page->next_token == pages.back().next_token;
    pages.push_back(std::move(*page));
    if (pages.back().next_token.empty()) co_return pages;
    if (same_again) break;
  }
  co_return client.misread(first, Error(Fault::unexpected, "the pages do not end"));
}

}  // namespace ferryman::aws
