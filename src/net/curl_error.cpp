// SPDX-License-Identifier: Apache-2.0
// libcurl's result codes as errors that name the host, the cause and, where a person must act, the cure.
#include <fmt/format.h>

#include "net/curl_options.h"

namespace ferryman::net {

namespace {

std::string with_detail(std::string text, const std::string& detail) {
  return detail.empty() ? text : text + " (" + detail + ")";
}

Error not_trusted(const std::string& detail, const Url& url, const CurlSettings& settings) {
  return Error(
      Fault::transport, "CertificateNotTrusted",
      fmt::format("the certificate of {} is not trusted: {}; if the host is right, add its authority to the "
                  "CA bundle {} or name another bundle in SSL_CERT_FILE (for the API server: the "
                  "certificate-authority of the kubeconfig)",
                  place_of(url), detail, settings.ca_file));
}

Error could_not_resolve(const Url& url) {
  return Error(Fault::transport, fmt::format("could not resolve the host \"{}\"", url.host));
}

}  // namespace

Error describe(CURLcode code, const std::string& detail, const Url& url, const CurlSettings& settings) {
  const std::string place = place_of(url);
  const std::string cause = detail.empty() ? curl_easy_strerror(code) : detail;
  switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
      return could_not_resolve(url);
    case CURLE_COULDNT_RESOLVE_PROXY:
      return Error(Fault::transport, fmt::format("could not resolve the proxy on the way to {}", place));
    case CURLE_COULDNT_CONNECT:
      return Error(Fault::transport, with_detail(fmt::format("could not connect to {}", place), detail));
    case CURLE_PEER_FAILED_VERIFICATION:
      return not_trusted(cause, url, settings);
    case CURLE_SSL_CACERT_BADFILE:
      return Error(
          Fault::transport, "CertificateNotTrusted",
          fmt::format("could not read the CA bundle for {}: {}; mend the file or name another bundle in "
                      "SSL_CERT_FILE",
                      place, cause));
    case CURLE_SSL_CERTPROBLEM:
      return Error(Fault::invalid,
                   fmt::format("the client certificate or key for {} cannot be used: {}", place, cause));
    case CURLE_SSL_CONNECT_ERROR:
      return Error(Fault::transport, fmt::format("TLS with {} failed: {}", place, cause));
    case CURLE_GOT_NOTHING:
      return Error(Fault::transport, fmt::format("{} closed the connection without an answer", place));
    case CURLE_PARTIAL_FILE:
    case CURLE_HTTP2_STREAM:
      return Error(Fault::transport, with_detail(fmt::format("the answer of {} was cut off", place), detail));
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
      return Error(Fault::transport,
                   with_detail(fmt::format("the connection to {} was lost", place), detail));
    case CURLE_URL_MALFORMAT:
    case CURLE_UNSUPPORTED_PROTOCOL:
      return Error(Fault::invalid, fmt::format("the URL of {} cannot be used: {}", place, cause));
    case CURLE_OUT_OF_MEMORY:
      return Error(Fault::unexpected, "out of memory");
    default:
      return Error(Fault::transport, fmt::format("the call to {} failed: {}", place, cause));
  }
}

}  // namespace ferryman::net
