// SPDX-License-Identifier: Apache-2.0
// BeastServer: carries one HttpHandler over sockets: HTTP/1.1 with keep-alive, chunked streams, plain or TLS.
// Call `stop` and await it before destroying a server that was started.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/scope.h"
#include "net/http_handler.h"

namespace ferryman::net {

class ServerOptions {
 public:
  ServerOptions() = default;

  std::string address = "127.0.0.1";
  std::uint16_t port = 0;       // 0: a free one
  std::string certificate_pem;  // with its chain; empty: plain HTTP
  Secret key_pem;
  std::string client_ca_pem;            // not empty: only clients with a certificate of these authorities
  std::size_t most_connections = 2000;  // then the oldest without a whole request is closed for a new one
  std::size_t most_head_bytes = std::size_t{64} << 10U;
  std::size_t most_body_bytes = std::size_t{2} << 20U;
  Duration idle = std::chrono::seconds{75};  // between two requests of a connection
  Duration handshake = std::chrono::seconds{10};
};

class BeastServer {
 public:
  /// The handler must outlive the server.
  BeastServer(Clock& clock, Log log, HttpHandler& handler, ServerOptions options);
  BeastServer(const BeastServer&) = delete;
  BeastServer& operator=(const BeastServer&) = delete;
  ~BeastServer();

  /// Listens at once; gives the port. Errors: invalid (address, certificate), transport (port in use).
  Result<std::uint16_t> start();

  /// Accepts no more, closes idle connections, lets running exchanges end until the deadline, then cancels
  /// them.
  Task<void> stop(Deadline deadline);

  [[nodiscard]] std::uint16_t port() const;
  [[nodiscard]] std::uint64_t connections_accepted() const;
  [[nodiscard]] std::size_t connections_open() const;

 private:
  class Listener;

  std::unique_ptr<Listener> listener_;
};

}  // namespace ferryman::net
