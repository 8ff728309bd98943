// SPDX-License-Identifier: Apache-2.0
#include "net/curl_client.h"

#include "net/curl_transfer.h"

namespace ferryman::net {

namespace {

constexpr const char* system_ca_bundle = "/etc/ssl/certs/ca-certificates.crt";

// A watch is quiet for a minute at most (bookmarks); see CurlTransfer::give_up.
constexpr Duration silent_stream = std::chrono::seconds{90};

std::shared_ptr<const CurlSettings> settings_from(const Environment& environment) {
  auto settings = std::make_shared<CurlSettings>();
  settings->proxies = ProxySettings(environment);
  settings->ca_file = environment.get("SSL_CERT_FILE");
  if (settings->ca_file.empty()) settings->ca_file = system_ca_bundle;
  return settings;
}

/// libcurl counts initialisations, so each multi handle brings its own.
std::shared_ptr<CurlMulti> make_multi(Clock& clock) {
  curl_global_init(CURL_GLOBAL_DEFAULT);
  return {new CurlMulti(clock), [](CurlMulti* multi) {
            delete multi;
            curl_global_cleanup();
          }};
}

}  // namespace

class CurlClient::Stream final : public HttpStream {
 public:
  explicit Stream(std::unique_ptr<CurlTransfer> transfer) : transfer_(std::move(transfer)) {}
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() override {
    if (waited_in_vain_) transfer_->give_up(silent_stream);
  }

  Task<Result<std::string>> read(Deadline deadline) override {
    auto piece = co_await transfer_->read(deadline);
    waited_in_vain_ = !piece && piece.error().fault == Fault::deadline;
    co_return piece;
  }

 private:
  std::unique_ptr<CurlTransfer> transfer_;
  bool waited_in_vain_ = false;
};

CurlClient::CurlClient(Clock& clock, const Environment& environment)
    : multi_(make_multi(clock)), settings_(settings_from(environment)) {}

CurlClient::~CurlClient() = default;

std::uint64_t CurlClient::connections_opened() const {
  return multi_->connections_opened();
}
std::size_t CurlClient::connections_open() const {
  return multi_->connections_open();
}

Task<Result<HttpResponse>> CurlClient::send(HttpRequest request, Deadline deadline) {
  CurlTransfer transfer(multi_, settings_, std::move(request), CurlTransfer::Body::whole);
  if (auto started = transfer.start(); !started) co_return std::move(started).error();
  if (auto ended = co_await transfer.wait_for_end(deadline); !ended) co_return std::move(ended).error();
  co_return transfer.take_response();
}

Task<Result<OpenedStream>> CurlClient::open(HttpRequest request, Deadline deadline) {
  auto transfer =
      std::make_unique<CurlTransfer>(multi_, settings_, std::move(request), CurlTransfer::Body::streamed);
  if (auto started = transfer->start(); !started) co_return std::move(started).error();
  if (auto opened = co_await transfer->wait_for_head(deadline); !opened) co_return std::move(opened).error();
  const bool success = transfer->streams();
  HttpResponse head = transfer->take_response();
  if (!success) co_return OpenedStream(std::move(head), nullptr);
  co_return OpenedStream(std::move(head), std::make_unique<Stream>(std::move(transfer)));
}

}  // namespace ferryman::net
