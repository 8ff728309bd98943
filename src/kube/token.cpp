// SPDX-License-Identifier: Apache-2.0
#include "kube/token.h"

#include <optional>

namespace ferryman::kube {

namespace {

constexpr Duration longest_age = std::chrono::seconds{60};

class StaticToken final : public TokenSource {
 public:
  explicit StaticToken(Secret token) : token_(std::move(token)) {}

  Task<Result<Secret>> get(Deadline /*deadline*/) override { co_return token_; }
  void refused() override {}

 private:
  Secret token_;
};

std::string trimmed(std::string text) {
  constexpr std::string_view blanks = " \t\r\n";
  text.erase(0, std::min(text.find_first_not_of(blanks), text.size()));
  text.erase(text.find_last_not_of(blanks) + 1);
  return text;
}

class TokenFile final : public TokenSource {
 public:
  TokenFile(std::string path, Files& files, const Clock& clock)
      : path_(std::move(path)), files_(files), clock_(clock) {}

  Task<Result<Secret>> get(Deadline /*deadline*/) override {
    if (read_at_ && clock_.now() - *read_at_ < longest_age) co_return token_;
    auto text = files_.read(path_);
    const std::string token = text ? trimmed(std::move(*text)) : std::string();
    if (!token.empty()) token_ = Secret(token);
    if (token_.empty()) co_return missing(text ? "it is empty" : text.error().text);
    read_at_ = clock_.now();
    co_return token_;
  }

  void refused() override { read_at_.reset(); }

 private:
  // Always "denied": a missing file must not look like an object that the server does not have.
  [[nodiscard]] Error missing(const std::string& why) const {
    return {Fault::denied, "reading the token file " + path_ + ": " + why};
  }

  std::string path_;
  Files& files_;
  const Clock& clock_;
  Secret token_;
  std::optional<SteadyTime> read_at_;
};

}  // namespace

std::shared_ptr<TokenSource> static_token(Secret token) {
  return std::make_shared<StaticToken>(std::move(token));
}

std::shared_ptr<TokenSource> token_file(std::string path, Files& files, const Clock& clock) {
  return std::make_shared<TokenFile>(std::move(path), files, clock);
}

}  // namespace ferryman::kube
