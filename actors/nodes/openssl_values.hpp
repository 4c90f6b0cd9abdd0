#pragma once

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <memory>
#include <string>
#include <string_view>

namespace caf_mcp {

/// Frees a value of OpenSSL's library by the function meant for it.
template <auto Free>
struct openssl_delete {
  template <class T>
  void operator()(T* what) const noexcept {
    Free(what);
  }
};

using bio_ptr = std::unique_ptr<BIO, openssl_delete<BIO_free>>;
using key_ptr = std::unique_ptr<EVP_PKEY, openssl_delete<EVP_PKEY_free>>;
using certificate_ptr = std::unique_ptr<X509, openssl_delete<X509_free>>;
using crl_ptr = std::unique_ptr<X509_CRL, openssl_delete<X509_CRL_free>>;
using ssl_context_ptr = std::unique_ptr<SSL_CTX, openssl_delete<SSL_CTX_free>>;
using ssl_ptr = std::unique_ptr<SSL, openssl_delete<SSL_free>>;

/// Reads from `text`, which outlives it.
bio_ptr reading_bio(std::string_view text);

/// Returns what was written into a BIO in memory.
std::string written_text(BIO* memory);

/// Says what OpenSSL found wrong last in this thread, and forgets it; empty if
/// nothing was.
std::string take_openssl_error();

/// Returns a point in time for people.
std::string to_text(const ASN1_TIME* time);

} // namespace caf_mcp
