// SPDX-License-Identifier: Apache-2.0
#include "app/sandbox_server.h"

#include <fmt/format.h>

#include <array>

namespace ferryman::app {

namespace {

constexpr const char* loopback = "127.0.0.1";

net::ServerOptions on_port(std::uint16_t port) {
  net::ServerOptions options;
  options.address = loopback;
  options.port = port;
  return options;
}

// Where Debian, Fedora and Alpine keep the system's authorities.
std::string system_ca(Files& files) {
  for (const char* path :
       {"/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem"}) {
    if (auto text = files.read(path)) return std::move(*text);
  }
  return {};
}

Error cure_dir(const SandboxSettings& settings, const Error& error) {
  return {Fault::invalid,
          settings.dir.empty()
              ? fmt::format("{}; set --dir, or TMPDIR to a folder that is yours", error.text)
              : fmt::format("setting dir from flag --dir: {}; name a folder that is yours", error.text)};
}

}  // namespace

SandboxServer::SandboxServer(Clock& clock, const Log& log, const sandbox::Scenario& scenario)
    : clock_(clock),
      log_(log),
      scenario_(scenario),
      scope_(clock, log),
      world_(clock, scope_, sandbox::world_settings(scenario)),
      control_handler_(world_) {
  sandbox::populate(world_, scenario_);
}

Result<std::string> SandboxServer::listen(std::unique_ptr<net::BeastServer>& server, std::string_view setting,
                                          net::HttpHandler& handler, net::ServerOptions options) {
  const bool tls = !options.certificate_pem.empty();
  server = std::make_unique<net::BeastServer>(clock_, log_, handler, std::move(options));
  const auto port = server->start();
  if (port) return fmt::format("{}://{}:{}", tls ? "https" : "http", loopback, *port);
  server.reset();
  return Error(Fault::invalid,
               fmt::format("setting {}: {}; free the port or take 0", setting, port.error().text));
}

Result<net::Certificate> SandboxServer::certify() {
  auto authority = net::CertificateAuthority::make("Ferryman sandbox", clock_.wall());
  if (!authority) return authority.error();
  access_.ca_pem = authority->pem();
  return authority->sign_server({loopback, "localhost"});
}

Result<void> SandboxServer::start(const SandboxSettings& settings, const Environment& environment,
                                  Files& files) {
  const auto certificate = certify();
  if (!certificate) return certificate.error();
  net::ServerOptions kubernetes = on_port(settings.kubernetes_port);
  kubernetes.certificate_pem = certificate->pem;
  kubernetes.key_pem = certificate->key_pem;
  net::ServerOptions aws = on_port(settings.aws_port);
  if (settings.tls) {
    aws.certificate_pem = certificate->pem;
    aws.key_pem = certificate->key_pem;
  }

  const auto aws_url = listen(aws_, "aws-port", world_.aws_endpoint(), std::move(aws));
  if (!aws_url) return aws_url.error();
  const auto kube_url =
      listen(kubernetes_, "kubernetes-port", world_.kubernetes_endpoint(), std::move(kubernetes));
  if (!kube_url) return kube_url.error();
  const auto control_url = listen(control_, "control-port", control_handler_, on_port(settings.control_port));
  if (!control_url) return control_url.error();
  if (auto opened = folder_.open(settings.dir, environment.get("TMPDIR")); !opened)
    return cure_dir(settings, opened.error());

  access_.aws_url = *aws_url;
  access_.kubernetes_url = *kube_url;
  access_.control_url = *control_url;
  access_.access_key_id = world_.access_key().id;
  access_.secret_access_key = world_.access_key().secret;
  access_.token = world_.token();
  access_.region = scenario_.region;
  access_.queue_url = fmt::format("{}/{}/{}", *aws_url, scenario_.account, scenario_.queue);
  access_.folder = folder_.path();
  access_.tls = settings.tls;
  auto written = write_access_files(access_, settings.tls ? system_ca(files) : std::string());
  if (!written) return cure_dir(settings, written.error());
  if (settings.env_file.empty()) return {};
  written = env_file_.write(settings.env_file, shell_lines(sandbox_variables(access_)));
  if (written) return {};
  return Error(
      Fault::invalid,
      fmt::format("setting env-file from flag --env-file: {}; name a file in a folder that exists and "
                  "is yours",
                  written.error().text));
}

// Watches of clients that are gone never end by themselves: what still runs is cut off soon.
Task<void> SandboxServer::stop() {
  constexpr Duration for_running_calls = std::chrono::milliseconds{200};
  const std::array<net::BeastServer*, 3> servers{control_.get(), aws_.get(), kubernetes_.get()};
  for (net::BeastServer* server : servers) {
    if (server != nullptr) co_await server->stop(Deadline::after(clock_, for_running_calls));
  }
  scope_.cancel();
  co_await scope_.join(Deadline::after(clock_, std::chrono::seconds{5}));
}

std::size_t SandboxServer::messages_left() {
  const sandbox::Queue* queue = world_.aws().queues().find(scenario_.queue);
  if (queue == nullptr) return 0;
  const sandbox::QueueCounts counts = queue->counts();
  return counts.visible + counts.in_flight + counts.delayed;
}

}  // namespace ferryman::app
