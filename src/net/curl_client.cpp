// SPDX-License-Identifier: Apache-2.0
#include "net/curl_client.h"

#include "net/curl_transfer.h"

namespace ferryman::net {

namespace {

constexpr const char* system_ca_bundle = "/etc/ssl/certs/ca-certificates.crt";

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

  Task<Result<std::string>> read(Deadline deadline) override { return transfer_->read(deadline); }

 private:
  std::unique_ptr<CurlTransfer> transfer_;
};

CurlClient::CurlClient(Clock& clock, const Environment& environment)
    : calls_(make_multi(clock)), streams_(make_multi(clock)), settings_(settings_from(environment)) {}

CurlClient::~CurlClient() = default;

std::uint64_t CurlClient::connections_opened() const {
  return calls_->connections_opened() + streams_->connections_opened();
}
std::size_t CurlClient::connections_open() const {
  return calls_->connections_open() + streams_->connections_open();
}

Task<Result<HttpResponse>> CurlClient::send(HttpRequest request, Deadline deadline) {
  CurlTransfer transfer(calls_, settings_, std::move(request), CurlTransfer::Body::whole);
  if (auto started = transfer.start(); !started) co_return std::move(started).error();
  if (auto ended = co_await transfer.wait_for_end(deadline); !ended) co_return std::move(ended).error();
  co_return transfer.take_response();
}

Task<Result<OpenedStream>> CurlClient::open(HttpRequest request, Deadline deadline) {
  auto transfer =
      std::make_unique<CurlTransfer>(streams_, settings_, std::move(request), CurlTransfer::Body::streamed);
  if (auto started = transfer->start(); !started) co_return std::move(started).error();
  if (auto opened = co_await transfer->wait_for_head(deadline); !opened) co_return std::move(opened).error();
  const bool success = transfer->streams();
  HttpResponse head = transfer->take_response();
  if (!success) co_return OpenedStream(std::move(head), nullptr);
  co_return OpenedStream(std::move(head), std::make_unique<Stream>(std::move(transfer)));
}

}  // namespace ferryman::net
