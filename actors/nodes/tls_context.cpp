#include "caf_mcp/actors/nodes/tls_context.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <openssl/err.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <map>
#include <new>
#include <system_error>

namespace caf_mcp {

namespace {

constexpr std::string_view config_key = "caf-mcp.tls-context";

/// Tells sessions of nodes from those of other programs (SSL_CTX(3ssl)).
constexpr std::string_view session_context = "caf-mcp";

/// A listener answers a certificate that it takes with a ticket. It is kept by
/// nobody: it only says that the certificate was taken.
int on_ticket(SSL* session, SSL_SESSION*) {
  SSL_set_app_data(session, session);
  return 0;
}

class context_register {
public:
  std::string add(const std::shared_ptr<tls_context>& context) {
    const std::lock_guard guard{mutex_};
    auto key = std::to_string(++last_);
    contexts_[key] = context;
    return key;
  }

  std::shared_ptr<tls_context> find(const std::string& key) {
    const std::lock_guard guard{mutex_};
    const auto found = contexts_.find(key);
    return found != contexts_.end() ? found->second.lock() : nullptr;
  }

private:
  std::mutex mutex_;
  std::uint64_t last_ = 0;
  std::map<std::string, std::weak_ptr<tls_context>> contexts_;
};

context_register& contexts() {
  static context_register all;
  return all;
}

} // namespace

tls_context::tls_context(material what, renewal renew)
  : renew_{std::move(renew)},
    revoked_file_{what.revoked_file},
    peer_names_{what.peer_names} {
  use(std::move(what));
}

/// Sessions that are there keep what they were made by.
void tls_context::use(material what) {
  what_ = std::move(what);
  context_.reset(SSL_CTX_new(TLS_method()));
  auto* context = context_.get();
  if (context == nullptr)
    throw std::bad_alloc{};
  SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION);
  SSL_CTX_use_certificate(context, what_.own.certificate.get());
  SSL_CTX_use_PrivateKey(context, what_.own.key.get());
  for (const auto& each : what_.intermediates)
    SSL_CTX_add1_chain_cert(context, each.get());
  SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE
                              | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT,
                     &tls_context::verify);
  SSL_CTX_set_app_data(context, this);
  SSL_CTX_set_session_id_context(
    context, reinterpret_cast<const unsigned char*>(session_context.data()),
    static_cast<unsigned>(session_context.size()));
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_CLIENT
                                            | SSL_SESS_CACHE_NO_INTERNAL);
  SSL_CTX_sess_set_new_cb(context, on_ticket);
  SSL_CTX_set_num_tickets(context, 1);
  store_ = make_store(revoked_);
}

ssl_ptr tls_context::new_session(node_role role, int fd) {
  const std::lock_guard guard{mutex_};
  if (auto newer = renew_ ? renew_(what_) : std::nullopt)
    use(std::move(*newer));
  ssl_ptr result{SSL_new(context_.get())};
  if (!result || SSL_set_fd(result.get(), fd) != 1)
    throw std::bad_alloc{};
  SSL_set1_verify_cert_store(result.get(), store_.get());
  if (role == node_role::caller)
    SSL_set_connect_state(result.get());
  else
    SSL_set_accept_state(result.get());
  return result;
}

bool tls_context::refresh_revoked() {
  if (revoked_file_.empty())
    return true;
  namespace fs = std::filesystem;
  std::error_code error;
  file_state now;
  now.time = fs::last_write_time(revoked_file_, error);
  if (!error)
    now.size = fs::file_size(revoked_file_, error);
  if (error)
    return false;
  const std::lock_guard guard{mutex_};
  if (revoked_state_ == now)
    return true;
  std::ifstream file{revoked_file_, std::ios::binary};
  const std::string text{std::istreambuf_iterator<char>{file}, {}};
  auto lists = revocation_lists_from_pem(text);
  if (lists.empty())
    return false;
  revoked_ = std::move(lists);
  store_ = make_store(revoked_);
  revoked_state_ = now;
  return true;
}

bool tls_context::is_taken(const SSL* session) {
  return SSL_get_app_data(session) != nullptr;
}

tls_context::store_ptr
tls_context::make_store(const std::vector<crl_ptr>& revoked) const {
  store_ptr result{X509_STORE_new()};
  if (!result)
    throw std::bad_alloc{};
  for (const auto& each : what_.authorities)
    X509_STORE_add_cert(result.get(), each.get());
  for (const auto& each : revoked)
    X509_STORE_add_crl(result.get(), each.get());
  // An authority of the file may be signed by another that is not in it.
  X509_STORE_set_flags(result.get(),
                       X509_V_FLAG_PARTIAL_CHAIN
                         | (revoked.empty() ? 0U : X509_V_FLAG_CRL_CHECK));
  ERR_clear_error();
  return result;
}

bool tls_context::has_wanted_name(X509* certificate) const {
  const auto is_its_name = [certificate](const std::string& name) {
    return X509_check_host(certificate, name.data(), name.size(),
                           X509_CHECK_FLAG_NO_WILDCARDS, nullptr)
             == 1
           || X509_check_ip_asc(certificate, name.c_str(), 0) == 1;
  };
  return peer_names_.empty()
         || std::any_of(peer_names_.begin(), peer_names_.end(), is_its_name);
}

/// Called for each certificate of a chain, that of the other side last.
int tls_context::verify(int is_well, X509_STORE_CTX* chain) {
  if (is_well != 1 || X509_STORE_CTX_get_error_depth(chain) != 0)
    return is_well;
  const auto* session = static_cast<const SSL*>(
    X509_STORE_CTX_get_ex_data(chain, SSL_get_ex_data_X509_STORE_CTX_idx()));
  const auto* self = static_cast<const tls_context*>(
    SSL_CTX_get_app_data(SSL_get_SSL_CTX(session)));
  if (self->has_wanted_name(X509_STORE_CTX_get_current_cert(chain)))
    return 1;
  X509_STORE_CTX_set_error(chain, X509_V_ERR_HOSTNAME_MISMATCH);
  return 0;
}

std::string fingerprint_of_peer(const SSL* session) {
  const certificate_ptr certificate{SSL_get1_peer_certificate(session)};
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  auto size = 0U;
  if (certificate)
    X509_digest(certificate.get(), EVP_sha256(), digest.data(), &size);
  return {reinterpret_cast<const char*>(digest.data()), size};
}

void set_tls_context(caf::actor_system_config& config,
                     const std::shared_ptr<tls_context>& context) {
  caf::put(config.content, config_key, contexts().add(context));
}

std::shared_ptr<tls_context> tls_context_of(caf::actor_system& system) {
  const auto* key
    = caf::get_if<std::string>(&caf::content(system.config()), config_key);
  return key != nullptr ? contexts().find(*key) : nullptr;
}

} // namespace caf_mcp
