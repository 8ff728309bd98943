// SPDX-License-Identifier: Apache-2.0
#include "kube/exec_plugin.h"

#include <fmt/format.h>

#include <boost/json/serialize.hpp>

#include "base/json.h"
#include "base/text.h"

namespace ferryman::kube {

namespace {

constexpr Duration longest_run = std::chrono::minutes{1};
constexpr Duration renew_before = std::chrono::minutes{1};
// A token that looks older than this when it is fresh means that our clock is wrong.
constexpr Duration shortest_life = std::chrono::minutes{2};
// Between two runs, whatever the server or the program says.
constexpr Duration pause_between = std::chrono::seconds{5};
constexpr std::size_t longest_text = 300;

std::string exec_info(const ExecPlugin& plugin) {
  json::object spec{{"interactive", false}};
  if (!plugin.cluster.empty()) {
    if (const auto cluster = parse_json(plugin.cluster)) spec["cluster"] = *cluster;
  }
  return json::serialize(json::object{
      {"kind", "ExecCredential"}, {"apiVersion", plugin.api_version}, {"spec", std::move(spec)}});
}

/// The end of what a program wrote to standard error: the reason stands there.
std::string last_words(const std::string& errors) {
  const std::size_t end = errors.find_last_not_of(" \t\r\n") + 1;
  const std::size_t start = end > longest_text ? end - longest_text : 0;
  return to_utf8(errors.substr(start, end - start));
}

class ExecToken final : public TokenSource, public std::enable_shared_from_this<ExecToken> {
 public:
  ExecToken(ExecPlugin plugin, const TokenContext& context)
      : plugin_(std::move(plugin)), context_(context), ended_(context.clock) {
    plugin_.program.variables["KUBERNETES_EXEC_INFO"] = exec_info(plugin_);
  }

  Task<Result<Secret>> get(Deadline deadline) override {
    const Clock& clock = context_.clock;
    for (;;) {
      run_if_due();
      if (usable()) co_return token_;
      const bool waits_for_run = running_;
      const std::uint64_t seen = ended_.version();
      const SteadyTime until = waits_for_run ? deadline.at() : std::min(deadline.at(), next_run_);
      while (ended_.version() == seen && clock.now() < until) co_await ended_.wait_until(until);
      if (usable()) co_return token_;
      if ((waits_for_run && ended_.version() != seen) || deadline.passed(clock))
        co_return last_error_.value_or(Error(Fault::deadline, named("gave no token in time")));
    }
  }

  // A refusal soon after a run was of the token before.
  void refused() override {
    if (context_.clock.now() >= next_run_) valid_until_ = context_.clock.now();
  }

 private:
  [[nodiscard]] bool usable() const { return !token_.empty() && context_.clock.now() < valid_until_; }

  [[nodiscard]] std::string named(std::string_view text) const {
    return fmt::format("the credential program \"{}\" {}", plugin_.program.command, text);
  }

  void run_if_due() {
    const SteadyTime now = context_.clock.now();
    if (running_ || now < next_run_ || (usable() && now < renew_at_)) return;
    running_ = true;
    context_.scope.spawn("kube.exec_plugin", run(shared_from_this()));
  }

  static Task<void> run(std::shared_ptr<ExecToken> self) {
    Clock& clock = self->context_.clock;
    auto output =
        co_await self->context_.programs.run(self->plugin_.program, Deadline::after(clock, longest_run));
    self->running_ = false;
    self->next_run_ = clock.now() + pause_between;
    auto credential = self->read(output);
    if (credential) {
      self->keep(std::move(*credential));
    } else {
      self->failed(std::move(credential).error());
    }
    self->ended_.notify_all();
  }

  [[nodiscard]] Result<ExecCredential> read(const Result<ProgramOutput>& output) const {
    if (!output) {
      const bool missing = output.error().fault == Fault::not_found || output.error().fault == Fault::denied;
      const std::string hint =
          missing && !plugin_.install_hint.empty() ? fmt::format(" ({})", plugin_.install_hint) : "";
      // Always "denied": a missing program must not look like an object that the server does not have.
      return Error(missing ? Fault::denied : output.error().fault,
                   named(fmt::format("cannot be used: {}{}", output.error().text, hint)));
    }
    if (output->status != 0) {
      return Error(Fault::unexpected, named(fmt::format("ended with status {}: {}", output->status,
                                                        last_words(output->errors))));
    }
    auto credential = parse_exec_credential(output->output, plugin_.api_version);
    if (!credential) return Error(Fault::unexpected, named("printed " + credential.error().text));
    return credential;
  }

  void keep(ExecCredential credential) {
    const Clock& clock = context_.clock;
    valid_until_ = SteadyTime::max();
    renew_at_ = SteadyTime::max();
    if (credential.expires) {
      valid_until_ = clock.now() + std::max(*credential.expires - clock.wall(), shortest_life);
      renew_at_ = valid_until_ - renew_before;
    }
    if (token_.empty() || last_error_) {
      context_.log.info("kube.credentials",
                        {{"source", plugin_.program.command},
                         {"expires", credential.expires ? format_rfc3339(*credential.expires) : "never"}});
    }
    token_ = std::move(credential.token);
    last_error_.reset();
  }

  void failed(Error error) {
    context_.log.warn("kube.credentials.failed", {{"error", error}, {"token_left", usable()}});
    last_error_ = std::move(error);
  }

  ExecPlugin plugin_;
  TokenContext context_;
  Signal ended_;
  Secret token_;
  SteadyTime valid_until_{};
  SteadyTime renew_at_{};
  SteadyTime next_run_{};
  std::optional<Error> last_error_;
  bool running_ = false;
};

}  // namespace

Result<ExecCredential> parse_exec_credential(std::string_view output, std::string_view api_version) {
  const auto wrong = [](std::string text) { return Error(Fault::unexpected, std::move(text)); };
  const auto document = parse_json(output);
  if (!document) return wrong("what is " + document.error().text);
  if (string_at(*document, "kind") != "ExecCredential") return wrong("something else than an ExecCredential");
  if (string_at(*document, "apiVersion") != api_version) {
    return wrong(
        fmt::format("an ExecCredential of another apiVersion than the kubeconfig's {}", api_version));
  }
  const json::value* status = find(*document, "status");
  ExecCredential credential;
  credential.token = Secret(std::string(string_at(status, "token")));
  if (credential.token.empty()) {
    const bool certificate = !string_at(status, "clientCertificateData").empty();
    return wrong(certificate ? "a client certificate; only tokens are supported" : "no token");
  }
  if (credential.token.reveal().find_first_of("\r\n") != std::string::npos)
    return wrong("a token of more than one line");
  const std::string_view expires = string_at(status, "expirationTimestamp");
  credential.expires = parse_rfc3339(expires);
  if (!expires.empty() && !credential.expires) return wrong("an expirationTimestamp that is no time");
  return credential;
}

std::shared_ptr<TokenSource> exec_token(ExecPlugin plugin, const TokenContext& context) {
  return std::make_shared<ExecToken>(std::move(plugin), context);
}

}  // namespace ferryman::kube
