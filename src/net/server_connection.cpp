// SPDX-License-Identifier: Apache-2.0
#include "net/server_connection.h"

#include <fmt/format.h>

#include <array>
#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>
#include <ctime>

#include "net/url.h"

namespace ferryman::net {

namespace {

constexpr Duration whole_request = std::chrono::seconds{60};
constexpr Duration one_write = std::chrono::seconds{60};
constexpr Duration goodbye = std::chrono::seconds{1};
constexpr Duration handler_time = std::chrono::hours{24 * 365};
// How often a quiet stream looks whether its reader is still there and the server still runs.
constexpr Duration stream_check = std::chrono::seconds{1};
constexpr std::size_t read_bytes = std::size_t{8} << 10U;
constexpr std::size_t write_bytes = std::size_t{64} << 10U;

bool has_no_body(int status) {
  return status < 200 || status == 204 || status == 304;
}

/// "Sun, 06 Nov 1994 08:49:37 GMT" (RFC 9110, section 5.6.7).
std::string http_date(WallTime time) {
  const std::time_t whole = std::chrono::system_clock::to_time_t(
      std::chrono::time_point_cast<std::chrono::system_clock::duration>(time));
  std::tm parts{};
  ::gmtime_r(&whole, &parts);
  std::array<char, 40> text{};
  const std::size_t size = std::strftime(text.data(), text.size(), "%a, %d %b %Y %H:%M:%S GMT", &parts);
  return {text.data(), size};
}

/// Framing is the carrier's business, whatever the handler says.
bool is_framing(std::string_view name) {
  Headers one;
  one.add(std::string(name), "");
  return one.has("Content-Length") || one.has("Transfer-Encoding") || one.has("Connection");
}

std::string path_of(const std::string& url) {
  const auto parsed = parse_url(url);
  return parsed ? parsed->path : std::string();
}

}  // namespace

ServerConnection::ServerConnection(ServerSetting& setting, std::unique_ptr<ServerTransport> transport)
    : setting_(setting), transport_(std::move(transport)), due_(setting.clock.now() + setting.handshake) {}

void ServerConnection::due_in(Duration duration) {
  due_ = setting_.clock.now() + duration;
  if (due_ < setting_.next_look) setting_.look_again.notify_all();
}

Task<void> ServerConnection::run() {
  if (auto shaken = co_await transport_->handshake(); !shaken) {
    setting_.log.debug("server.handshake_failed", {{"error", shaken.error()}});
    co_return;
  }
  bool more = true;
  while (more && !setting_.stopping) more = co_await exchange();
  transport_->close();
}

/// False when the connection cannot carry another request.
Task<bool> ServerConnection::exchange() {
  RequestParser parser(setting_.limits);
  if (!co_await receive(parser)) co_return false;
  auto request = parser.take(setting_.scheme, transport_->local_authority());
  if (!request) co_return co_await refuse(400, request.error().text);
  const bool head_only = request->method == "HEAD";
  due_in(handler_time);
  HttpReply made = co_await answer(std::move(*request));
  co_return co_await reply(parser, head_only, std::move(made));
}

Task<bool> ServerConnection::receive(RequestParser& parser) {
  using State = RequestParser::State;
  idle_ = received_.empty();
  waiting_ = true;
  due_in(idle_ ? setting_.idle : whole_request);
  for (;;) {
    const State state = parser.feed(received_);
    if (state == State::done) {
      waiting_ = false;
      co_return true;
    }
    if (state == State::bad) co_return co_await refuse(parser.status(), parser.text());
    if (state == State::continue_) {
      if (!co_await write("HTTP/1.1 100 Continue\r\n\r\n")) co_return false;
      due_in(whole_request);
      continue;
    }
    std::array<char, read_bytes> piece;
    const auto size = co_await transport_->read_some(piece);
    if (!size || *size == 0) co_return false;
    if (std::exchange(idle_, false)) due_in(whole_request);
    received_.append(piece.data(), *size);
  }
}

/// Always false: after a request that we do not understand nobody knows where the next one starts.
Task<bool> ServerConnection::refuse(int status, std::string text) {
  HttpResponse response(status, fmt::format("{} {}: {}\n", status, reason_of(status), text));
  response.headers.add("Content-Type", "text/plain");
  const std::string framing =
      fmt::format("Content-Length: {}\r\nConnection: close\r\n", response.body.size());
  if (co_await write(head_of(response, framing) + response.body)) co_await linger();
  co_return false;
}

/// Lets the client read our last words: closing with its bytes unread would reset the connection.
Task<void> ServerConnection::linger() {
  due_in(goodbye);
  co_await transport_->finish();
  std::array<char, read_bytes> ignored;
  for (;;) {
    const auto size = co_await transport_->read_some(ignored);
    if (!size || *size == 0) co_return;
  }
}

Task<HttpReply> ServerConnection::answer(HttpRequest request) {
  const std::string method = request.method;
  const std::string path = path_of(request.url);  // never the query: it may hold a token
  std::string failure;
  try {
    co_return co_await setting_.handler.handle(std::move(request));
  } catch (const boost::system::system_error& error) {
    if (error.code() == boost::asio::error::operation_aborted) throw;  // we are stopping
    failure = error.what();
  } catch (const std::exception& error) {
    failure = error.what();
  }
  setting_.log.error("server.handler_failed", {{"method", method}, {"path", path}, {"error", failure}});
  co_return HttpReply(HttpResponse(500, "500 Internal Server Error\n"));
}

std::string ServerConnection::head_of(const HttpResponse& response, std::string_view framing) const {
  std::string head = fmt::format("HTTP/1.1 {} {}\r\n", response.status, reason_of(response.status));
  for (const auto& [name, value] : response.headers) {
    if (!is_framing(name)) head += name + ": " + value + "\r\n";
  }
  if (!response.headers.has("Date")) head += "Date: " + http_date(setting_.clock.wall()) + "\r\n";
  return head.append(framing).append("\r\n");
}

Task<bool> ServerConnection::reply(const RequestParser& parser, bool head_only, HttpReply reply) {
  const bool keep = parser.keep_alive() && !setting_.stopping && !reply.cut_off;
  const bool streamed = reply.stream != nullptr && !head_only && !has_no_body(reply.response.status);
  if (!streamed) {
    if (!co_await reply_whole(reply, head_only, keep)) co_return false;
    if (!keep) co_await linger();
    co_return keep;
  }
  const bool chunked = !parser.is_http_1_0();  // HTTP/1.0 ends a stream by closing
  const std::string_view framing = chunked ? "Transfer-Encoding: chunked\r\n" : "Connection: close\r\n";
  const std::string close = chunked && !keep ? "Connection: close\r\n" : "";
  if (!co_await write(head_of(reply.response, close + std::string(framing)))) co_return false;
  if (!co_await reply_stream(reply, chunked)) co_return false;
  if (!keep || !chunked) co_await linger();
  co_return keep&& chunked;
}

Task<bool> ServerConnection::reply_whole(HttpReply& reply, bool head_only, bool keep) {
  const HttpResponse& response = reply.response;
  if (reply.cut_off && response.status == 0) {
    transport_->reset();
    co_return false;
  }
  std::size_t size = response.body.size();
  if (reply.cut_off) size = std::max<std::size_t>(size, 1);
  std::string framing = has_no_body(response.status) ? "" : fmt::format("Content-Length: {}\r\n", size);
  framing += keep ? "Connection: keep-alive\r\n" : "Connection: close\r\n";
  std::string bytes = head_of(response, framing);
  if (reply.cut_off) {
    bytes += response.body.substr(0, response.body.size() / 2);
    (void)co_await write(bytes);
    transport_->reset();
    co_return false;
  }
  if (!head_only && !has_no_body(response.status)) bytes += response.body;
  co_return co_await write(bytes);
}

/// False when the stream did not come to a clean end: the client must see that something is missing.
Task<bool> ServerConnection::reply_stream(HttpReply& reply, bool chunked) {
  for (;;) {
    due_in(handler_time);
    const auto piece = co_await reply.stream->read(Deadline::after(setting_.clock, stream_check));
    const bool waiting = !piece && piece.error().fault == Fault::deadline;
    if (waiting && transport_->peer_closed()) co_return false;
    if (waiting && !setting_.stopping) continue;
    const bool over = waiting || (piece && piece->empty());
    if ((over && reply.cut_off) || (!over && !piece)) {
      transport_->reset();
      co_return false;
    }
    if (over && !chunked) co_return true;
    if (over) co_return co_await write("0\r\n\r\n");
    const std::string bytes = chunked ? fmt::format("{:x}\r\n{}\r\n", piece->size(), *piece) : *piece;
    if (!co_await write(bytes)) co_return false;
  }
}

Task<bool> ServerConnection::write(std::string_view bytes) {
  while (!bytes.empty()) {
    due_in(one_write);
    const auto size = co_await transport_->write_some(bytes.substr(0, write_bytes));
    if (!size) co_return false;
    bytes.remove_prefix(*size);
  }
  co_return true;
}

}  // namespace ferryman::net
