// SPDX-License-Identifier: Apache-2.0
#include "net/beast_server.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <list>
#include <optional>

#include "net/server_connection.h"
#include "net/server_context.h"

namespace ferryman::net {

namespace asio = boost::asio;
using asio::ip::tcp;

namespace {

constexpr Duration after_failed_accept = std::chrono::milliseconds{100};
constexpr int most_doublings = 5;
constexpr Duration look_again_after = std::chrono::milliseconds{100};  // one that was busy may wait by then
constexpr Duration last_words = std::chrono::seconds{5};

}  // namespace

class BeastServer::Listener {
 public:
  Listener(Clock& clock, Log log, HttpHandler& handler, ServerOptions options)
      : options_(std::move(options)),
        setting_(clock, log, handler),
        scope_(clock, log),
        left_(clock),
        acceptor_(clock.executor()) {
    setting_.limits.head_bytes = options_.most_head_bytes;
    setting_.limits.body_bytes = options_.most_body_bytes;
    setting_.idle = options_.idle;
    setting_.handshake = options_.handshake;
  }

  Result<std::uint16_t> start();
  Task<void> stop(Deadline deadline);
  [[nodiscard]] std::uint16_t port() const { return port_; }
  [[nodiscard]] std::uint64_t accepted() const { return accepted_; }
  [[nodiscard]] std::size_t open() const { return connections_.size(); }

 private:
  using Connections = std::list<ServerConnection>;

  Result<void> listen();
  Task<void> accept();
  Task<void> make_room();
  Task<void> after_failure(const std::string& why);
  Task<void> serve(Connections::iterator connection);
  Task<void> close_overdue();

  ServerOptions options_;
  ServerSetting setting_;
  std::optional<asio::ssl::context> tls_;
  Connections connections_;
  Scope scope_;
  Signal left_;
  tcp::acceptor acceptor_;
  std::uint16_t port_ = 0;
  std::uint64_t accepted_ = 0;
  int failed_accepts_ = 0;  // in a row
};

Result<std::uint16_t> BeastServer::Listener::start() {
  if (!options_.certificate_pem.empty()) {
    auto context = make_server_context(options_.certificate_pem, options_.key_pem, options_.client_ca_pem);
    if (!context) return std::move(context).error();
    tls_.emplace(std::move(*context));
    setting_.scheme = "https";
  }
  if (auto listening = listen(); !listening) return std::move(listening).error();
  scope_.spawn("server.accept", accept());
  scope_.spawn("server.close_overdue", close_overdue());
  return port_;
}

Result<void> BeastServer::Listener::listen() {
  const std::string place = fmt::format("{} port {}", options_.address, options_.port);
  boost::system::error_code error;
  const auto address = asio::ip::make_address(options_.address, error);
  if (error)
    return Error(Fault::invalid, fmt::format("\"{}\" is not an IP address to listen on", options_.address));
  const tcp::endpoint endpoint(address, options_.port);
  (void)acceptor_.open(endpoint.protocol(), error);
  if (!error) (void)acceptor_.set_option(asio::socket_base::reuse_address(true), error);
  if (!error) (void)acceptor_.bind(endpoint, error);
  if (!error) (void)acceptor_.listen(asio::socket_base::max_listen_connections, error);
  if (error)
    return Error(Fault::transport, fmt::format("could not listen on {}: {}", place, error.message()));
  port_ = acceptor_.local_endpoint(error).port();
  return {};
}

Task<void> BeastServer::Listener::accept() {
  while (!setting_.stopping) {
    auto [error, socket] = co_await acceptor_.async_accept(asio::as_tuple(asio::use_awaitable));
    if (setting_.stopping || error == asio::error::operation_aborted) co_return;
    if (error) {  // out of descriptors, or the client has gone again
      co_await after_failure(error.message());
      continue;
    }
    failed_accepts_ = 0;
    while (connections_.size() >= options_.most_connections && !setting_.stopping) co_await make_room();
    if (setting_.stopping) co_return;
    boost::system::error_code ignored;
    (void)socket.set_option(tcp::no_delay(true), ignored);
    ++accepted_;
    const auto connection = connections_.emplace(
        connections_.end(), setting_,
        tls_ ? tls_transport(std::move(socket), *tls_) : plain_transport(std::move(socket)));
    scope_.spawn("server.connection", serve(connection));
    if (setting_.clock.now() + options_.handshake < setting_.next_look) setting_.look_again.notify_all();
  }
}

/// The oldest connection that has not sent a whole request makes room: clients that open connections and say
/// nothing must not keep out those that ask.
Task<void> BeastServer::Listener::make_room() {
  const auto oldest = std::find_if(connections_.begin(), connections_.end(),
                                   [](const ServerConnection& connection) { return connection.waiting(); });
  if (oldest != connections_.end()) oldest->close();
  co_await left_.wait_until(setting_.clock.now() + look_again_after);
}

/// Said once for a row of failures; the pause grows, so that a lack of descriptors costs neither log nor
/// processor.
Task<void> BeastServer::Listener::after_failure(const std::string& why) {
  const int doublings = std::min(failed_accepts_++, most_doublings);
  const Level level = doublings == 0 ? Level::warn : Level::debug;
  setting_.log.write(level, "server.accept_failed", {{"error", why}});
  co_await setting_.clock.sleep_for(after_failed_accept * (1 << doublings));
}

Task<void> BeastServer::Listener::serve(Connections::iterator connection) {
  struct Leave {
    Listener& listener;
    Connections::iterator place;
    ~Leave() {
      listener.connections_.erase(place);
      listener.left_.notify_all();
      if (listener.setting_.stopping) listener.setting_.look_again.notify_all();
    }
  };
  const Leave leave{*this, connection};
  co_await connection->run();
}

/// One loop over all connections instead of a timer for each.
Task<void> BeastServer::Listener::close_overdue() {
  while (!setting_.stopping || !connections_.empty()) {
    const SteadyTime now = setting_.clock.now();
    SteadyTime next = now + options_.idle;
    for (ServerConnection& connection : connections_) {
      const bool over = connection.due() <= now || (setting_.stopping && connection.idle());
      if (over) {
        connection.close();
      } else {
        next = std::min(next, connection.due());
      }
    }
    setting_.next_look = next;
    co_await setting_.look_again.wait_until(next);
  }
}

Task<void> BeastServer::Listener::stop(Deadline deadline) {
  setting_.stopping = true;
  boost::system::error_code ignored;
  acceptor_.close(ignored);
  left_.notify_all();
  setting_.look_again.notify_all();
  if (co_await scope_.join(deadline)) co_return;
  scope_.cancel();
  for (ServerConnection& connection : connections_) connection.close();
  (void)co_await scope_.join(Deadline::after(setting_.clock, last_words));
}

BeastServer::BeastServer(Clock& clock, Log log, HttpHandler& handler, ServerOptions options)
    : listener_(std::make_unique<Listener>(clock, std::move(log), handler, std::move(options))) {}

BeastServer::~BeastServer() = default;

Result<std::uint16_t> BeastServer::start() {
  return listener_->start();
}
Task<void> BeastServer::stop(Deadline deadline) {
  return listener_->stop(deadline);
}
std::uint16_t BeastServer::port() const {
  return listener_->port();
}
std::uint64_t BeastServer::connections_accepted() const {
  return listener_->accepted();
}
std::size_t BeastServer::connections_open() const {
  return listener_->open();
}

}  // namespace ferryman::net
