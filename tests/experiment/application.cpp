// SPDX-License-Identifier: Apache-2.0
// An application process: answers each request with 200 after a little work. It keeps connections until their
// client closes them, so that no request fails for a reason of its own.
#include <boost/asio/io_context.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <list>
#include <memory>

#include "experiment/traffic.h"

namespace ferryman::experiment {

namespace {

using Code = boost::system::error_code;
constexpr std::size_t longest_head = 8192;
constexpr std::string_view answer =
    "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Type: text/plain\r\n\r\nok\n";

class Visit : public std::enable_shared_from_this<Visit> {
 public:
  Visit(Tcp::socket client, std::chrono::milliseconds work)
      : client_(std::move(client)), work_(work), timer_(client_.get_executor()) {}

  void start() {
    Code ignored;
    client_.set_option(Tcp::no_delay(true), ignored);
    read();
  }

 private:
  void read() {
    boost::asio::async_read_until(client_, boost::asio::dynamic_buffer(head_, longest_head), "\r\n\r\n",
                                  [self = shared_from_this()](const Code& failed, std::size_t size) {
                                    if (failed) return;
                                    self->head_.erase(0, size);
                                    self->work();
                                  });
  }

  void work() {
    timer_.expires_after(work_);
    timer_.async_wait([self = shared_from_this()](const Code&) { self->reply(); });
  }

  void reply() {
    boost::asio::async_write(client_, boost::asio::buffer(answer),
                             [self = shared_from_this()](const Code& failed, std::size_t) {
                               if (!failed) self->read();
                             });
  }

  Tcp::socket client_;
  std::chrono::milliseconds work_;
  boost::asio::steady_timer timer_;
  std::string head_;
};

void accept(Tcp::acceptor& port, std::chrono::milliseconds work) {
  port.async_accept([&port, work](const Code& failed, Tcp::socket client) {
    if (!failed) std::make_shared<Visit>(std::move(client), work)->start();
    accept(port, work);
  });
}

}  // namespace

int serve(const std::vector<Tcp::endpoint>& from, int work_ms) {
  boost::asio::io_context context(1);
  std::list<Tcp::acceptor> ports;
  for (const Tcp::endpoint& at : from)
    accept(ports.emplace_back(listen_on(context, at)), std::chrono::milliseconds{work_ms});
  context.run();
  return 0;
}

}  // namespace ferryman::experiment
