#include "caf_mcp/actors/nodes/certificates.hpp"

#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

#include <array>
#include <ctime>
#include <stdexcept>

namespace caf_mcp {

namespace {

/// Clocks of two machines differ a little.
constexpr std::chrono::seconds clock_difference_max{300};

/// Without a random source or memory there is nothing to go on with.
void require(bool is_done) {
  if (!is_done)
    throw std::runtime_error{"OpenSSL: " + take_openssl_error()};
}

/// Refuses a key with a passphrase, instead of asking on the terminal.
int no_passphrase(char*, int, int, void*) {
  return -1;
}

void set_random_serial(X509* certificate) {
  std::array<unsigned char, 16> bytes{};
  require(RAND_bytes(bytes.data(), bytes.size()) == 1);
  bytes[0] &= 0x7F; // positive (RFC 5280, 4.1.2.2)
  bytes[0] |= 0x40;
  using number_ptr = std::unique_ptr<BIGNUM, openssl_delete<BN_free>>;
  const number_ptr number{
    BN_bin2bn(bytes.data(), static_cast<int>(bytes.size()), nullptr)};
  require(
    number
    && BN_to_ASN1_INTEGER(number.get(), X509_get_serialNumber(certificate))
         != nullptr);
}

void add_extension(X509* to, X509* issuer, int kind, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, issuer, to, nullptr, nullptr, 0);
  using extension_ptr
    = std::unique_ptr<X509_EXTENSION, openssl_delete<X509_EXTENSION_free>>;
  const extension_ptr made{
    X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str())};
  require(made && X509_add_ext(to, made.get(), -1) == 1);
}

/// All but the issuer, the extensions and the signature.
certificate_ptr make_body(const std::string& name, EVP_PKEY* key,
                          std::time_t until) {
  certificate_ptr result{X509_new()};
  require(result && X509_set_version(result.get(), X509_VERSION_3) == 1);
  set_random_serial(result.get());
  X509_gmtime_adj(X509_getm_notBefore(result.get()),
                  -clock_difference_max.count());
  require(ASN1_TIME_set(X509_getm_notAfter(result.get()), until) != nullptr);
  auto* subject = X509_get_subject_name(result.get());
  require(X509_NAME_add_entry_by_txt(
            subject, "CN", MBSTRING_UTF8,
            reinterpret_cast<const unsigned char*>(name.c_str()), -1, -1, 0)
          == 1);
  require(X509_set_pubkey(result.get(), key) == 1);
  return result;
}

std::time_t time_after(std::chrono::seconds duration) {
  return std::time(nullptr) + duration.count();
}

template <class Value, class Write>
std::string written(const Value* value, Write write) {
  const bio_ptr out{BIO_new(BIO_s_mem())};
  require(out && write(out.get(), value) == 1);
  return written_text(out.get());
}

/// Reads values until there are none left.
template <class Pointer, class Read>
std::vector<Pointer> read_all(std::string_view text, Read read) {
  const auto in = reading_bio(text);
  std::vector<Pointer> result;
  while (Pointer next{read(in.get())})
    result.push_back(std::move(next));
  ERR_clear_error();
  return result;
}

} // namespace

key_ptr make_key() {
  key_ptr result{EVP_EC_gen("P-256")};
  require(result != nullptr);
  return result;
}

identity make_authority(const std::string& name, key_ptr key,
                        std::chrono::days validity) {
  auto made = make_body(name, key.get(), time_after(validity));
  auto* body = made.get();
  require(X509_set_issuer_name(body, X509_get_subject_name(body)) == 1);
  add_extension(body, body, NID_basic_constraints,
                "critical,CA:TRUE,pathlen:0");
  add_extension(body, body, NID_key_usage, "critical,keyCertSign,cRLSign");
  add_extension(body, body, NID_subject_key_identifier, "hash");
  require(X509_sign(body, key.get(), EVP_sha256()) > 0);
  return {std::move(made), std::move(key)};
}

identity issue(const identity& authority, const std::string& name,
               std::chrono::days validity) {
  auto key = make_key();
  auto* issuer = authority.certificate.get();
  const auto until = std::min<std::time_t>(time_after(validity),
                                           time_after(time_left(issuer)));
  auto made = make_body(name, key.get(), until);
  auto* body = made.get();
  require(X509_set_issuer_name(body, X509_get_subject_name(issuer)) == 1);
  add_extension(body, issuer, NID_basic_constraints, "critical,CA:FALSE");
  add_extension(body, issuer, NID_key_usage, "critical,digitalSignature");
  add_extension(body, issuer, NID_ext_key_usage, "serverAuth,clientAuth");
  add_extension(body, issuer, NID_subject_alt_name, "DNS:" + name);
  add_extension(body, issuer, NID_subject_key_identifier, "hash");
  add_extension(body, issuer, NID_authority_key_identifier, "keyid");
  require(X509_sign(body, authority.key.get(), EVP_sha256()) > 0);
  return {std::move(made), std::move(key)};
}

crl_ptr make_revocation_list(const identity& authority,
                             const std::vector<const X509*>& revoked) {
  using time_ptr = std::unique_ptr<ASN1_TIME, openssl_delete<ASN1_TIME_free>>;
  const time_ptr now{ASN1_TIME_set(nullptr, time_after(-clock_difference_max))};
  crl_ptr result{X509_CRL_new()};
  require(result && now);
  require(X509_CRL_set_version(result.get(), X509_CRL_VERSION_2) == 1);
  require(X509_CRL_set_issuer_name(
            result.get(), X509_get_subject_name(authority.certificate.get()))
          == 1);
  require(X509_CRL_set1_lastUpdate(result.get(), now.get()) == 1);
  for (const auto* each : revoked) {
    auto* added = X509_REVOKED_new();
    X509_REVOKED_set_serialNumber(
      added, const_cast<ASN1_INTEGER*>(X509_get0_serialNumber(each)));
    X509_REVOKED_set_revocationDate(added, now.get());
    require(X509_CRL_add0_revoked(result.get(), added) == 1);
  }
  X509_CRL_sort(result.get());
  require(X509_CRL_sign(result.get(), authority.key.get(), EVP_sha256()) > 0);
  return result;
}

std::chrono::seconds time_left(const X509* certificate) {
  auto days = 0;
  auto seconds = 0;
  require(
    ASN1_TIME_diff(&days, &seconds, nullptr, X509_get0_notAfter(certificate))
    == 1);
  return std::chrono::days{days} + std::chrono::seconds{seconds};
}

std::string to_pem(const X509* certificate) {
  return written(certificate, [](BIO* out, const X509* value) {
    return PEM_write_bio_X509(out, value);
  });
}

std::string to_pem(const EVP_PKEY* key) {
  return written(key, [](BIO* out, const EVP_PKEY* value) {
    return PEM_write_bio_PrivateKey(out, value, nullptr, nullptr, 0, nullptr,
                                    nullptr);
  });
}

std::string to_pem(const X509_CRL* revoked) {
  return written(revoked, [](BIO* out, const X509_CRL* value) {
    return PEM_write_bio_X509_CRL(out, value);
  });
}

certificate_ptr certificate_from_pem(std::string_view text) {
  auto all = certificates_from_pem(text);
  return all.empty() ? nullptr : std::move(all.front());
}

key_ptr key_from_pem(std::string_view text) {
  const auto in = reading_bio(text);
  key_ptr result{
    PEM_read_bio_PrivateKey(in.get(), nullptr, no_passphrase, nullptr)};
  ERR_clear_error();
  return result;
}

std::vector<certificate_ptr> certificates_from_pem(std::string_view text) {
  return read_all<certificate_ptr>(text, [](BIO* in) {
    return PEM_read_bio_X509(in, nullptr, no_passphrase, nullptr);
  });
}

std::vector<crl_ptr> revocation_lists_from_pem(std::string_view text) {
  return read_all<crl_ptr>(text, [](BIO* in) {
    return PEM_read_bio_X509_CRL(in, nullptr, no_passphrase, nullptr);
  });
}

} // namespace caf_mcp
