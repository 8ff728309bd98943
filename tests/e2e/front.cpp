// SPDX-License-Identifier: Apache-2.0
#include "e2e/front.h"

#include <sstream>
#include <stdexcept>

namespace ferryman::e2e {

namespace {

net::CertificateAuthority make_authority() {
  auto made = net::CertificateAuthority::make("front", std::chrono::system_clock::now());
  if (!made) throw std::runtime_error(made.error().text);
  return std::move(*made);
}

}  // namespace

std::string with_lines(const std::string& kubeconfig, const Variables& lines) {
  std::istringstream in(kubeconfig);
  std::string out;
  for (std::string line; std::getline(in, line);) {
    for (const auto& [key, value] : lines) {
      const auto at = line.find(key + ": ");
      if (at != std::string::npos) line = line.substr(0, at) + value;
    }
    out += line + "\n";
  }
  return out;
}

std::string line_of(const std::string& kubeconfig, const std::string& key) {
  const auto at = kubeconfig.find(key + ": ");
  if (at == std::string::npos) throw std::runtime_error("no " + key + " in " + kubeconfig);
  const auto from = at + key.size() + 2;
  return kubeconfig.substr(from, kubeconfig.find('\n', from) - from);
}

Front::Front(const Folder& folder) : folder_(folder), authority_(make_authority()) {}

std::string Front::kubeconfig(const std::string& original) const {
  const std::string ca = folder_.write("front-ca.pem", authority_.pem());
  return folder_.write(
      "front-kubeconfig",
      with_lines(read_file(original), {{"server", "server: " + url()},
                                       {"certificate-authority-data", "certificate-authority: " + ca}}));
}

void Front::open(const std::string& original) {
  const std::string server = line_of(read_file(original), "server");
  const std::string address = server.substr(server.find("//") + 2);
  const std::string ca = (std::filesystem::path(original).parent_path() / "ca.pem").string();
  const auto certificate = authority_.sign_server({"127.0.0.1"});
  if (!certificate) throw std::runtime_error(certificate.error().text);
  haproxy_ = std::make_unique<test::Haproxy>(socket_, certificate->pem + certificate->key_pem.reveal(),
                                             address + " ssl verify required ca-file " + ca);
}

}  // namespace ferryman::e2e
