#pragma once

#include "caf_mcp/actors/nodes/openssl_values.hpp"

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace caf_mcp {

/// A certificate and its private key.
struct identity {
  certificate_ptr certificate;
  key_ptr key;
};

/// Makes a key on the curve P-256.
key_ptr make_key();

/// Makes the certificate of an authority, signed by itself, which can sign for
/// nodes but for no other authority.
identity make_authority(const std::string& name, key_ptr key,
                        std::chrono::days validity);

/// Makes a certificate of `name`, as a DNS name too, with which a node may both
/// listen and call; signed by `authority`, and not valid for longer than that.
identity issue(const identity& authority, const std::string& name,
               std::chrono::days validity);

/// Makes the list of the certificates of `authority` that hold no more. It does
/// not expire: a deployment must not end because nobody wrote a new one.
crl_ptr make_revocation_list(const identity& authority,
                             const std::vector<const X509*>& revoked);

/// Returns the time until a certificate expires; negative once it has.
std::chrono::seconds time_left(const X509* certificate);

// -- PEM ----------------------------------------------------------------------

std::string to_pem(const X509* certificate);
std::string to_pem(const EVP_PKEY* key);
std::string to_pem(const X509_CRL* revoked);

/// Return null if there is none, or if it cannot be read. A key must have no
/// passphrase.
certificate_ptr certificate_from_pem(std::string_view text);
key_ptr key_from_pem(std::string_view text);

/// Returns all certificates of a text.
std::vector<certificate_ptr> certificates_from_pem(std::string_view text);

/// Returns all revocation lists of a text.
std::vector<crl_ptr> revocation_lists_from_pem(std::string_view text);

} // namespace caf_mcp
