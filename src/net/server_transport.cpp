// SPDX-License-Identifier: Apache-2.0
#include "net/server_transport.h"

#include <fmt/format.h>
#include <sys/socket.h>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace ferryman::net {

namespace asio = boost::asio;
using asio::ip::tcp;

namespace {

constexpr auto as_result = asio::as_tuple(asio::use_awaitable);

Error lost(const boost::system::error_code& error) {
  return Error(Fault::transport, error.message());
}

bool is_end(const boost::system::error_code& error) {
  return error == asio::error::eof || error == asio::ssl::error::stream_truncated;
}

template <class Stream>
Task<Result<std::size_t>> read_some_of(Stream& stream, std::span<char> into) {
  const auto [error, size] =
      co_await stream.async_read_some(asio::buffer(into.data(), into.size()), as_result);
  if (is_end(error)) co_return std::size_t{0};
  if (error) co_return lost(error);
  co_return size;
}

template <class Stream>
Task<Result<std::size_t>> write_some_of(Stream& stream, std::string_view bytes) {
  const auto [error, size] =
      co_await stream.async_write_some(asio::buffer(bytes.data(), bytes.size()), as_result);
  if (error) co_return lost(error);
  co_return size;
}

class PlainTransport final : public ServerTransport {
 public:
  using ServerTransport::ServerTransport;

  Task<Result<void>> handshake() override { co_return Result<void>(); }
  Task<Result<std::size_t>> read_some(std::span<char> into) override { return read_some_of(socket_, into); }
  Task<Result<std::size_t>> write_some(std::string_view bytes) override {
    return write_some_of(socket_, bytes);
  }
  Task<void> finish() override {
    boost::system::error_code ignored;
    socket_.shutdown(tcp::socket::shutdown_send, ignored);
    co_return;
  }
};

class TlsTransport final : public ServerTransport {
 public:
  TlsTransport(tcp::socket socket, asio::ssl::context& context)
      : ServerTransport(std::move(socket)), stream_(socket_, context) {}

  Task<Result<void>> handshake() override {
    const auto [error] = co_await stream_.async_handshake(asio::ssl::stream_base::server, as_result);
    if (error) co_return lost(error);
    co_return Result<void>();
  }
  Task<Result<std::size_t>> read_some(std::span<char> into) override { return read_some_of(stream_, into); }
  Task<Result<std::size_t>> write_some(std::string_view bytes) override {
    return write_some_of(stream_, bytes);
  }
  Task<void> finish() override {
    (void)co_await stream_.async_shutdown(as_result);
    boost::system::error_code ignored;
    socket_.shutdown(tcp::socket::shutdown_send, ignored);
  }

 private:
  asio::ssl::stream<tcp::socket&> stream_;
};

}  // namespace

void ServerTransport::close() {
  boost::system::error_code ignored;
  socket_.close(ignored);
}

void ServerTransport::reset() {
  boost::system::error_code ignored;
  socket_.set_option(asio::socket_base::linger(true, 0), ignored);
  socket_.close(ignored);
}

bool ServerTransport::peer_closed() {
  if (!socket_.is_open()) return true;
  char byte = 0;
  const auto size = ::recv(socket_.native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  return size == 0 || (size < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR);
}

std::string ServerTransport::local_authority() const {
  boost::system::error_code error;
  const auto endpoint = socket_.local_endpoint(error);
  if (error) return "localhost";
  const std::string address = endpoint.address().to_string();
  return endpoint.address().is_v6() ? fmt::format("[{}]:{}", address, endpoint.port())
                                    : fmt::format("{}:{}", address, endpoint.port());
}

std::unique_ptr<ServerTransport> plain_transport(tcp::socket socket) {
  return std::make_unique<PlainTransport>(std::move(socket));
}

std::unique_ptr<ServerTransport> tls_transport(tcp::socket socket, asio::ssl::context& context) {
  return std::make_unique<TlsTransport>(std::move(socket), context);
}

}  // namespace ferryman::net
