// SPDX-License-Identifier: Apache-2.0
#include "net/server_context.h"

#include <boost/asio/buffer.hpp>

namespace ferryman::net {

namespace ssl = boost::asio::ssl;

namespace {

/// Clients offer "h2" first; we speak HTTP/1.1 only.
int choose_http_1_1(SSL* /*ssl*/, const unsigned char** out, unsigned char* out_size, const unsigned char* in,
                    unsigned int in_size, void* /*unused*/) {
  static constexpr unsigned char ours[] = {8, 'h', 't', 't', 'p', '/', '1', '.', '1'};
  unsigned char* chosen = nullptr;
  const int found = SSL_select_next_proto(&chosen, out_size, ours, sizeof ours, in, in_size);
  *out = chosen;
  return found == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_NOACK;
}

}  // namespace

Result<ssl::context> make_server_context(const std::string& certificate_pem, const Secret& key_pem,
                                         const std::string& client_ca_pem) {
  ssl::context context(ssl::context::tls_server);
  boost::system::error_code error;
  context.set_options(ssl::context::default_workarounds | ssl::context::no_tlsv1 | ssl::context::no_tlsv1_1,
                      error);
  context.use_certificate_chain(boost::asio::buffer(certificate_pem), error);
  if (error) return Error(Fault::invalid, "the server certificate cannot be used: " + error.message());
  context.use_private_key(boost::asio::buffer(key_pem.reveal()), ssl::context::pem, error);
  if (error) return Error(Fault::invalid, "the server key cannot be used: " + error.message());
  SSL_CTX_set_alpn_select_cb(context.native_handle(), &choose_http_1_1, nullptr);
  if (client_ca_pem.empty()) return context;
  context.add_certificate_authority(boost::asio::buffer(client_ca_pem), error);
  if (error)
    return Error(Fault::invalid, "the authority for client certificates cannot be used: " + error.message());
  context.set_verify_mode(ssl::verify_peer | ssl::verify_fail_if_no_peer_cert, error);
  return context;
}

}  // namespace ferryman::net
