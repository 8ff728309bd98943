// SPDX-License-Identifier: Apache-2.0
#include "net/curl_transfer.h"

#include <fmt/format.h>

#include <charconv>

namespace ferryman::net {

namespace {

// A reader that falls behind by more than this stops the sender.
constexpr std::size_t most_waiting_bytes = std::size_t{256} << 10U;

// A connection that carried a byte for anybody this recently is slow, not dead.
constexpr Duration recently = std::chrono::seconds{5};

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// "HTTP/1.1 200 OK" or "HTTP/2 200".
int status_of(std::string_view line) {
  const std::size_t blank = line.find(' ');
  int status = 0;
  if (blank != std::string_view::npos) {
    const std::string_view rest = line.substr(blank + 1);
    std::from_chars(rest.data(), rest.data() + rest.size(), status);
  }
  return status;
}

}  // namespace

CurlTransfer::CurlTransfer(std::shared_ptr<CurlMulti> multi, std::shared_ptr<const CurlSettings> settings,
                           HttpRequest request, Body body)
    : multi_(std::move(multi)),
      settings_(std::move(settings)),
      request_(std::move(request)),
      body_(body),
      easy_(curl_easy_init()),
      changed_(multi_->clock()) {}

CurlTransfer::~CurlTransfer() {
  leave();
  curl_easy_cleanup(easy_);
}

void CurlTransfer::leave() {
  if (std::exchange(running_, false)) multi_->remove(easy_);
}

Result<void> CurlTransfer::start() {
  if (easy_ == nullptr) return Error(Fault::unexpected, "out of memory");
  auto options = set_request(easy_, request_, *settings_);
  if (!options) return std::move(options).error();
  options_ = std::move(options).value();
  if (body_ == Body::streamed) {
    curl_easy_setopt(easy_, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
  }
  if (multi_->doubted(place_of(options_.url))) curl_easy_setopt(easy_, CURLOPT_PIPEWAIT, 0L);
  multi_->keep_book(easy_);
  curl_easy_setopt(easy_, CURLOPT_ERRORBUFFER, detail_.data());
  curl_easy_setopt(easy_, CURLOPT_HEADERFUNCTION, &CurlTransfer::on_header);
  curl_easy_setopt(easy_, CURLOPT_HEADERDATA, this);
  curl_easy_setopt(easy_, CURLOPT_WRITEFUNCTION, &CurlTransfer::on_body);
  curl_easy_setopt(easy_, CURLOPT_WRITEDATA, this);
  curl_easy_setopt(easy_, CURLOPT_PREREQFUNCTION, &CurlTransfer::on_sending);
  curl_easy_setopt(easy_, CURLOPT_PREREQDATA, this);
  running_ = multi_->add(easy_, *this);
  if (!running_) return Error(Fault::unexpected, "out of memory");
  return {};
}

int CurlTransfer::on_sending(void* self, char* /*remote_ip*/, char* local_ip, int /*remote_port*/,
                             int local_port) {
  auto& transfer = *static_cast<CurlTransfer*>(self);
  transfer.connection_ = transfer.multi_->find(local_ip, local_port);
  transfer.sent_at_ = transfer.multi_->clock().now();
  transfer.multi_->trust(place_of(transfer.options_.url));
  return CURL_PREREQFUNC_OK;
}

std::size_t CurlTransfer::on_header(char* data, std::size_t size, std::size_t count, void* self) {
  static_cast<CurlTransfer*>(self)->header_line(std::string_view(data, size * count));
  return size * count;
}

// A new status line starts over: what came before was a 1xx, or an answer on a connection that libcurl gave
// up.
void CurlTransfer::header_line(std::string_view line) {
  multi_->heard(connection_);
  if (head_done_) return;  // trailers
  if (line.starts_with("HTTP/")) {
    response_ = HttpResponse(status_of(line), "");
  } else if (trimmed(line).empty()) {
    constexpr int first_final_status = 200;
    head_done_ = response_.status >= first_final_status;
    if (head_done_) changed_.notify_all();
  } else if (const std::size_t colon = line.find(':'); colon != std::string_view::npos) {
    response_.headers.add(std::string(line.substr(0, colon)), std::string(trimmed(line.substr(colon + 1))));
  }
}

std::size_t CurlTransfer::on_body(char* data, std::size_t size, std::size_t count, void* self) {
  return static_cast<CurlTransfer*>(self)->body_bytes(std::string_view(data, size * count));
}

bool CurlTransfer::streams() const {
  return body_ == Body::streamed && response_.status >= 200 && response_.status < 300;
}

std::size_t CurlTransfer::body_bytes(std::string_view bytes) {
  multi_->heard(connection_);
  std::string& body = response_.body;
  if (streams()) {
    paused_ = !body.empty() && body.size() + bytes.size() > most_waiting_bytes;
    if (paused_) return CURL_WRITEFUNC_PAUSE;
    body.append(bytes);
    changed_.notify_all();
    return bytes.size();
  }
  too_large_ = body.size() + bytes.size() > request_.max_response_bytes;
  if (too_large_) return 0;  // ends the transfer
  body.append(bytes);
  return bytes.size();
}

void CurlTransfer::finished(CURLcode code) {
  running_ = false;
  finished_ = true;
  code_ = code;
  changed_.notify_all();
}

Error CurlTransfer::failure() const {
  if (too_large_) {
    return Error(Fault::unexpected, "TooLarge",
                 fmt::format("the answer of {} is larger than {} bytes", place_of(options_.url),
                             request_.max_response_bytes));
  }
  return describe(code_, detail_.data(), options_.url, *settings_);
}

Error CurlTransfer::deadline_passed() {
  const std::string place = place_of(options_.url);
  Error error(Fault::deadline, fmt::format("{} did not answer in time", place));
  if (head_done_) error.text = fmt::format("the answer of {} did not end in time", place);
  if (sent_at_ == SteadyTime{}) {
    error.text = fmt::format("no connection to {} in time", place);
    multi_->doubt(place);
  }
  leave();
  abandon_if_silent();
  return error;
}

// An HTTP/2 connection outlives its streams. One whose peer has gone would take every later call to that host
// with it, so a deadline on a connection that nobody heard anything from ends the connection.
void CurlTransfer::abandon_if_silent() {
  if (sent_at_ == SteadyTime{}) return;
  const SteadyTime heard = multi_->last_heard(connection_);
  const bool alive = heard > sent_at_ && multi_->clock().now() - heard < recently;
  if (!alive) multi_->abandon(connection_);
}

Task<Result<void>> CurlTransfer::wait_for_head(Deadline deadline) {
  const auto done = [this] { return finished_ || (head_done_ && streams()); };
  while (!done() && !deadline.passed(multi_->clock())) co_await changed_.wait_until(deadline.at());
  if (!done()) co_return deadline_passed();
  if (finished_ && code_ != CURLE_OK && !(head_done_ && streams())) co_return failure();
  co_return Result<void>();
}

Task<Result<void>> CurlTransfer::wait_for_end(Deadline deadline) {
  while (!finished_ && !deadline.passed(multi_->clock())) co_await changed_.wait_until(deadline.at());
  if (!finished_) co_return deadline_passed();
  if (code_ != CURLE_OK) co_return failure();
  co_return Result<void>();
}

Task<Result<std::string>> CurlTransfer::read(Deadline deadline) {
  while (response_.body.empty() && !finished_ && !deadline.passed(multi_->clock())) {
    co_await changed_.wait_until(deadline.at());
  }
  if (!response_.body.empty()) {
    std::string piece = std::exchange(response_.body, {});
    if (std::exchange(paused_, false) && running_) curl_easy_pause(easy_, CURLPAUSE_CONT);
    co_return piece;
  }
  if (!finished_)
    co_return Error(Fault::deadline, "nothing came from " + place_of(options_.url) + " in time");
  if (code_ != CURLE_OK) co_return failure();
  co_return std::string();
}

HttpResponse CurlTransfer::take_response() {
  if (!streams()) return std::move(response_);
  HttpResponse head(response_.status, "");
  head.headers = std::move(response_.headers);
  return head;
}

}  // namespace ferryman::net
