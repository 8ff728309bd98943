// SPDX-License-Identifier: Apache-2.0
// OpenAPI v3 as far as kubectl reads it: which calls take dryRun and fieldValidation, and the fields of the
// types (kubectl explain). Without descriptions.
#pragma once

#include <string_view>

#include "net/http_handler.h"

namespace ferryman::sandbox {

/// /openapi/v3 and /openapi/v3/…; 404 for the rest, v2 too.
net::HttpReply open_api(std::string_view path);

}  // namespace ferryman::sandbox
