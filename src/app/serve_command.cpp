// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "app/child_setup.h"
#include "app/commands.h"
#include "app/daemon.h"
#include "app/process_loop.h"
#include "app/real_programs.h"
#include "app/region_lookup.h"
#include "app/stray_variables.h"
#include "net/beast_server.h"
#include "net/curl_client.h"

namespace ferryman::app {

namespace {

net::ServerOptions server_options(const Address& listen) {
  net::ServerOptions options;
  options.address = listen.host.empty() ? "0.0.0.0" : listen.host;
  options.port = listen.port;
  options.most_body_bytes = 4096;  // nobody has to tell us anything
  options.most_connections = 100;
  return options;
}

/// The daemon on the real platform.
class Service {
 public:
  Service(const Invocation& invocation, Settings settings)
      : settings_(std::move(settings)),
        strays_(stray_variables(serve_table(), invocation.environment)),
        loop_(settings_.log),
        http_(loop_.clock(), invocation.environment),
        programs_(loop_.clock(), invocation.environment),
        platform_{loop_.clock(),          loop_.random(), http_,    invocation.files,
                  invocation.environment, loop_.sink(),   programs_},
        daemon_(complete(), platform_),
        server_(loop_.clock(), loop_.log(), daemon_.probes(), server_options(settings_.listen)) {}

  [[nodiscard]] const std::vector<std::string>& problems() const { return daemon_.problems(); }
  Result<std::uint16_t> listen() { return server_.start(); }

  int run(std::uint16_t port) {
    if (loop_.stopping()) return exit_done;
    name_strays();
    loop_.log().info("http.listening",
                     {{"address", server_options(settings_.listen).address}, {"port", port}});
    loop_.on_signal([this] { daemon_.stop(Deadline::after(loop_.clock(), settings_.shutdown_grace)); });
    const bool in_order = loop_.run("daemon", work());
    if (!daemon_.refusal().empty()) return exit_settings;
    return in_order ? exit_done : exit_failed;
  }

 private:
  void name_strays() {
    for (const StrayVariable& stray : strays_) {
      loop_.log().warn(
          "setting.unknown",
          {{"variable", stray.name},
           {"cure", stray.meant.empty() ? "remove it: no setting reads it"
                                        : "no setting reads it; did you mean " + stray.meant + "?"}});
    }
  }

  const Settings& complete() {
    if (lacks_region(settings_, platform_))
      loop_.run("region", take_region_from_instance(settings_, platform_, loop_.log()));
    return settings_;
  }

  // Probes are answered to the end: the kubelet must see that we are alive and not ready.
  Task<void> work() {
    co_await daemon_.run();
    co_await server_.stop(Deadline::after(loop_.clock(), std::chrono::seconds{1}));
  }

  Settings settings_;
  std::vector<StrayVariable> strays_;
  ProcessLoop loop_;
  net::CurlClient http_;
  RealPrograms programs_;
  Platform platform_;
  Daemon daemon_;
  net::BeastServer server_;
};

}  // namespace

int run_serve(const Invocation& invocation, const ResolvedSettings& resolved) {
  if (const auto parent = resolved.integer("end-with");
      parent != 0 && !end_with_parent(static_cast<pid_t>(parent))) {
    return refuse(invocation, "serve",
                  {fmt::format("{} is not the process that started this one; leave it out",
                               resolved.told("end-with"))});
  }
  Service service(invocation, Settings(resolved));
  if (!service.problems().empty()) return refuse(invocation, "serve", service.problems());
  const auto port = service.listen();
  if (port) return service.run(*port);
  return refuse(invocation, "serve",
                {fmt::format("setting listen: {} from {} cannot be used: {}; free it or set --listen",
                             format_address(resolved.address("listen")), resolved.source("listen"),
                             port.error().text)});
}

}  // namespace ferryman::app
