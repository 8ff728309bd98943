// SPDX-License-Identifier: Apache-2.0
// The TLS side of a server as Asio wants it. Internal to BeastServer.
#pragma once

#include <boost/asio/ssl/context.hpp>
#include <string>

#include "base/result.h"
#include "base/secret.h"

namespace ferryman::net {

/// TLS 1.2 and up. `client_ca_pem` not empty: clients must show a certificate of these authorities.
/// Error: invalid, naming which PEM text cannot be used.
Result<boost::asio::ssl::context> make_server_context(const std::string& certificate_pem,
                                                      const Secret& key_pem,
                                                      const std::string& client_ca_pem);

}  // namespace ferryman::net
