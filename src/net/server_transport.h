// SPDX-License-Identifier: Apache-2.0
// ServerTransport: the bytes of one accepted connection, plain or through TLS. Internal to BeastServer.
// It has no deadlines of its own: `close`, from anywhere on the loop, ends whatever waits here.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/task.h"

namespace ferryman::net {

class ServerTransport {
 public:
  explicit ServerTransport(boost::asio::ip::tcp::socket socket) : socket_(std::move(socket)) {}
  ServerTransport(const ServerTransport&) = delete;
  ServerTransport& operator=(const ServerTransport&) = delete;
  virtual ~ServerTransport() = default;

  virtual Task<Result<void>> handshake() = 0;
  /// At least one byte; 0 when the peer has closed.
  virtual Task<Result<std::size_t>> read_some(std::span<char> into) = 0;
  virtual Task<Result<std::size_t>> write_some(std::string_view bytes) = 0;
  /// Tells the peer that nothing more comes.
  virtual Task<void> finish() = 0;

  void close();
  /// Closes so that the peer sees "connection reset".
  void reset();
  /// True when the peer has closed its side; false negatives while unread bytes wait.
  [[nodiscard]] bool peer_closed();
  /// "127.0.0.1:8080".
  [[nodiscard]] std::string local_authority() const;

 protected:
  boost::asio::ip::tcp::socket socket_;
};

std::unique_ptr<ServerTransport> plain_transport(boost::asio::ip::tcp::socket socket);
/// The context must outlive the transport.
std::unique_ptr<ServerTransport> tls_transport(boost::asio::ip::tcp::socket socket,
                                               boost::asio::ssl::context& context);

}  // namespace ferryman::net
