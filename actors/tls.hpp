#pragma once

#include <caf/error.hpp>
#include <caf/expected.hpp>
#include <caf/fwd.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace caf_mcp {

class tls_context;

/// Files with which a node proves who it is, in PEM, and whom it takes.
struct tls_files {
  /// Its certificate, followed by those of intermediate authorities, if any.
  std::string certificate;
  /// The private key of the certificate, without a passphrase.
  std::string key;
  /// Certificates of the authorities that sign for those it talks to.
  std::string ca;
  /// Lists of revoked certificates, one of each authority; none if empty. Read
  /// anew for the next connection when it has changed.
  std::string revoked = {};
  /// Names of which the certificate of the other side must hold one, as a DNS
  /// name or an IP address. If empty, whoever has a certificate from one of the
  /// authorities is taken, both as a node and as a caller.
  std::vector<std::string> peer_names = {};
};

/// What a node proves with who it is, and whom it takes. Must outlive the actor
/// system. Renewed while it is used: each new connection is made by what is
/// newest, those that are there stay.
class tls_credentials {
public:
  /// Reads and checks the files. Fails with `config_invalid`, which names the
  /// file: it cannot be read, is not PEM, the certificate is not valid at this
  /// time, or the key is not the key of the certificate. When the files have
  /// changed, they are read anew for the next connection; until they are well,
  /// what was read before is used.
  static caf::expected<tls_credentials> load(const tls_files& files);

  /// Credentials that all programs of this user share, and no other user has;
  /// those of the superuser aside. Made when they are first asked for, and
  /// renewed before they expire. The folder is `caf-mcp` in `$XDG_STATE_HOME`,
  /// by default `~/.local/state`; or in `$XDG_RUNTIME_DIR` for a user without
  /// a home. Fails with `config_invalid` if somebody else owns or may read it,
  /// or it cannot be written.
  static caf::expected<tls_credentials> of_user();

  tls_credentials(tls_credentials&&) noexcept;
  tls_credentials& operator=(tls_credentials&&) noexcept;
  ~tls_credentials();

  /// Makes a system of this configuration able to talk to nodes by
  /// `node_transport::tls`, and by `node_transport::tcp`, too.
  void load_into(caf::actor_system_config& config) const;

private:
  explicit tls_credentials(std::shared_ptr<tls_context> context);

  std::shared_ptr<tls_context> context_;
};

/// Returns whether `system` has `tls_credentials`.
bool has_tls(caf::actor_system& system);

/// What is wrong if it has not.
inline constexpr std::string_view no_tls
  = "needs credentials: load tls_credentials into the configuration of the "
    "actor system, or choose node_transport::tcp, which lets everybody in";

} // namespace caf_mcp
