#pragma once

#include "caf_mcp/actors/tls.hpp"

#include "tests/support/scratch_directory.hpp"

#include <string>
#include <string_view>

namespace tests {

/// An authority that signs certificates for a test, with the command `openssl`.
class authority {
public:
  authority();

  /// Returns a certificate that is valid for a day.
  caf_mcp::tls_files sign(std::string_view name) const;

  /// Returns a certificate that has expired.
  caf_mcp::tls_files sign_expired(std::string_view name) const;

  /// Returns the certificate of the authority.
  std::string certificate() const {
    return directory_.path() + "/ca.pem";
  }

private:
  caf_mcp::tls_files sign(std::string_view name,
                          std::string_view validity) const;
  void openssl(const std::string& words) const;

  tests::scratch_directory directory_;
};

} // namespace tests
