// SPDX-License-Identifier: Apache-2.0
// What TLS itself says about these certificates stands in curl_tls_test.cpp.
#include "net/certificate.h"

#include <gtest/gtest.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include "base/time.h"

namespace ferryman::net {
namespace {

using X509Ptr = std::unique_ptr<X509, decltype(&X509_free)>;

X509Ptr read(const std::string& pem) {
  BIO* bio = BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size()));
  X509Ptr certificate(PEM_read_bio_X509(bio, nullptr, nullptr, nullptr), &X509_free);
  BIO_free(bio);
  return certificate;
}

std::string subject_of(X509* certificate) {
  char text[200];
  return X509_NAME_oneline(X509_get_subject_name(certificate), text, sizeof text);
}

CertificateAuthority make_authority() {
  return std::move(*CertificateAuthority::make("sandbox", *parse_rfc3339("2026-03-01T12:00:00Z")));
}

TEST(CertificateAuthority, SignsItselfAndItsLeaves) {
  const CertificateAuthority authority = make_authority();
  const X509Ptr root = read(authority.pem());
  const X509Ptr leaf = read(authority.sign_server({"api.example"})->pem);
  ASSERT_TRUE(root && leaf);
  EXPECT_EQ(X509_verify(root.get(), X509_get0_pubkey(root.get())), 1);
  EXPECT_EQ(X509_verify(leaf.get(), X509_get0_pubkey(root.get())), 1);
  EXPECT_EQ(X509_check_ca(root.get()), 1);
  EXPECT_EQ(X509_check_ca(leaf.get()), 0);
  EXPECT_NE(ASN1_INTEGER_cmp(X509_get0_serialNumber(leaf.get()), X509_get0_serialNumber(root.get())), 0);
}

TEST(CertificateAuthority, ServersAreKnownByEachOfTheirNames) {
  const X509Ptr leaf =
      read(make_authority().sign_server({"api.example", "127.0.0.1", "::1", "*.svc.example"})->pem);
  ASSERT_TRUE(leaf);
  EXPECT_EQ(X509_check_host(leaf.get(), "api.example", 0, 0, nullptr), 1);
  EXPECT_EQ(X509_check_host(leaf.get(), "a.svc.example", 0, 0, nullptr), 1);
  EXPECT_EQ(X509_check_ip_asc(leaf.get(), "127.0.0.1", 0), 1);
  EXPECT_EQ(X509_check_ip_asc(leaf.get(), "::1", 0), 1);
  EXPECT_EQ(X509_check_host(leaf.get(), "other.example", 0, 0, nullptr), 0);
  EXPECT_EQ(X509_check_purpose(leaf.get(), X509_PURPOSE_SSL_SERVER, 0), 1);
  EXPECT_EQ(X509_check_purpose(leaf.get(), X509_PURPOSE_SSL_CLIENT, 0), 0);
}

TEST(CertificateAuthority, ClientsCarryUserAndGroup) {
  const X509Ptr leaf = read(make_authority().sign_client("ferryman", "system:masters")->pem);
  ASSERT_TRUE(leaf);
  EXPECT_EQ(subject_of(leaf.get()), "/O=system:masters/CN=ferryman");
  EXPECT_EQ(X509_check_purpose(leaf.get(), X509_PURPOSE_SSL_CLIENT, 0), 1);
}

TEST(CertificateAuthority, IsValidFromAnHourBeforeForTenYears) {
  const X509Ptr root = read(make_authority().pem());
  ASSERT_TRUE(root);
  std::time_t early = 1772362799;  // 2026-03-01T10:59:59Z
  std::time_t late = early + 1;
  EXPECT_EQ(X509_cmp_time(X509_get0_notBefore(root.get()), &early), 1);
  EXPECT_EQ(X509_cmp_time(X509_get0_notBefore(root.get()), &late), -1);
}

TEST(CertificateAuthority, ANameThatX509CannotHoldIsAnError) {
  EXPECT_FALSE(make_authority().sign_server({std::string(200, 'x')}));
}

}  // namespace
}  // namespace ferryman::net
