// SPDX-License-Identifier: Apache-2.0
// HttpHandler: the other half of the seam. Probes, status page and the whole sandbox are handlers;
// carriers bring them to sockets (beast_server) or to a client in the same process (local_client).
#pragma once

#include <memory>

#include "net/http.h"
#include "net/http_client.h"

namespace ferryman::net {

/// What a handler answers: a response, or its head and a stream of pieces.
class HttpReply {
 public:
  HttpReply() = default;
  HttpReply(HttpResponse response_in)
      : response(std::move(response_in)) {}  // NOLINT(google-explicit-constructor)
  HttpReply(HttpResponse head, std::unique_ptr<HttpStream> stream_in)
      : response(std::move(head)), stream(std::move(stream_in)) {}

  HttpResponse response;
  std::unique_ptr<HttpStream> stream;  // null: response.body is all
  // The carrier drops the connection in mid-answer (a fault on order); with status 0 before it sends
  // anything.
  bool cut_off = false;
};

class HttpHandler {
 public:
  virtual ~HttpHandler() = default;

  /// Runs until it has an answer, however long; the carrier cancels it when it stops. `request.url` is
  /// absolute.
  virtual Task<HttpReply> handle(HttpRequest request) = 0;
};

}  // namespace ferryman::net
