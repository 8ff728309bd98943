// SPDX-License-Identifier: Apache-2.0
#include "aws/container_credentials.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "aws/key_document.h"
#include "net/url.h"

namespace ferryman::aws {

namespace {

constexpr const char* relative_variable = "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI";
constexpr const char* full_variable = "AWS_CONTAINER_CREDENTIALS_FULL_URI";
constexpr const char* token_variable = "AWS_CONTAINER_AUTHORIZATION_TOKEN";
constexpr const char* token_file_variable = "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE";
constexpr std::string_view ecs_agent = "http://169.254.170.2";
constexpr Duration longest_try = std::chrono::seconds{2};
constexpr std::size_t longest_answer = std::size_t{64} << 10U;

net::BackOff container_back_off() {
  net::BackOff policy;
  policy.longest = std::chrono::seconds{1};
  policy.attempts = 3;
  return policy;
}

/// Who may be told the token in the clear: this machine, and the link-local agents of ECS and EKS.
bool may_speak_http(std::string_view host) {
  constexpr std::array<std::string_view, 5> agents = {"169.254.170.2", "169.254.170.23", "fd00:ec2::23",
                                                      "localhost", "::1"};
  if (std::ranges::find(agents, host) != agents.end()) return true;
  return host.starts_with("127.") && host.find_first_not_of("0123456789.") == host.npos;
}

Result<std::string> url_from(const Environment& environment) {
  const std::string relative = environment.get(relative_variable);
  if (!relative.empty()) {
    if (relative.front() == '/') return std::string(ecs_agent) + relative;
    return Error(Fault::invalid,
                 fmt::format("{} is \"{}\": it must start with /", relative_variable, relative));
  }
  const std::string full = environment.get(full_variable);
  if (full.empty())
    return Error(Fault::not_found, fmt::format("{} is not set, nor is {}", full_variable, relative_variable));
  const auto url = net::parse_url(full);
  if (!url) return url.error().within(fmt::format("reading {}", full_variable));
  if (url->scheme == "https" || may_speak_http(url->host)) return full;
  return Error(Fault::invalid,
               fmt::format("{} names the host {}: without https only this machine's loopback, 169.254.170.2, "
                           "169.254.170.23 and [fd00:ec2::23] are asked for keys",
                           full_variable, url->host));
}

Error refusal(const net::HttpResponse& answer) {
  Fault fault = Fault::unexpected;
  if (answer.status >= 400 && answer.status < 500) fault = Fault::denied;
  if (answer.status == 429) fault = Fault::throttled;
  const std::string text = refusal_text(answer.body);
  return {fault, fmt::format("HTTP {}", answer.status),
          fmt::format("HTTP {}{}{}", answer.status, text.empty() ? "" : ": ", text)};
}

void hide(std::string& text, const std::string& secret) {
  if (secret.empty()) return;
  for (std::size_t at = text.find(secret); at != text.npos; at = text.find(secret))
    text.replace(at, secret.size(), "***");
}

}  // namespace

ContainerCredentials::ContainerCredentials(const CallContext& context, Environment environment, Files& files)
    : context_(context),
      environment_(std::move(environment)),
      files_(files),
      url_(url_from(environment_)),
      name_(url_ ? fmt::format("container ({})", *url_) : "container") {
  auto profile = std::make_shared<net::ConnectionProfile>();
  profile->direct = true;
  direct_ = std::move(profile);
}

Result<Secret> ContainerCredentials::token() const {
  const std::string path = environment_.get(token_file_variable);
  std::string text = environment_.get(token_variable);
  if (!path.empty()) {
    auto read = files_.read(path);
    if (!read)
      return Error(Fault::invalid,
                   fmt::format("reading {} {}: {}", token_file_variable, path, read.error().text));
    text = std::move(*read);
    text.erase(text.find_last_not_of(" \t\r\n") + 1);
    if (text.empty()) return Error(Fault::invalid, fmt::format("{} {} is empty", token_file_variable, path));
  }
  if (text.find_first_of("\r\n") == text.npos) return Secret(std::move(text));
  return Error(Fault::invalid, fmt::format("the token from {} has more than one line",
                                           path.empty() ? token_variable : token_file_variable));
}

Task<Result<Credentials>> ContainerCredentials::attempt(const Secret& token, Deadline deadline) {
  net::HttpRequest request("GET", *url_);
  request.profile = direct_;
  request.max_response_bytes = longest_answer;
  request.headers.add("Accept", "application/json");
  request.headers.add("User-Agent", "ferryman/" FERRYMAN_VERSION);
  if (!token.empty()) request.headers.add("Authorization", token.reveal());
  const Deadline limit = deadline.at_most(context_.clock, longest_try);
  FERRYMAN_TRY(answer, co_await context_.http.send(std::move(request), limit));
  if (answer.status == 200) co_return parse_key_document(answer.body, false);
  Error error = refusal(answer);
  hide(error.text, token.reveal());
  co_return error;
}

Task<Result<Credentials>> ContainerCredentials::fetch(Deadline deadline) {
  if (!url_) co_return url_.error();
  FERRYMAN_TRY(proof, token());
  for (net::Retry retry(context_.clock, context_.random, budget_, container_back_off(), deadline);;) {
    auto credentials = co_await attempt(proof, deadline);
    if (credentials) {
      retry.success();
      co_return credentials;
    }
    if (!co_await retry.again(credentials.error())) co_return credentials;
  }
}

}  // namespace ferryman::aws
