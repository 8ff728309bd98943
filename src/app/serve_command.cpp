// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <csignal>
#include <random>

#include "app/commands.h"
#include "app/daemon.h"
#include "app/real_files.h"
#include "app/stderr_log.h"
#include "net/beast_server.h"
#include "net/curl_client.h"

namespace ferryman::app {

namespace {

namespace asio = boost::asio;

net::ServerOptions server_options(const Address& listen) {
  net::ServerOptions options;
  options.address = listen.host.empty() ? "0.0.0.0" : listen.host;
  options.port = listen.port;
  options.most_body_bytes = 4096;  // nobody has to tell us anything
  options.most_connections = 100;
  return options;
}

std::uint64_t seed() {
  std::random_device device;
  return (std::uint64_t{device()} << 32U) | device();
}

/// The daemon on the real platform: one event loop, one thread.
class Service {
 public:
  Service(const Invocation& invocation, Settings settings)
      : settings_(std::move(settings)),
        sink_(settings_.log.json),
        log_(sink_, clock_, settings_.log.level),
        http_(clock_, invocation.environment),
        daemon_(settings_, Platform{clock_, random_, http_, invocation.files, invocation.environment, sink_}),
        server_(clock_, log_, daemon_.probes(), server_options(settings_.listen)),
        root_(clock_, log_) {}

  [[nodiscard]] const std::vector<std::string>& problems() const { return daemon_.problems(); }
  Result<std::uint16_t> listen() { return server_.start(); }

  int run(std::uint16_t port) {
    log_.info("http.listening", {{"address", server_options(settings_.listen).address}, {"port", port}});
    wait_for_signal();
    root_.spawn("daemon", work());
    while (root_.size() > 0) loop_.run_one();
    return root_.failures() == 0 ? exit_done : exit_failed;
  }

 private:
  Task<void> work() {
    co_await daemon_.run();
    co_await server_.stop(Deadline::after(clock_, std::chrono::seconds{1}));
    signals_.cancel();
  }

  // Plain callbacks: they only tell the daemon. A second signal is for people who will not wait.
  void wait_for_signal() {
    signals_.async_wait([this](const boost::system::error_code& error, int number) {
      if (error) return;
      if (stopping_) ::_exit(exit_failed);
      stopping_ = true;
      log_.info("signal.received", {{"signal", number == SIGTERM ? "SIGTERM" : "SIGINT"}});
      daemon_.stop(Deadline::after(clock_, settings_.shutdown_grace));
      wait_for_signal();
    });
  }

  Settings settings_;
  asio::io_context loop_{1};
  RealClock clock_{loop_.get_executor()};
  Random random_{seed()};
  StderrLog sink_;
  Log log_;
  asio::signal_set signals_{loop_, SIGTERM, SIGINT};
  net::CurlClient http_;
  Daemon daemon_;
  net::BeastServer server_;
  Scope root_;
  bool stopping_ = false;
};

}  // namespace

int run_serve(const Invocation& invocation, const ResolvedSettings& resolved) {
  Service service(invocation, Settings(resolved));
  if (!service.problems().empty()) return refuse(invocation, "serve", service.problems());
  const auto port = service.listen();
  if (!port) {
    return refuse(invocation, "serve",
                  {fmt::format("setting listen: {} from {} cannot be used: {}; free it or set --listen",
                               format_address(resolved.address("listen")), resolved.source("listen"),
                               port.error().text)});
  }
  return service.run(*port);
}

}  // namespace ferryman::app
