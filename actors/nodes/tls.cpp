#include "caf_mcp/actors/tls.hpp"

#include "caf_mcp/actors/nodes/tls_context.hpp"
#include "caf_mcp/messages/error_info.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/io/middleman.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <system_error>
#include <utility>

namespace caf_mcp {

namespace {

caf::error wrong(std::string_view key, const std::string& file,
                 const std::string& why) {
  return config_error(key, "is \"" + file + "\"; " + why);
}

/// Reads the files one after the other; keeps the first error.
class file_reader {
public:
  std::string read(std::string_view key, const std::string& name) {
    std::ifstream file{name, std::ios::binary};
    std::string text{std::istreambuf_iterator<char>{file}, {}};
    if (text.empty())
      refuse(key, name, "must be a file that can be read");
    return text;
  }

  void refuse(std::string_view key, const std::string& name,
              const std::string& why) {
    if (!error)
      error = wrong(key, name, why);
  }

  caf::error error;
};

/// Says why a certificate does not hold at this time.
std::string expiry(const X509* certificate) {
  if (time_left(certificate).count() < 0)
    return "has expired: it was valid until "
           + to_text(X509_get0_notAfter(certificate));
  if (X509_cmp_current_time(X509_get0_notBefore(certificate)) > 0)
    return "is not valid before " + to_text(X509_get0_notBefore(certificate));
  return {};
}

void read_own(file_reader& reader, const tls_files& files,
              tls_context::material& to) {
  constexpr std::string_view certificate_key = "tls-certificate";
  auto chain
    = certificates_from_pem(reader.read(certificate_key, files.certificate));
  to.own.key = key_from_pem(reader.read("tls-key", files.key));
  if (chain.empty()) {
    reader.refuse(certificate_key, files.certificate,
                  "must hold a certificate in PEM");
    return;
  }
  to.own.certificate = std::move(chain.front());
  chain.erase(chain.begin());
  to.intermediates = std::move(chain);
  if (auto why = expiry(to.own.certificate.get()); !why.empty())
    reader.refuse(certificate_key, files.certificate, why);
  if (!to.own.key
      || X509_check_private_key(to.own.certificate.get(), to.own.key.get())
           != 1)
    reader.refuse("tls-key", files.key,
                  "must hold the private key of the certificate in PEM, "
                  "without a passphrase");
}

/// What tells one state of the files from another.
std::vector<std::string> state_of(const tls_files& files) {
  namespace fs = std::filesystem;
  std::vector<std::string> result;
  for (const auto* name : {&files.certificate, &files.key, &files.ca}) {
    std::error_code ignored;
    const auto time = fs::last_write_time(*name, ignored).time_since_epoch();
    result.push_back(std::to_string(time.count()) + '/'
                     + std::to_string(fs::file_size(*name, ignored)));
  }
  return result;
}

caf::expected<tls_context::material> read_material(const tls_files& files) {
  file_reader reader;
  tls_context::material what;
  read_own(reader, files, what);
  what.authorities = certificates_from_pem(reader.read("tls-ca", files.ca));
  if (what.authorities.empty())
    reader.refuse("tls-ca", files.ca, "must hold certificates in PEM");
  what.revoked_file = files.revoked;
  what.peer_names = files.peer_names;
  static_cast<void>(take_openssl_error());
  if (reader.error)
    return std::move(reader.error);
  return what;
}

/// Reads the files anew when they have changed. Files that are no credentials,
/// as while they are written, change nothing.
tls_context::renewal renewal_by(const tls_files& files) {
  return [files, last = state_of(files)](const tls_context::material&) mutable
         -> std::optional<tls_context::material> {
    auto now = state_of(files);
    if (now == last)
      return std::nullopt;
    auto result = read_material(files);
    if (!result)
      return std::nullopt;
    last = std::move(now);
    return std::move(*result);
  };
}

} // namespace

caf::expected<tls_credentials> tls_credentials::load(const tls_files& files) {
  auto renew = renewal_by(files);
  auto what = read_material(files);
  if (!what)
    return std::move(what.error());
  auto made = std::make_shared<tls_context>(std::move(*what), std::move(renew));
  if (!made->refresh_revoked())
    return wrong("tls-revoked", files.revoked,
                 "must hold lists of revoked certificates in PEM");
  return tls_credentials{std::move(made)};
}

tls_credentials::tls_credentials(std::shared_ptr<tls_context> context)
  : context_{std::move(context)} {
  // nop
}

tls_credentials::tls_credentials(tls_credentials&&) noexcept = default;

tls_credentials&
tls_credentials::operator=(tls_credentials&&) noexcept = default;

tls_credentials::~tls_credentials() = default;

void tls_credentials::load_into(caf::actor_system_config& config) const {
  config.load<caf::io::middleman>();
  set_tls_context(config, context_);
}

bool has_tls(caf::actor_system& system) {
  return tls_context_of(system) != nullptr;
}

} // namespace caf_mcp
