// SPDX-License-Identifier: Apache-2.0
// CurlTransfer: one request on its way, and its answer as it comes in. Internal to CurlClient.
// Destroying it ends the request at once.
#pragma once

#include <array>
#include <memory>
#include <string>

#include "base/deadline.h"
#include "base/task.h"
#include "net/curl_multi.h"
#include "net/curl_options.h"

namespace ferryman::net {

class CurlTransfer final : public CurlMulti::Owner {
 public:
  /// A streamed body goes over HTTP/1.1, where a reader that falls behind stops the sender: libcurl 7.88 lets
  /// an HTTP/2 peer send 32 MiB ahead. It also keeps a watch apart from a connection that a call's deadline
  /// ends.
  enum class Body : std::uint8_t { whole, streamed };

  CurlTransfer(std::shared_ptr<CurlMulti> multi, std::shared_ptr<const CurlSettings> settings,
               HttpRequest request, Body body);
  CurlTransfer(const CurlTransfer&) = delete;
  CurlTransfer& operator=(const CurlTransfer&) = delete;
  ~CurlTransfer() override;

  Result<void> start();

  /// Until the status and the headers are there.
  Task<Result<void>> wait_for_head(Deadline deadline);
  /// Until the whole answer is there.
  Task<Result<void>> wait_for_end(Deadline deadline);
  /// See HttpStream::read.
  Task<Result<std::string>> read(Deadline deadline);

  /// Status and headers; the body too unless it is streamed.
  HttpResponse take_response();
  /// False for a whole body, and for a status outside 200–299.
  [[nodiscard]] bool streams() const;

 private:
  static std::size_t on_header(char* data, std::size_t size, std::size_t count, void* self);
  static std::size_t on_body(char* data, std::size_t size, std::size_t count, void* self);
  static int on_sending(void* self, char* remote_ip, char* local_ip, int remote_port, int local_port);

  void finished(CURLcode code) override;
  void header_line(std::string_view line);
  std::size_t body_bytes(std::string_view bytes);
  [[nodiscard]] Error failure() const;
  Error deadline_passed();
  void leave();
  void abandon_if_silent();

  std::shared_ptr<CurlMulti> multi_;
  std::shared_ptr<const CurlSettings> settings_;
  HttpRequest request_;
  Body body_;
  RequestOptions options_;
  CURL* easy_;
  Signal changed_;
  HttpResponse response_;
  std::array<char, CURL_ERROR_SIZE> detail_{};
  CurlMulti::Connection connection_;
  SteadyTime sent_at_{};
  CURLcode code_ = CURLE_OK;
  bool running_ = false;
  bool finished_ = false;
  bool head_done_ = false;
  bool too_large_ = false;
  bool paused_ = false;
};

}  // namespace ferryman::net
