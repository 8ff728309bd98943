// SPDX-License-Identifier: Apache-2.0
// Haproxy: Debian's haproxy as a front that speaks TLS and HTTP/2 and passes requests on to a plain HTTP/1.1
// server. It inherits a listening socket, so no port is ever guessed, and a second one can take over a
// stopped one's port.
#pragma once

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

namespace ferryman::test {

/// A socket that listens on a free port of 127.0.0.1, and outlives the processes that accept on it.
class ListeningSocket {
 public:
  ListeningSocket() : descriptor_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    socklen_t size = sizeof address;
    const bool listens = ::bind(descriptor_, generic, size) == 0 && ::listen(descriptor_, 128) == 0 &&
                         ::getsockname(descriptor_, generic, &size) == 0;
    if (!listens) throw std::runtime_error("cannot listen on 127.0.0.1");
    port_ = ntohs(address.sin_port);
  }
  ~ListeningSocket() { ::close(descriptor_); }
  ListeningSocket(const ListeningSocket&) = delete;
  ListeningSocket& operator=(const ListeningSocket&) = delete;

  [[nodiscard]] int descriptor() const { return descriptor_; }
  [[nodiscard]] std::uint16_t port() const { return port_; }

 private:
  int descriptor_;
  std::uint16_t port_ = 0;
};

class Haproxy {
 public:
  /// `certificate_and_key_pem`: both in one text. `backend`: "127.0.0.1:8080".
  Haproxy(const ListeningSocket& socket, const std::string& certificate_and_key_pem,
          const std::string& backend) {
    std::string pattern = (std::filesystem::temp_directory_path() / "ferryman-haproxy-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary directory");
    folder_ = pattern;
    std::ofstream(folder_ / "front.pem") << certificate_and_key_pem;
    std::ofstream(folder_ / "haproxy.cfg")
        << "global\n  nbthread 1\ndefaults\n  mode http\n  timeout connect 5s\n  timeout client 10m\n"
           "  timeout server 10m\n  timeout http-keep-alive 10m\nfrontend front\n  bind fd@"
        << socket.descriptor() << " ssl crt " << (folder_ / "front.pem").string()
        << " alpn h2,http/1.1\n  default_backend back\nbackend back\n  server one " << backend << "\n";
    start();
  }
  ~Haproxy() {
    ::kill(process_, SIGCONT);
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
    std::filesystem::remove_all(folder_);
  }
  Haproxy(const Haproxy&) = delete;
  Haproxy& operator=(const Haproxy&) = delete;

  static bool installed() { return std::filesystem::exists(program); }

  /// From now on it neither reads nor writes, but its connections stay open: a peer gone silent.
  void freeze() const {
    ::kill(process_, SIGSTOP);
    ::waitpid(process_, nullptr, WUNTRACED);
  }
  void thaw() const { ::kill(process_, SIGCONT); }

 private:
  static constexpr const char* program = "/usr/sbin/haproxy";

  void start() {
    const std::string config = (folder_ / "haproxy.cfg").string();
    process_ = ::fork();
    if (process_ < 0) throw std::runtime_error("cannot fork");
    if (process_ > 0) return;
    const int silent = ::open("/dev/null", O_RDWR);
    for (const int stream : {0, 1, 2}) ::dup2(silent, stream);
    ::execl(program, program, "-db", "-f", config.c_str(), nullptr);
    ::_exit(127);
  }

  std::filesystem::path folder_;
  pid_t process_ = -1;
};

}  // namespace ferryman::test
