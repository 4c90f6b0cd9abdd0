#pragma once

#include <caf/error.hpp>
#include <caf/expected.hpp>
#include <caf/fwd.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace caf_mcp {

/// Files with which a node proves who it is, in PEM.
struct tls_files {
  /// Its certificate, followed by those of intermediate authorities, if any.
  std::string certificate;
  /// The private key of the certificate, without a passphrase.
  std::string key;
  /// Certificates of the authorities that sign for those it talks to. Whoever
  /// has a certificate from one of them can use all servers that are published;
  /// names in certificates are not looked at.
  std::string ca;
};

/// What a node proves with who it is, in the hands of CAF's OpenSSL module.
///
/// Holds the content of the files as it was: CAF reads them for each
/// connection, and ends the process if it finds them gone or half renewed. Must
/// outlive the actor system.
class tls_credentials {
public:
  /// Reads and checks the files. Fails with `config_invalid`, which names the
  /// file: it cannot be read, is no PEM, the certificate is not valid at this
  /// time, or the key is not the key of the certificate.
  static caf::expected<tls_credentials> load(const tls_files& files);

  tls_credentials(tls_credentials&&) noexcept;
  tls_credentials& operator=(tls_credentials&&) noexcept;
  ~tls_credentials();

  /// Makes a system of this configuration able to talk to nodes by
  /// `node_transport::tls`, and by `node_transport::tcp`, too.
  void load_into(caf::actor_system_config& config) const;

private:
  class private_file;

  explicit tls_credentials(std::vector<std::unique_ptr<private_file>> files);

  /// Certificate, key, authorities.
  std::vector<std::unique_ptr<private_file>> files_;
};

/// Returns whether `system` has `tls_credentials`.
bool has_tls(caf::actor_system& system);

/// What is wrong if it has not.
inline constexpr std::string_view no_tls
  = "needs a certificate: load tls_credentials into the configuration of the "
    "actor system";

} // namespace caf_mcp
