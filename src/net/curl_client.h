// SPDX-License-Identifier: Apache-2.0
// CurlClient: the HttpClient that reaches the network, with libcurl on the one event loop: HTTP/1.1 and
// HTTP/2, pooled connections, TLS always verified, proxies by the usual variables. No call blocks the loop.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/environment.h"
#include "net/http_client.h"

namespace ferryman::net {

class CurlMulti;
class CurlSettings;

class CurlClient final : public HttpClient {
 public:
  /// Reads SSL_CERT_FILE (else the system's bundle), HTTPS_PROXY, http_proxy, ALL_PROXY and NO_PROXY.
  /// The clock must follow the machine and its executor run in one thread. Streams may outlive the client.
  CurlClient(Clock& clock, const Environment& environment);
  CurlClient(const CurlClient&) = delete;
  CurlClient& operator=(const CurlClient&) = delete;
  ~CurlClient() override;

  Task<Result<HttpResponse>> send(HttpRequest request, Deadline deadline) override;
  /// Over HTTP/1.1 on a connection of its own. Holds at most 256 KiB that nobody has read; then the sender
  /// waits.
  Task<Result<OpenedStream>> open(HttpRequest request, Deadline deadline) override;

  /// TCP connections since the start, and those that are open now, idle ones included.
  [[nodiscard]] std::uint64_t connections_opened() const;
  [[nodiscard]] std::size_t connections_open() const;

 private:
  class Stream;

  // Apart, because libcurl stops sharing HTTP/2 connections to a host that it has also met over HTTP/1.1.
  std::shared_ptr<CurlMulti> calls_;
  std::shared_ptr<CurlMulti> streams_;
  std::shared_ptr<const CurlSettings> settings_;
};

}  // namespace ferryman::net
