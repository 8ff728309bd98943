// SPDX-License-Identifier: Apache-2.0
// A private certificate authority (EC P-256) and what it signs, for the sandbox and tests.
// Keys and serial numbers come from OpenSSL's own random numbers: they are secrets, not chance.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/secret.h"
#include "base/time.h"

namespace ferryman::net {

class Certificate {
 public:
  Certificate() = default;

  std::string pem;
  Secret key_pem;  // PKCS #8
};

class CertificateAuthority {
 public:
  /// Valid from an hour before `now` for ten years; so is what it signs. Error: unexpected (OpenSSL).
  static Result<CertificateAuthority> make(const std::string& common_name, WallTime now);

  CertificateAuthority(CertificateAuthority&& other) noexcept;
  CertificateAuthority& operator=(CertificateAuthority&& other) noexcept;
  ~CertificateAuthority();

  /// What clients must trust.
  [[nodiscard]] const std::string& pem() const;

  /// `names`: DNS names or IP addresses; the first one is the common name too.
  [[nodiscard]] Result<Certificate> sign_server(const std::vector<std::string>& names) const;

  /// Kubernetes reads the common name as the user and the organization as the group.
  [[nodiscard]] Result<Certificate> sign_client(const std::string& common_name,
                                                const std::string& organization = "") const;

 private:
  struct Impl;
  explicit CertificateAuthority(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace ferryman::net
