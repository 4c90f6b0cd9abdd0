#pragma once

#include "caf_mcp/actors/tls.hpp"

#include <caf/error.hpp>
#include <caf/expected.hpp>

#include <chrono>
#include <string>

namespace caf_mcp {

/// An authority for the nodes of a small deployment, in a folder that the user
/// alone may use. Link `caf_mcp::nodes`. All functions block; several processes
/// may use one folder at once.
///
/// The folder holds `ca.pem` and `revoked.pem`, which every node needs,
/// `ca.key`, which no node needs, and `NAME.pem` and `NAME.key` of each node.
class certificate_authority {
public:
  /// Makes a new authority in `folder`. Fails with `config_invalid` if there is
  /// one already, or the folder cannot be used.
  static caf::expected<certificate_authority> create(std::string folder);

  /// Opens the authority of `folder`. Fails with `config_invalid`.
  static caf::expected<certificate_authority> open(std::string folder);

  /// Makes a certificate and a key for the node `name`, which other nodes can
  /// insist on by `tls_files::peer_names`; also to renew one, for the
  /// certificate before holds on. Returns all files that the node needs. A name
  /// has letters, digits, '.', '-' and '_'.
  caf::expected<tls_files> issue(const std::string& name,
                                 std::chrono::days validity
                                 = std::chrono::days{365}) const;

  /// Revokes all certificates of `name`. Nodes that know `revoked.pem` refuse
  /// them from the next connection on. Fails with `not_found` if it has none.
  caf::error revoke(const std::string& name) const;

  const std::string& folder() const noexcept {
    return folder_;
  }

private:
  explicit certificate_authority(std::string folder)
    : folder_{std::move(folder)} {
    // nop
  }

  caf::error write_revoked() const;

  std::string folder_;
};

} // namespace caf_mcp
