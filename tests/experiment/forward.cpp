// SPDX-License-Identifier: Apache-2.0
// A node as its load balancers see it: what comes to a node port goes to an application process somewhere in
// the cluster, connection by connection, as kube-proxy sends it on (externalTrafficPolicy: Cluster).
#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/write.hpp>
#include <list>
#include <memory>
#include <random>

#include "experiment/traffic.h"

namespace ferryman::experiment {

namespace {

using Code = boost::system::error_code;

/// One connection of a client, and the one to an application that belongs to it.
class Link : public std::enable_shared_from_this<Link> {
 public:
  explicit Link(Tcp::socket client) : client_(std::move(client)), application_(client_.get_executor()) {}

  void start(const Tcp::endpoint& to) {
    application_.async_connect(to, [self = shared_from_this()](const Code& failed) {
      if (failed) return self->close();
      Code ignored;
      self->client_.set_option(Tcp::no_delay(true), ignored);
      self->application_.set_option(Tcp::no_delay(true), ignored);
      self->pump(self->client_, self->application_, self->there_);
      self->pump(self->application_, self->client_, self->back_);
    });
  }

 private:
  using Buffer = std::array<char, 8192>;

  void pump(Tcp::socket& from, Tcp::socket& to, Buffer& buffer) {
    from.async_read_some(boost::asio::buffer(buffer), [self = shared_from_this(), &from, &to, &buffer](
                                                          const Code& failed, std::size_t size) {
      if (failed) return self->end(to);
      self->pass(from, to, buffer, size);
    });
  }

  void pass(Tcp::socket& from, Tcp::socket& to, Buffer& buffer, std::size_t size) {
    boost::asio::async_write(
        to, boost::asio::buffer(buffer.data(), size),
        [self = shared_from_this(), &from, &to, &buffer](const Code& failed, std::size_t) {
          if (failed) return self->close();
          self->pump(from, to, buffer);
        });
  }

  /// One side has said all; when both have, the link is over.
  void end(Tcp::socket& to) {
    Code ignored;
    to.shutdown(Tcp::socket::shutdown_send, ignored);
    if (++ended_ == 2) close();
  }

  void close() {
    Code ignored;
    client_.close(ignored);
    application_.close(ignored);
  }

  Tcp::socket client_;
  Tcp::socket application_;
  Buffer there_;
  Buffer back_;
  int ended_ = 0;
};

class Forwarder {
 public:
  Forwarder(boost::asio::io_context& context, const std::vector<Tcp::endpoint>& from,
            std::vector<Tcp::endpoint> to)
      : to_(std::move(to)), chance_(std::random_device{}()) {
    for (const Tcp::endpoint& at : from) accept(ports_.emplace_back(listen_on(context, at)));
  }

 private:
  void accept(Tcp::acceptor& port) {
    port.async_accept([this, &port](const Code& failed, Tcp::socket client) {
      if (!failed) std::make_shared<Link>(std::move(client))->start(to_[chance_() % to_.size()]);
      accept(port);
    });
  }

  std::list<Tcp::acceptor> ports_;
  std::vector<Tcp::endpoint> to_;
  std::minstd_rand chance_;
};

}  // namespace

int forward(const std::vector<Tcp::endpoint>& from, const std::vector<Tcp::endpoint>& to) {
  boost::asio::io_context context(1);
  const Forwarder forwarder(context, from, to);
  context.run();
  return 0;
}

}  // namespace ferryman::experiment
