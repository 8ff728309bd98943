// SPDX-License-Identifier: Apache-2.0
// TokenSource: where bearer tokens come from. Service account tokens are renewed in their file by the kubelet
// about every 50 minutes, so a file is read again at most every 60 s, and at once after a 401.
#pragma once

#include <memory>
#include <string>

#include "base/deadline.h"
#include "base/files.h"
#include "base/log.h"
#include "base/programs.h"
#include "base/result.h"
#include "base/scope.h"
#include "base/secret.h"
#include "base/task.h"

namespace ferryman::kube {

class TokenSource {
 public:
  virtual ~TokenSource() = default;

  /// Error: denied (the file is missing, unreadable or empty).
  virtual Task<Result<Secret>> get(Deadline deadline) = 0;

  /// The server answered 401 to the newest token: do not trust what is kept.
  virtual void refused() = 0;
};

/// What token sources work with.
class TokenContext {
 public:
  TokenContext(Files& files_in, Clock& clock_in, Programs& programs_in, Scope& scope_in, Log log_in)
      : files(files_in), clock(clock_in), programs(programs_in), scope(scope_in), log(std::move(log_in)) {}

  Files& files;
  Clock& clock;
  Programs& programs;
  Scope& scope;  // runs the programs
  Log log;
};

std::shared_ptr<TokenSource> static_token(Secret token);

/// Files and clock must outlive the source. When a later read fails, the last token stays in use.
std::shared_ptr<TokenSource> token_file(std::string path, Files& files, const Clock& clock);

}  // namespace ferryman::kube
