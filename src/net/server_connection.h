// SPDX-License-Identifier: Apache-2.0
// ServerConnection: one client's exchanges, one after the other. Internal to BeastServer.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/log.h"
#include "base/task.h"
#include "net/http_handler.h"
#include "net/request_parser.h"
#include "net/server_transport.h"

namespace ferryman::net {

/// What all connections of a server share; the server owns it.
class ServerSetting {
 public:
  ServerSetting(Clock& clock_in, Log log_in, HttpHandler& handler_in)
      : clock(clock_in), log(std::move(log_in)), handler(handler_in), look_again(clock_in) {}

  Clock& clock;
  Log log;
  HttpHandler& handler;
  RequestLimits limits;
  std::string scheme = "http";
  Duration idle{0};
  Duration handshake{0};
  bool stopping = false;
  SteadyTime next_look{};  // when the server next closes what is overdue
  Signal look_again;       // something is due before that
};

class ServerConnection {
 public:
  ServerConnection(ServerSetting& setting, std::unique_ptr<ServerTransport> transport);

  /// Returns when the connection is closed.
  Task<void> run();

  /// When the server shall close this connection unless it gets on; far away while a handler works.
  [[nodiscard]] SteadyTime due() const { return due_; }
  /// True between two requests.
  [[nodiscard]] bool idle() const { return idle_; }
  /// True until a whole request has come: such a connection may be given up for another.
  [[nodiscard]] bool waiting() const { return waiting_; }
  void close() { transport_->close(); }

 private:
  Task<bool> exchange();
  Task<bool> receive(RequestParser& parser);
  Task<bool> refuse(int status, std::string text);
  Task<HttpReply> answer(HttpRequest request);
  Task<bool> reply(const RequestParser& parser, bool head_only, HttpReply reply);
  Task<bool> reply_whole(HttpReply& reply, bool head_only, bool keep);
  Task<bool> reply_stream(HttpReply& reply, bool chunked);
  Task<bool> write(std::string_view bytes);
  Task<void> linger();
  void due_in(Duration duration);
  [[nodiscard]] std::string head_of(const HttpResponse& response, std::string_view framing) const;

  ServerSetting& setting_;
  std::unique_ptr<ServerTransport> transport_;
  std::string received_;
  SteadyTime due_;
  bool idle_ = true;
  bool waiting_ = true;
};

}  // namespace ferryman::net
