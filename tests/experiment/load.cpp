// SPDX-License-Identifier: Apache-2.0
// The load: requests at a steady rate, to each address in turn, some on connections of their own and some on
// kept ones. Nothing is tried again. Prints a JSON line each second: {"at": Unix time, "sent", "200", "503",
// …, "connection" (refused, reset or closed without an answer), "timeout"}; a request counts in the second it
// ends.
#include <fmt/format.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <cstdio>
#include <deque>
#include <map>
#include <memory>
#include <random>

#include "experiment/traffic.h"

namespace ferryman::experiment {

namespace {

using Code = boost::system::error_code;
using Clock = std::chrono::steady_clock;
constexpr std::size_t longest_answer = 16'384;
constexpr std::string_view kept_request = "GET / HTTP/1.1\r\nHost: shop\r\n\r\n";
constexpr std::string_view last_request = "GET / HTTP/1.1\r\nHost: shop\r\nConnection: close\r\n\r\n";

class Connection {
 public:
  Connection(boost::asio::io_context& context, std::size_t place_in) : socket(context), place(place_in) {}

  Tcp::socket socket;
  std::size_t place;  // which address
  Clock::time_point opened = Clock::now();
};

class Load {
 public:
  Load(boost::asio::io_context& context, const LoadOrder& order)
      : context_(context), order_(order), kept_(order.to.size()), next_(context), second_(context) {}

  void start() {
    begun_ = Clock::now();
    send_due();
    tell_soon();
  }

  [[nodiscard]] bool over() const { return sent_ == order_.requests && running_ == 0; }
  void ended(const std::string& how);
  void keep(std::shared_ptr<Connection> connection);
  [[nodiscard]] const LoadOrder& order() const { return order_; }

 private:
  void send_due();
  void send_one();
  std::shared_ptr<Connection> take_kept(std::size_t place);
  void tell_soon();
  void tell();

  boost::asio::io_context& context_;
  const LoadOrder& order_;
  std::vector<std::deque<std::shared_ptr<Connection>>> kept_;  // idle ones, by address
  boost::asio::steady_timer next_;
  boost::asio::steady_timer second_;
  std::minstd_rand chance_{1};
  Clock::time_point begun_;
  std::uint64_t sent_ = 0;
  std::uint64_t told_ = 0;
  std::uint64_t running_ = 0;
  std::map<std::string, std::uint64_t> ends_;  // of this second
};

class Request : public std::enable_shared_from_this<Request> {
 public:
  Request(boost::asio::io_context& context, Load& load, bool last)
      : load_(load), last_(last), timer_(context) {}

  void start(std::shared_ptr<Connection> connection, bool connected) {
    connection_ = std::move(connection);
    timer_.expires_after(std::chrono::milliseconds{load_.order().timeout_ms});
    timer_.async_wait([self = shared_from_this()](const Code& cancelled) {
      if (!cancelled) self->end("timeout");
    });
    if (connected) return write();
    connection_->socket.async_connect(load_.order().to[connection_->place],
                                      [self = shared_from_this()](const Code& failed) {
                                        if (failed) return self->end("connection");
                                        Code ignored;
                                        self->connection_->socket.set_option(Tcp::no_delay(true), ignored);
                                        self->write();
                                      });
  }

 private:
  void write() {
    boost::asio::async_write(connection_->socket, boost::asio::buffer(last_ ? last_request : kept_request),
                             [self = shared_from_this()](const Code& failed, std::size_t) {
                               if (failed) return self->end("connection");
                               self->read();
                             });
  }

  void read() {
    boost::asio::async_read_until(connection_->socket, boost::asio::dynamic_buffer(text_, longest_answer),
                                  "\r\n\r\n",
                                  [self = shared_from_this()](const Code& failed, std::size_t head) {
                                    if (failed) return self->end("connection");
                                    self->read_body(head);
                                  });
  }

  /// The body of a good answer is three bytes; of others only the status counts, and their connection ends.
  void read_body(std::size_t head) {
    const std::string status = text_.substr(std::min<std::size_t>(9, text_.size()), 3);
    if (status != "200") return end(status);
    if (text_.size() >= head + 3) return end(status);
    connection_->socket.async_read_some(
        boost::asio::buffer(rest_), [self = shared_from_this(), head](const Code& failed, std::size_t size) {
          if (failed) return self->end("connection");
          self->text_.append(self->rest_.data(), size);
          self->read_body(head);
        });
  }

  void end(const std::string& how) {
    if (ended_) return;
    ended_ = true;
    timer_.cancel();
    if (how == "200" && !last_) {
      load_.keep(connection_);
    } else {
      Code ignored;
      connection_->socket.close(ignored);
    }
    load_.ended(how);
  }

  Load& load_;
  bool last_;  // on its connection
  boost::asio::steady_timer timer_;
  std::shared_ptr<Connection> connection_;
  std::string text_;
  std::array<char, 64> rest_;
  bool ended_ = false;
};

void Load::ended(const std::string& how) {
  ++ends_[how];
  --running_;
  if (over()) next_.cancel(), second_.cancel(), tell();
}

void Load::keep(std::shared_ptr<Connection> connection) {
  kept_[connection->place].push_back(std::move(connection));
}

std::shared_ptr<Connection> Load::take_kept(std::size_t place) {
  auto& idle = kept_[place];
  const auto oldest = Clock::now() - std::chrono::milliseconds{order_.oldest_ms};
  while (!idle.empty()) {
    auto connection = std::move(idle.front());
    idle.pop_front();
    if (connection->opened >= oldest) return connection;
  }
  return nullptr;
}

void Load::send_one() {
  const std::size_t place = sent_ % order_.to.size();
  const bool fresh = static_cast<double>(chance_() % 1000) < order_.fresh * 1000;
  ++sent_;
  ++running_;
  auto connection = fresh ? nullptr : take_kept(place);
  const bool connected = connection != nullptr;
  if (!connected) connection = std::make_shared<Connection>(context_, place);
  std::make_shared<Request>(context_, *this, fresh)->start(std::move(connection), connected);
}

/// What is due by now, however late this runs: a slow moment costs no request.
void Load::send_due() {
  const double elapsed = std::chrono::duration<double>(Clock::now() - begun_).count();
  const auto due = std::min(order_.requests, static_cast<std::uint64_t>(elapsed * order_.per_second) + 1);
  constexpr int most_at_once = 50;  // a machine that was away is not flooded
  for (int i = 0; i < most_at_once && sent_ < due; ++i) send_one();
  if (sent_ == order_.requests) return;
  next_.expires_after(std::chrono::milliseconds{2});
  next_.async_wait([this](const Code& cancelled) {
    if (!cancelled) send_due();
  });
}

void Load::tell_soon() {
  second_.expires_after(std::chrono::seconds{1});
  second_.async_wait([this](const Code& cancelled) {
    if (cancelled) return;
    tell();
    tell_soon();
  });
}

void Load::tell() {
  const auto now = std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
  std::string line = fmt::format("{{\"at\": {:.3f}, \"sent\": {}", now, sent_ - told_);
  for (const auto& [how, count] : ends_) line += fmt::format(", \"{}\": {}", how, count);
  told_ = sent_;
  ends_.clear();
  std::puts((line + "}").c_str());
  std::fflush(stdout);
}

}  // namespace

int load(const LoadOrder& order) {
  boost::asio::io_context context(1);
  Load load(context, order);
  load.start();
  context.run();
  return 0;
}

}  // namespace ferryman::experiment
