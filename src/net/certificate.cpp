// SPDX-License-Identifier: Apache-2.0
#include "net/certificate.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

#include <boost/asio/ip/address.hpp>

namespace ferryman::net {

namespace {

template <auto free>
struct Free {
  template <class T>
  void operator()(T* object) const {
    free(object);
  }
};
using Key = std::unique_ptr<EVP_PKEY, Free<&EVP_PKEY_free>>;
using X509Ptr = std::unique_ptr<X509, Free<&X509_free>>;
using Bio = std::unique_ptr<BIO, Free<&BIO_free_all>>;

Error openssl_error(const std::string& doing) {
  char text[256] = "no reason given";
  if (const unsigned long code = ERR_get_error(); code != 0) ERR_error_string_n(code, text, sizeof text);
  ERR_clear_error();
  return Error(Fault::unexpected, doing + ": " + text);
}

std::string text_of(BIO* bio) {
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio, &data);
  return {data, static_cast<std::size_t>(size)};
}

std::string pem_of(X509* certificate) {
  const Bio bio(BIO_new(BIO_s_mem()));
  return PEM_write_bio_X509(bio.get(), certificate) == 1 ? text_of(bio.get()) : std::string();
}

Secret pem_of(EVP_PKEY* key) {
  const Bio bio(BIO_new(BIO_s_mem()));
  const bool written = PEM_write_bio_PrivateKey(bio.get(), key, nullptr, nullptr, 0, nullptr, nullptr) == 1;
  return Secret(written ? text_of(bio.get()) : std::string());
}

class Subject {
 public:
  Subject() = default;

  std::string common_name;
  std::string organization;
  std::vector<std::string> names;
  const char* usage = nullptr;  // nullptr: an authority
};

bool add_name(X509_NAME* name, const char* field, const std::string& text) {
  return text.empty() || X509_NAME_add_entry_by_txt(name, field, MBSTRING_UTF8,
                                                    reinterpret_cast<const unsigned char*>(text.data()),
                                                    static_cast<int>(text.size()), -1, 0) == 1;
}

bool add_extension(X509* certificate, X509V3_CTX& context, int nid, const std::string& value) {
  X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, &context, nid, value.c_str());
  if (extension == nullptr) return false;
  const bool added = X509_add_ext(certificate, extension, -1) == 1;
  X509_EXTENSION_free(extension);
  return added;
}

std::string alternative_names(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) {
    boost::system::error_code not_an_address;
    (void)boost::asio::ip::make_address(name, not_an_address);
    out += (out.empty() ? "" : ",") + std::string(not_an_address ? "DNS:" : "IP:") + name;
  }
  return out;
}

bool add_extensions(X509* certificate, X509* issuer, const Subject& subject) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  const bool authority = subject.usage == nullptr;
  const char* key_usage = authority ? "critical,keyCertSign,cRLSign" : "critical,digitalSignature";
  bool good =
      add_extension(certificate, context, NID_basic_constraints, authority ? "critical,CA:TRUE" : "CA:FALSE");
  good = good && add_extension(certificate, context, NID_key_usage, key_usage);
  good = good && add_extension(certificate, context, NID_subject_key_identifier, "hash");
  good = good && add_extension(certificate, context, NID_authority_key_identifier, "keyid:always");
  if (!authority) good = good && add_extension(certificate, context, NID_ext_key_usage, subject.usage);
  if (!subject.names.empty()) {
    good =
        good && add_extension(certificate, context, NID_subject_alt_name, alternative_names(subject.names));
  }
  return good;
}

bool set_serial(X509* certificate) {
  unsigned char bytes[16];
  if (RAND_bytes(bytes, sizeof bytes) != 1) return false;
  bytes[0] &= 0x7FU;  // positive
  BIGNUM* number = BN_bin2bn(bytes, sizeof bytes, nullptr);
  const bool set =
      number != nullptr && BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate)) != nullptr;
  BN_free(number);
  return set;
}

bool set_times(X509* certificate, WallTime now) {
  constexpr long hour = 3600;
  constexpr long ten_years = 3650L * 24 * hour;
  std::time_t start = std::chrono::duration_cast<std::chrono::seconds>(now.time_since_epoch()).count();
  return X509_time_adj_ex(X509_getm_notBefore(certificate), 0, -hour, &start) != nullptr &&
         X509_time_adj_ex(X509_getm_notAfter(certificate), 0, ten_years, &start) != nullptr;
}

}  // namespace

struct CertificateAuthority::Impl {
  X509Ptr certificate;
  Key key;
  std::string pem;
  WallTime now;

  /// Null issuer: signs itself.
  static X509Ptr sign(const Subject& subject, EVP_PKEY* key, const Impl* issuer, EVP_PKEY* issuer_key,
                      WallTime now) {
    X509Ptr made(X509_new());
    X509_NAME* name = X509_get_subject_name(made.get());
    X509* authority = issuer == nullptr ? made.get() : issuer->certificate.get();
    bool good = X509_set_version(made.get(), X509_VERSION_3) == 1 && set_serial(made.get()) &&
                set_times(made.get(), now);
    good = good && add_name(name, "O", subject.organization) && add_name(name, "CN", subject.common_name);
    good = good && X509_set_issuer_name(made.get(), X509_get_subject_name(authority)) == 1;
    good = good && X509_set_pubkey(made.get(), key) == 1 && add_extensions(made.get(), authority, subject);
    good = good && X509_sign(made.get(), issuer_key, EVP_sha256()) > 0;
    return good ? std::move(made) : nullptr;
  }

  [[nodiscard]] Result<Certificate> sign_leaf(const Subject& subject) const {
    const Key leaf_key(EVP_EC_gen("P-256"));
    if (leaf_key == nullptr) return openssl_error("making a key");
    const X509Ptr made = sign(subject, leaf_key.get(), this, key.get(), now);
    if (made == nullptr) return openssl_error("signing a certificate for \"" + subject.common_name + "\"");
    Certificate leaf;
    leaf.pem = pem_of(made.get());
    leaf.key_pem = pem_of(leaf_key.get());
    return leaf;
  }
};

CertificateAuthority::CertificateAuthority(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
CertificateAuthority::CertificateAuthority(CertificateAuthority&& other) noexcept = default;
CertificateAuthority& CertificateAuthority::operator=(CertificateAuthority&& other) noexcept = default;
CertificateAuthority::~CertificateAuthority() = default;

Result<CertificateAuthority> CertificateAuthority::make(const std::string& common_name, WallTime now) {
  auto impl = std::make_unique<Impl>();
  impl->now = now;
  impl->key.reset(EVP_EC_gen("P-256"));
  if (impl->key == nullptr) return openssl_error("making a key");
  Subject subject;
  subject.common_name = common_name;
  impl->certificate = Impl::sign(subject, impl->key.get(), nullptr, impl->key.get(), now);
  if (impl->certificate == nullptr) return openssl_error("signing the authority \"" + common_name + "\"");
  impl->pem = pem_of(impl->certificate.get());
  return CertificateAuthority(std::move(impl));
}

const std::string& CertificateAuthority::pem() const {
  return impl_->pem;
}

Result<Certificate> CertificateAuthority::sign_server(const std::vector<std::string>& names) const {
  Subject subject;
  subject.common_name = names.empty() ? std::string() : names.front();
  subject.names = names;
  subject.usage = "serverAuth";
  return impl_->sign_leaf(subject);
}

Result<Certificate> CertificateAuthority::sign_client(const std::string& common_name,
                                                      const std::string& organization) const {
  Subject subject;
  subject.common_name = common_name;
  subject.organization = organization;
  subject.usage = "clientAuth";
  return impl_->sign_leaf(subject);
}

}  // namespace ferryman::net
