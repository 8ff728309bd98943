// SPDX-License-Identifier: Apache-2.0
// HttpClient: one half of the seam. Everything that leaves Ferryman goes through it.
#pragma once

#include <memory>
#include <string>

#include "base/deadline.h"
#include "base/result.h"
#include "base/task.h"
#include "net/http.h"

namespace ferryman::net {

/// A body that comes in pieces (a watch). Destroying it ends the request.
class HttpStream {
 public:
  virtual ~HttpStream() = default;

  /// The next piece, never empty; an empty string is the clean end.
  /// Errors: deadline (nothing came; the stream is still usable), transport (cut off), cancelled by
  /// exception.
  virtual Task<Result<std::string>> read(Deadline deadline) = 0;
};

/// The head of a streamed answer. A status outside 200–299 has its (bounded) body in `head.body` and no
/// stream.
class OpenedStream {
 public:
  OpenedStream() = default;
  OpenedStream(HttpResponse head_in, std::unique_ptr<HttpStream> body_in)
      : head(std::move(head_in)), body(std::move(body_in)) {}

  HttpResponse head;
  std::unique_ptr<HttpStream> body;
};

class HttpClient {
 public:
  virtual ~HttpClient() = default;

  /// Any status is a value. Errors: deadline, transport, invalid (URL), unexpected ("TooLarge").
  /// A carrier may send a request twice when a pooled connection closes without an answer:
  /// each call must be safe to send twice.
  virtual Task<Result<HttpResponse>> send(HttpRequest request, Deadline deadline) = 0;

  /// `deadline` is for the head of the answer only; each read has its own.
  virtual Task<Result<OpenedStream>> open(HttpRequest request, Deadline deadline) = 0;
};

}  // namespace ferryman::net
