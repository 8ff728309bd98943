// SPDX-License-Identifier: Apache-2.0
#include "app/sandbox_access.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <string_view>

#include "app/real_files.h"

namespace ferryman::app {

namespace {

// What a shell may hold that leads the SDKs, the AWS CLI, kubectl or Ferryman past the sandbox: other
// credentials win over the keys, an endpoint of one service over AWS_ENDPOINT_URL, our own variables over the
// shared ones.
constexpr std::array<std::string_view, 25> misleading{"AWS_PROFILE",
                                                      "AWS_DEFAULT_PROFILE",
                                                      "AWS_SESSION_TOKEN",
                                                      "AWS_SECURITY_TOKEN",
                                                      "AWS_WEB_IDENTITY_TOKEN_FILE",
                                                      "AWS_ROLE_ARN",
                                                      "AWS_CONTAINER_CREDENTIALS_FULL_URI",
                                                      "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
                                                      "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS",
                                                      "AWS_ENDPOINT_URL_SQS",
                                                      "AWS_ENDPOINT_URL_EC2",
                                                      "AWS_ENDPOINT_URL_AUTO_SCALING",
                                                      "AWS_ENDPOINT_URL_STS",
                                                      "AWS_ENDPOINT_URL_ELASTIC_LOAD_BALANCING",
                                                      "AWS_ENDPOINT_URL_ELASTIC_LOAD_BALANCING_V2",
                                                      "AWS_USE_FIPS_ENDPOINT",
                                                      "AWS_USE_DUALSTACK_ENDPOINT",
                                                      "AWS_CA_BUNDLE",
                                                      "SSL_CERT_FILE",
                                                      "FERRYMAN_CONFIG",
                                                      "FERRYMAN_REGION",
                                                      "FERRYMAN_KUBECONFIG",
                                                      "FERRYMAN_KUBE_CONTEXT",
                                                      "FERRYMAN_USE_FIPS_ENDPOINT",
                                                      "FERRYMAN_USE_DUALSTACK_ENDPOINT"};

std::string base64(const std::string& text) {
  std::string out(4 * ((text.size() + 2) / 3) + 1, '\0');  // and the zero that OpenSSL puts behind it
  const int n =
      EVP_EncodeBlock(reinterpret_cast<unsigned char*>(out.data()),
                      reinterpret_cast<const unsigned char*>(text.data()), static_cast<int>(text.size()));
  out.resize(static_cast<std::size_t>(n));
  return out;
}

std::string path_in(const SandboxAccess& access, std::string_view name) {
  return fmt::format("{}/{}", access.folder, name);
}

// Single quotes keep everything but a single quote.
std::string shell_quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + "'";
}

}  // namespace

Result<void> write_access_files(const SandboxAccess& access, const std::string& system_ca) {
  if (auto written = write_private_file(path_in(access, "kubeconfig"), kubeconfig_text(access)); !written) {
    return written;
  }
  if (auto written = write_private_file(path_in(access, "ca.pem"), access.ca_pem); !written) return written;
  if (!access.tls) return {};
  return write_private_file(path_in(access, "bundle.pem"), system_ca + access.ca_pem);
}

std::map<std::string, std::string> sandbox_variables(const SandboxAccess& access) {
  std::map<std::string, std::string> variables{
      {"AWS_ENDPOINT_URL", access.aws_url},
      {"AWS_ACCESS_KEY_ID", access.access_key_id},
      {"AWS_SECRET_ACCESS_KEY", access.secret_access_key.reveal()},
      {"AWS_REGION", access.region},
      {"AWS_DEFAULT_REGION", access.region},
      {"FERRYMAN_QUEUE_URL", access.queue_url},
      {"FERRYMAN_SANDBOX_CONTROL", access.control_url},
      {"KUBECONFIG", path_in(access, "kubeconfig")},
      // Both spellings are read by somebody.
      {"NO_PROXY", "127.0.0.1,localhost"},
      {"no_proxy", "127.0.0.1,localhost"},
  };
  if (access.tls) {
    variables["AWS_CA_BUNDLE"] = path_in(access, "bundle.pem");  // AWS's own tools
    variables["SSL_CERT_FILE"] = path_in(access, "bundle.pem");  // Ferryman and most others
  }
  return variables;
}

std::string shell_lines(const std::map<std::string, std::string>& variables) {
  std::string out;
  for (const std::string_view name : misleading) {
    if (!variables.contains(std::string(name))) out += fmt::format("unset {}\n", name);
  }
  for (const auto& [name, value] : variables) out += fmt::format("export {}={}\n", name, shell_quoted(value));
  return out;
}

std::string kubeconfig_text(const SandboxAccess& access) {
  return fmt::format(
      "apiVersion: v1\nkind: Config\ncurrent-context: ferryman-sandbox\n"
      "contexts:\n- name: ferryman-sandbox\n  context:\n    cluster: ferryman-sandbox\n    user: "
      "ferryman-sandbox\n"
      "clusters:\n- name: ferryman-sandbox\n  cluster:\n    server: {}\n    certificate-authority-data: {}\n"
      "users:\n- name: ferryman-sandbox\n  user:\n    token: {}\n",
      access.kubernetes_url, base64(access.ca_pem), access.token.reveal());
}

}  // namespace ferryman::app
