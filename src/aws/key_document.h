// SPDX-License-Identifier: Apache-2.0
// The JSON document in which instance metadata and container endpoints hand out keys. Errors never hold what
// was read: it may be keys.
#pragma once

#include <string_view>

#include "aws/credentials.h"

namespace ferryman::aws {

/// AccessKeyId and SecretAccessKey; Token and Expiration too, unless `temporary` is false: then they may be
/// missing. Errors: denied, with the document's own Code and Message (metadata says 200 even then);
/// unexpected.
Result<Credentials> parse_key_document(std::string_view body, bool temporary);

/// "AccessDenied: message" from the body of a refusal, in any of the forms seen, or the start of its text.
std::string refusal_text(std::string_view body);

}  // namespace ferryman::aws
