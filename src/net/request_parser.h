// SPDX-License-Identifier: Apache-2.0
// RequestParser: bytes of one HTTP/1.x request become a value (RFC 9112). Internal to BeastServer; no I/O.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "net/http.h"

namespace ferryman::net {

struct RequestLimits {
  std::size_t head_bytes = std::size_t{64} << 10U;
  std::size_t body_bytes = std::size_t{2} << 20U;
};

class RequestParser {
 public:
  enum class State : std::uint8_t {
    more,       // feed more bytes behind those that were left
    continue_,  // the head is there and the client waits for "100 Continue"; then feed on
    done,
    bad,  // answer with `status` and `text`, then close
  };

  explicit RequestParser(RequestLimits limits);
  RequestParser(const RequestParser&) = delete;
  RequestParser& operator=(const RequestParser&) = delete;
  ~RequestParser();

  /// Takes what it can from the front of `bytes` and leaves the rest, which may belong to the next request.
  State feed(std::string& bytes);

  /// Once `done`. The URL gets `scheme` and the Host header, or `own_authority` where HTTP/1.0 has none.
  /// Error: invalid, no Host or a target that makes no URL.
  Result<HttpRequest> take(std::string_view scheme, std::string_view own_authority);

  [[nodiscard]] bool keep_alive() const;
  [[nodiscard]] bool is_http_1_0() const;
  [[nodiscard]] int status() const { return status_; }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  struct Impl;

  std::unique_ptr<Impl> impl_;
  int status_ = 0;
  std::string text_;
};

/// "Not Found"; "Unknown" for a status nobody knows.
std::string_view reason_of(int status);

}  // namespace ferryman::net
