// SPDX-License-Identifier: Apache-2.0
#include "net/curl_multi.h"

#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio/posix/stream_descriptor.hpp>
#include <charconv>
#include <string_view>

namespace ferryman::net {

namespace asio = boost::asio;

/// One socket that libcurl wants to hear about. Handlers share it, so it outlives its place in the map.
struct CurlMulti::Watch {
  Watch(const asio::any_io_executor& executor, curl_socket_t socket_in)
      : socket(socket_in), descriptor(executor, socket_in) {}

  curl_socket_t socket;
  asio::posix::stream_descriptor descriptor;
  int wanted = CURL_POLL_NONE;
  bool reading = false;
  bool writing = false;
};

// Idle connections to keep, for all hosts together. libcurl's own limit is four times the running calls,
// which would close a quiet daemon's connections; each costs about 74 KiB with TLS.
constexpr long most_idle_connections = 24;

CurlMulti::CurlMulti(Clock& clock) : clock_(clock), multi_(curl_multi_init()), timer_(clock.executor()) {
  curl_multi_setopt(multi_, CURLMOPT_SOCKETFUNCTION, &CurlMulti::on_socket);
  curl_multi_setopt(multi_, CURLMOPT_SOCKETDATA, this);
  curl_multi_setopt(multi_, CURLMOPT_TIMERFUNCTION, &CurlMulti::on_timer);
  curl_multi_setopt(multi_, CURLMOPT_TIMERDATA, this);
  curl_multi_setopt(multi_, CURLMOPT_PIPELINING, CURLPIPE_MULTIPLEX);
  curl_multi_setopt(multi_, CURLMOPT_MAXCONNECTS, most_idle_connections);
}

CurlMulti::~CurlMulti() {
  alive_.reset();
  curl_multi_cleanup(multi_);
  for (auto& [socket, watch] : watches_) {
    watch->wanted = CURL_POLL_REMOVE;
    watch->descriptor.release();
  }
}

bool CurlMulti::add(CURL* easy, Owner& owner) {
  curl_easy_setopt(easy, CURLOPT_PRIVATE, &owner);
  return curl_multi_add_handle(multi_, easy) == CURLM_OK;
}

void CurlMulti::remove(CURL* easy) {
  curl_multi_remove_handle(multi_, easy);
}

int CurlMulti::on_socket(CURL* /*easy*/, curl_socket_t socket, int what, void* self, void* /*watch*/) {
  static_cast<CurlMulti*>(self)->watch(socket, what);
  return 0;
}

void CurlMulti::watch(curl_socket_t socket, int what) {
  const auto found = watches_.find(socket);
  if (what == CURL_POLL_REMOVE) {
    if (found == watches_.end()) return;
    found->second->wanted = CURL_POLL_REMOVE;
    found->second->descriptor.release();  // libcurl closes it, not Asio
    watches_.erase(found);
    return;
  }
  const auto watch =
      found != watches_.end()
          ? found->second
          : watches_.emplace(socket, std::make_shared<Watch>(clock_.executor(), socket)).first->second;
  watch->wanted = what;
  arm(watch);
}

void CurlMulti::arm(const std::shared_ptr<Watch>& watch) {
  using Wait = asio::posix::stream_descriptor::wait_type;
  const auto arm_one = [&](Wait wait, bool Watch::* pending, int event) {
    if (std::exchange((*watch).*pending, true)) return;
    watch->descriptor.async_wait(wait, [this, watch, pending, event](boost::system::error_code error) {
      (*watch).*pending = false;
      if (watch->wanted != CURL_POLL_REMOVE) ready(watch, error ? CURL_CSELECT_ERR : event);
    });
  };
  if ((watch->wanted & CURL_POLL_IN) != 0) arm_one(Wait::wait_read, &Watch::reading, CURL_CSELECT_IN);
  if ((watch->wanted & CURL_POLL_OUT) != 0) arm_one(Wait::wait_write, &Watch::writing, CURL_CSELECT_OUT);
}

void CurlMulti::ready(const std::shared_ptr<Watch>& watch, int event) {
  const int direction = event == CURL_CSELECT_OUT ? CURL_POLL_OUT : CURL_POLL_IN;
  if (event != CURL_CSELECT_ERR && (watch->wanted & direction) == 0) return;  // no longer wanted
  act(watch->socket, event);
  if (watch->wanted != CURL_POLL_REMOVE) arm(watch);
}

// libcurl's timer is not a deadline of ours: it drives its own work (the next address to try, "run me now"),
// so it follows the machine's clock and not ours.
int CurlMulti::on_timer(CURLM* /*multi*/, long milliseconds, void* self) {
  auto& multi = *static_cast<CurlMulti*>(self);
  if (milliseconds < 0) {
    multi.timer_.cancel();
    return 0;
  }
  multi.timer_.expires_after(std::chrono::milliseconds{milliseconds});
  multi.timer_.async_wait([&multi, alive = std::weak_ptr(multi.alive_)](boost::system::error_code error) {
    if (!error && !alive.expired()) multi.act(CURL_SOCKET_TIMEOUT, 0);
  });
  return 0;
}

void CurlMulti::act(curl_socket_t socket, int event) {
  int running = 0;
  curl_multi_socket_action(multi_, socket, event, &running);
  collect();
}

void CurlMulti::collect() {
  int left = 0;
  while (const CURLMsg* message = curl_multi_info_read(multi_, &left)) {
    if (message->msg != CURLMSG_DONE) continue;
    CURL* easy = message->easy_handle;
    const CURLcode code = message->data.result;
    char* owner = nullptr;  // the type that libcurl gives its private pointer
    curl_easy_getinfo(easy, CURLINFO_PRIVATE, &owner);
    remove(easy);  // the message dies here, and the connection is free for others
    reinterpret_cast<Owner*>(owner)->finished(code);
  }
}

void CurlMulti::keep_book(CURL* easy) {
  curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, &CurlMulti::on_open);
  curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, this);
  curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, &CurlMulti::on_close);
  curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, this);
}

curl_socket_t CurlMulti::on_open(void* self, curlsocktype /*purpose*/, curl_sockaddr* address) {
  auto& multi = *static_cast<CurlMulti*>(self);
  const int socket = ::socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
  if (socket < 0) return CURL_SOCKET_BAD;
  multi.book_[socket].serial = ++multi.serial_;
  return socket;
}

int CurlMulti::on_close(void* self, curl_socket_t socket) {
  static_cast<CurlMulti*>(self)->book_.erase(socket);
  return ::close(socket);
}

CurlMulti::Connection CurlMulti::find(const char* local_ip, int local_port) const {
  Connection connection;
  for (const auto& [socket, entry] : book_) {
    sockaddr_storage address{};
    socklen_t size = sizeof address;
    char host[NI_MAXHOST] = {};
    char port[NI_MAXSERV] = {};
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    if (::getsockname(socket, generic, &size) != 0) continue;
    constexpr int numeric = NI_NUMERICHOST | NI_NUMERICSERV;
    if (::getnameinfo(generic, size, host, sizeof host, port, sizeof port, numeric) != 0) continue;
    if (std::string_view(port) != std::to_string(local_port) || std::string_view(host) != local_ip) continue;
    connection.socket = socket;
    connection.serial = entry.serial;
    break;
  }
  return connection;
}

void CurlMulti::heard(const Connection& connection) {
  const auto found = book_.find(connection.socket);
  if (found != book_.end() && found->second.serial == connection.serial)
    found->second.last_heard = clock_.now();
}

SteadyTime CurlMulti::last_heard(const Connection& connection) const {
  const auto found = book_.find(connection.socket);
  const bool same = found != book_.end() && found->second.serial == connection.serial;
  return same ? found->second.last_heard : SteadyTime{};
}

void CurlMulti::abandon(const Connection& connection) {
  const auto found = book_.find(connection.socket);
  if (found == book_.end() || found->second.serial != connection.serial) return;
  ::shutdown(connection.socket, SHUT_RDWR);
  act(connection.socket, CURL_CSELECT_IN);
}

}  // namespace ferryman::net
