// SPDX-License-Identifier: Apache-2.0
// CurlMulti: libcurl's multi handle on the event loop, and a book of the sockets it opened. Internal to
// CurlClient. libcurl's callbacks only change state and wake timers: no coroutine ever runs inside libcurl.
#pragma once

#include <curl/curl.h>

#include <boost/asio/steady_timer.hpp>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "base/clock.h"

namespace ferryman::net {

class CurlMulti {
 public:
  /// Hears once that its easy handle is done; by then the handle is no longer in the multi handle.
  class Owner {
   public:
    virtual ~Owner() = default;
    virtual void finished(CURLcode code) = 0;
  };

  /// Names one connection; a descriptor's number alone would soon name another one.
  class Connection {
   public:
    Connection() = default;
    curl_socket_t socket = CURL_SOCKET_BAD;
    std::uint64_t serial = 0;
  };

  explicit CurlMulti(Clock& clock);
  CurlMulti(const CurlMulti&) = delete;
  CurlMulti& operator=(const CurlMulti&) = delete;
  ~CurlMulti();

  /// False when libcurl refuses (out of memory).
  bool add(CURL* easy, Owner& owner);
  /// Ends a transfer at once; libcurl closes its HTTP/1.1 connection or resets its HTTP/2 stream.
  void remove(CURL* easy);

  /// Makes the easy handle open and close its sockets through the book.
  void keep_book(CURL* easy);
  [[nodiscard]] Connection find(const char* local_ip, int local_port) const;
  /// A byte of an answer came on this connection, on whichever stream.
  void heard(const Connection& connection);
  /// When `heard` was last called; the beginning of time when never, or when the connection is closed.
  [[nodiscard]] SteadyTime last_heard(const Connection& connection) const;
  /// Shuts the socket down: no call uses it again, and its other streams fail over at once.
  void abandon(const Connection& connection);

  /// Hosts ("host:port") where a call waited in vain for a connection; the next call there makes its own
  /// instead of waiting for one that others began.
  void doubt(const std::string& place) { doubted_.insert(place); }
  void trust(const std::string& place) { doubted_.erase(place); }
  [[nodiscard]] bool doubted(const std::string& place) const { return doubted_.count(place) > 0; }

  [[nodiscard]] Clock& clock() const { return clock_; }
  [[nodiscard]] std::uint64_t connections_opened() const { return serial_; }
  [[nodiscard]] std::size_t connections_open() const { return book_.size(); }

 private:
  struct Watch;
  struct Entry {
    std::uint64_t serial = 0;
    SteadyTime last_heard{};
  };

  static int on_socket(CURL* easy, curl_socket_t socket, int what, void* self, void* watch);
  static int on_timer(CURLM* multi, long milliseconds, void* self);
  static curl_socket_t on_open(void* self, curlsocktype purpose, curl_sockaddr* address);
  static int on_close(void* self, curl_socket_t socket);

  void watch(curl_socket_t socket, int what);
  void arm(const std::shared_ptr<Watch>& watch);
  void ready(const std::shared_ptr<Watch>& watch, int event);
  void act(curl_socket_t socket, int event);
  void collect();

  Clock& clock_;
  CURLM* multi_;
  boost::asio::steady_timer timer_;
  std::map<curl_socket_t, std::shared_ptr<Watch>> watches_;
  std::map<curl_socket_t, Entry> book_;
  std::uint64_t serial_ = 0;
  std::set<std::string> doubted_;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace ferryman::net
