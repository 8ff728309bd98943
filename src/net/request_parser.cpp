// SPDX-License-Identifier: Apache-2.0
#include "net/request_parser.h"

#include <fmt/format.h>
#include <boost/asio/buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>

#include "net/url.h"

namespace ferryman::net {

namespace http = boost::beast::http;

struct RequestParser::Impl {
  http::request_parser<http::string_body> parser;
  bool continued = false;
};

namespace {

int status_for(const boost::beast::error_code& error) {
  if (error == http::error::body_limit) return 413;
  if (error == http::error::header_limit) return 431;
  return 400;
}

std::string text_of(boost::beast::string_view text) {
  return {text.data(), text.size()};
}

}  // namespace

RequestParser::RequestParser(RequestLimits limits) : impl_(std::make_unique<Impl>()) {
  impl_->parser.header_limit(static_cast<std::uint32_t>(limits.head_bytes));
  impl_->parser.body_limit(limits.body_bytes);
}

RequestParser::~RequestParser() = default;

RequestParser::State RequestParser::feed(std::string& bytes) {
  auto& parser = impl_->parser;
  while (!parser.is_done()) {
    if (bytes.empty()) return State::more;
    boost::beast::error_code error;
    const std::size_t taken = parser.put(boost::asio::buffer(bytes), error);
    bytes.erase(0, taken);
    if (error == http::error::need_more) return State::more;
    if (error) {
      status_ = status_for(error);
      text_ = error.message();
      return State::bad;
    }
    const bool waits = parser.is_header_done() && !parser.is_done() && parser.get().version() >= 11 &&
                       boost::beast::iequals(parser.get()[http::field::expect], "100-continue");
    if (waits && !std::exchange(impl_->continued, true)) return State::continue_;
  }
  return State::done;
}

bool RequestParser::keep_alive() const {
  return impl_->parser.keep_alive();
}

bool RequestParser::is_http_1_0() const {
  return impl_->parser.get().version() < 11;
}

Result<HttpRequest> RequestParser::take(std::string_view scheme, std::string_view own_authority) {
  auto& message = impl_->parser.get();
  HttpRequest request(text_of(message.method_string()), "");
  const std::string target = text_of(message.target());
  std::string host = text_of(message[http::field::host]);
  if (host.empty() && !is_http_1_0()) return Error(Fault::invalid, "the request has no Host header");
  if (host.empty()) host = own_authority;
  if (target.starts_with("http://") || target.starts_with("https://")) {
    request.url = target;  // as a proxy is asked
  } else if (request.method == "CONNECT") {
    request.url = fmt::format("{}://{}/", scheme, target);
  } else {
    request.url = fmt::format("{}://{}{}", scheme, host, target.starts_with('/') ? target : "/");
  }
  if (auto url = parse_url(request.url); !url) return std::move(url).error();
  for (const auto& field : message) request.headers.add(text_of(field.name_string()), text_of(field.value()));
  request.body = std::move(message.body());
  return request;
}

std::string_view reason_of(int status) {
  const auto text = http::obsolete_reason(http::int_to_status(static_cast<unsigned>(status)));
  return text == "<unknown-status>" ? std::string_view("Unknown")
                                    : std::string_view(text.data(), text.size());
}

}  // namespace ferryman::net
