#pragma once

#include "caf_mcp/actors/nodes/certificates.hpp"

#include <caf/fwd.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace caf_mcp {

/// Which side of a connection this is.
enum class node_role : bool { listener, caller };

/// Makes the TLS sessions of an actor system: TLS 1.3, with a certificate on
/// both sides. Any thread.
class tls_context {
public:
  struct material {
    identity own;
    /// Between its certificate and an authority of the other side.
    std::vector<certificate_ptr> intermediates;
    std::vector<certificate_ptr> authorities;
    /// As in `tls_files`.
    std::string revoked_file;
    std::vector<std::string> peer_names;
  };

  /// Returns what is to take the place of this, if there is something newer.
  /// Called by one thread at a time, before a session is made.
  using renewal = std::function<std::optional<material>(const material&)>;

  /// `what` is complete, and its key that of its certificate. The same holds
  /// for what `renew` returns; what is said of peers stays as it is in `what`.
  explicit tls_context(material what, renewal renew = nullptr);

  tls_context(const tls_context&) = delete;
  tls_context& operator=(const tls_context&) = delete;

  /// Returns a session on the socket `fd`, which stays the caller's, by what is
  /// newest.
  ssl_ptr new_session(node_role role, int fd);

  /// Reads the lists of revoked certificates anew if they have changed. Returns
  /// whether there are some if there must be; if not, nobody is taken.
  bool refresh_revoked();

  /// Returns whether the other side has said that it takes our certificate.
  static bool is_taken(const SSL* session);

private:
  using store_ptr
    = std::unique_ptr<X509_STORE, openssl_delete<X509_STORE_free>>;

  /// What tells one state of a file from another.
  struct file_state {
    std::filesystem::file_time_type time;
    std::uintmax_t size = 0;
    friend bool operator==(const file_state&, const file_state&) = default;
  };

  void use(material what);
  store_ptr make_store(const std::vector<crl_ptr>& revoked) const;
  bool has_wanted_name(X509* certificate) const;
  static int verify(int is_well, X509_STORE_CTX* chain);

  renewal renew_;
  const std::string revoked_file_;
  const std::vector<std::string> peer_names_;
  std::mutex mutex_;
  material what_;
  ssl_context_ptr context_;
  store_ptr store_;
  std::vector<crl_ptr> revoked_;
  std::optional<file_state> revoked_state_;
};

/// Returns what tells the other side of a session, whose handshake is done,
/// from others: the SHA-256 of its certificate.
std::string fingerprint_of_peer(const SSL* session);

/// Makes `context` known to systems of the configuration `config`.
void set_tls_context(caf::actor_system_config& config,
                     const std::shared_ptr<tls_context>& context);

/// Returns what was set for the configuration of `system`, or null.
std::shared_ptr<tls_context> tls_context_of(caf::actor_system& system);

} // namespace caf_mcp
