#include "caf_mcp/actors/hub/tls.hpp"

#include "caf_mcp/messages/error_info.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/io/middleman.hpp>
#include <caf/openssl/manager.hpp>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <cerrno>
#include <fstream>
#include <iterator>
#include <sys/mman.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace caf_mcp {

namespace {

/// Refuses a key with a passphrase, instead of asking on the terminal.
int no_passphrase(char*, int, int, void*) {
  return -1;
}

caf::error wrong(std::string_view key, const std::string& file,
                 const std::string& why) {
  ERR_clear_error();
  return config_error(key, "is \"" + file + "\"; " + why);
}

std::string text_of(const ASN1_TIME* time) {
  const std::unique_ptr<BIO, decltype(&BIO_free)> out{BIO_new(BIO_s_mem()),
                                                      &BIO_free};
  ASN1_TIME_print(out.get(), time);
  char* text = nullptr;
  const auto size = BIO_get_mem_data(out.get(), &text);
  return {text, static_cast<std::size_t>(size)};
}

} // namespace

/// A copy of a file that no one else can change or remove.
class tls_credentials::private_file {
public:
  explicit private_file(const std::string& text)
    : fd_{::memfd_create("tls", MFD_CLOEXEC)} {
    for (std::string_view rest{text}; !rest.empty();) {
      const auto count = ::write(fd_, rest.data(), rest.size());
      if (count < 0)
        throw std::system_error{errno, std::generic_category()};
      rest.remove_prefix(static_cast<std::size_t>(count));
    }
  }

  private_file(const private_file&) = delete;
  private_file& operator=(const private_file&) = delete;

  ~private_file() {
    ::close(fd_);
  }

  std::string path() const {
    return "/proc/self/fd/" + std::to_string(fd_);
  }

private:
  int fd_;
};

caf::expected<tls_credentials> tls_credentials::load(const tls_files& files) {
  struct named_file {
    const char* key;
    const std::string& name;
  };
  const named_file certificate{"tls-certificate", files.certificate};
  const named_file key{"tls-key", files.key};
  const named_file ca{"tls-ca", files.ca};
  std::vector<std::unique_ptr<private_file>> copies;
  for (const auto& each : {certificate, key, ca}) {
    std::ifstream file{each.name, std::ios::binary};
    const std::string text{std::istreambuf_iterator<char>{file}, {}};
    if (text.empty())
      return wrong(each.key, each.name, "must be a file that can be read");
    copies.push_back(std::make_unique<private_file>(text));
  }
  const std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)> context{
    SSL_CTX_new(TLS_method()), &SSL_CTX_free};
  SSL_CTX_set_default_passwd_cb(context.get(), no_passphrase);
  if (SSL_CTX_use_certificate_chain_file(context.get(),
                                         copies[0]->path().c_str())
      != 1)
    return wrong(certificate.key, certificate.name,
                 "must hold a certificate in PEM");
  const auto* own = SSL_CTX_get0_certificate(context.get());
  if (X509_cmp_current_time(X509_get0_notAfter(own)) < 0)
    return wrong(certificate.key, certificate.name,
                 "has expired: it was valid until "
                   + text_of(X509_get0_notAfter(own)));
  if (X509_cmp_current_time(X509_get0_notBefore(own)) > 0)
    return wrong(certificate.key, certificate.name,
                 "is not valid before " + text_of(X509_get0_notBefore(own)));
  if (SSL_CTX_use_PrivateKey_file(context.get(), copies[1]->path().c_str(),
                                  SSL_FILETYPE_PEM)
      != 1)
    return wrong(key.key, key.name,
                 "must hold the private key of the certificate in PEM, without "
                 "a passphrase");
  if (SSL_CTX_load_verify_locations(context.get(), copies[2]->path().c_str(),
                                    nullptr)
      != 1)
    return wrong(ca.key, ca.name, "must hold certificates in PEM");
  return tls_credentials{std::move(copies)};
}

tls_credentials::tls_credentials(
  std::vector<std::unique_ptr<private_file>> files)
  : files_{std::move(files)} {
  // nop
}

tls_credentials::tls_credentials(tls_credentials&&) noexcept = default;

tls_credentials&
tls_credentials::operator=(tls_credentials&&) noexcept = default;

tls_credentials::~tls_credentials() = default;

void tls_credentials::load_into(caf::actor_system_config& config) const {
  config.load<caf::io::middleman>();
  config.load<caf::openssl::manager>();
  config.set("caf.openssl.certificate", files_[0]->path());
  config.set("caf.openssl.key", files_[1]->path());
  config.set("caf.openssl.cafile", files_[2]->path());
}

bool has_tls(caf::actor_system& system) {
  return system.has_openssl_manager()
         && system.openssl_manager().authentication_enabled();
}

} // namespace caf_mcp
