#include "caf_mcp/actors/authority.hpp"

#include "caf_mcp/actors/nodes/certificates.hpp"
#include "caf_mcp/actors/nodes/private_files.hpp"
#include "caf_mcp/messages/error_info.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>
#include <sys/file.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

namespace caf_mcp {

namespace {

namespace fs = std::filesystem;

constexpr std::chrono::days authority_validity{3650};
constexpr std::size_t name_bytes_max = 63; // of a DNS label (RFC 1035, 2.3.4)

/// Certificates that hold are in the one folder, those that do not in the
/// other: the list of revoked ones is made from it.
constexpr std::string_view issued = "/issued";
constexpr std::string_view revoked = "/revoked";

constexpr std::array<std::string_view, 2> own_names{"ca", "revoked"};

std::string operator/(const std::string& folder, std::string_view name) {
  return folder + '/' + std::string{name};
}

caf::error check_name(const std::string& name) {
  const auto is_allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
           || (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '_';
  };
  if (!name.empty() && name.size() <= name_bytes_max && name.front() != '.'
      && name.front() != '-'
      && std::all_of(name.begin(), name.end(), is_allowed)
      && std::find(own_names.begin(), own_names.end(), name) == own_names.end())
    return {};
  return config_error("name", "is \"" + name
                                + "\"; must have 1 to 63 letters, digits, '.', "
                                  "'-' and '_', start with none of '.' and "
                                  "'-', and be neither ca nor revoked");
}

std::string read_text(const std::string& path) {
  std::ifstream file{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{file}, {}};
}

caf::error write(const std::string& path, const std::string& text,
                 existing_file existing = existing_file::replaced) {
  auto written = write_private_file(path, text, existing);
  if (!written)
    return std::move(written.error());
  if (!*written)
    return config_error("credentials", "\"" + path + "\" is there already");
  return {};
}

caf::expected<identity> read_authority(const std::string& folder) {
  auto key = read_private_file(folder / "ca.key");
  if (!key)
    return std::move(key.error());
  identity result{certificate_from_pem(read_text(folder / "ca.pem")),
                  key_from_pem(key->value_or(""))};
  if (!result.certificate || !result.key)
    return config_error("credentials",
                        "\"" + folder
                          + "\" holds no authority; `caf-mcp credentials init` "
                            "makes one");
  return result;
}

/// Keeps other processes from the same folder.
class folder_lock {
public:
  explicit folder_lock(const std::string& folder)
    : fd_{::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)} {
    while (::flock(fd_, LOCK_EX) != 0 && errno == EINTR) {
      // a signal came
    }
  }

  folder_lock(const folder_lock&) = delete;
  folder_lock& operator=(const folder_lock&) = delete;

  ~folder_lock() {
    ::close(fd_);
  }

private:
  int fd_;
};

std::string serial_of(const X509* certificate) {
  using number_ptr = std::unique_ptr<BIGNUM, openssl_delete<BN_free>>;
  const number_ptr number{
    ASN1_INTEGER_to_BN(X509_get0_serialNumber(certificate), nullptr)};
  char* text = BN_bn2hex(number.get());
  std::string result{text};
  OPENSSL_free(text);
  return result;
}

/// The files of a folder that belong to `name`: NAME.SERIAL.pem.
std::vector<fs::path> files_of(const std::string& folder,
                               const std::string& name) {
  std::vector<fs::path> result;
  std::error_code ignored;
  for (const auto& each : fs::directory_iterator{folder, ignored})
    if (each.path().stem().stem() == name)
      result.push_back(each.path());
  return result;
}

} // namespace

caf::expected<certificate_authority>
certificate_authority::create(std::string folder) {
  certificate_authority result{
    fs::absolute(folder).lexically_normal().string()};
  const auto& where = result.folder_;
  for (auto part : {std::string_view{}, issued, revoked})
    if (auto error = make_private_folder(where + std::string{part}))
      return error;
  const folder_lock lock{where};
  const auto made
    = make_authority("caf-mcp authority", make_key(), authority_validity);
  if (auto error
      = write(where / "ca.key", to_pem(made.key.get()), existing_file::kept))
    return error;
  if (auto error = write(where / "ca.pem", to_pem(made.certificate.get())))
    return error;
  if (auto error = result.write_revoked())
    return error;
  return result;
}

caf::expected<certificate_authority>
certificate_authority::open(std::string folder) {
  certificate_authority result{
    fs::absolute(folder).lexically_normal().string()};
  if (auto found = read_authority(result.folder_); !found)
    return std::move(found.error());
  return result;
}

caf::expected<tls_files>
certificate_authority::issue(const std::string& name,
                             std::chrono::days validity) const {
  if (auto error = check_name(name))
    return error;
  const folder_lock lock{folder_};
  auto authority = read_authority(folder_);
  if (!authority)
    return std::move(authority.error());
  const auto made = caf_mcp::issue(*authority, name, validity);
  const auto text = to_pem(made.certificate.get());
  tls_files result;
  result.certificate = folder_ / (name + ".pem");
  result.key = folder_ / (name + ".key");
  result.ca = folder_ / "ca.pem";
  result.revoked = folder_ / "revoked.pem";
  // It is noted before anybody has it: else it could not be revoked.
  if (auto error = write(folder_ + std::string{issued} + '/' + name + '.'
                           + serial_of(made.certificate.get()) + ".pem",
                         text))
    return error;
  if (auto error = write(result.key, to_pem(made.key.get())))
    return error;
  if (auto error = write(result.certificate, text))
    return error;
  return result;
}

caf::error certificate_authority::revoke(const std::string& name) const {
  if (auto error = check_name(name))
    return error;
  const folder_lock lock{folder_};
  const auto found = files_of(folder_ + std::string{issued}, name);
  if (found.empty())
    return local_error(errc::not_found,
                       "no certificate of \"" + name + "\" holds");
  for (const auto& each : found) {
    std::error_code error;
    fs::rename(each, folder_ + std::string{revoked} / each.filename().string(),
               error);
    if (error)
      return config_error("credentials",
                          "\"" + each.string()
                            + "\" cannot be moved: " + error.message());
  }
  return write_revoked();
}

caf::error certificate_authority::write_revoked() const {
  auto authority = read_authority(folder_);
  if (!authority)
    return std::move(authority.error());
  std::vector<certificate_ptr> all;
  std::error_code error;
  for (const auto& each :
       fs::directory_iterator{folder_ + std::string{revoked}, error})
    if (auto read = certificate_from_pem(read_text(each.path().string())))
      all.push_back(std::move(read));
  if (error)
    return config_error("credentials",
                        "\"" + folder_ + std::string{revoked}
                          + "\" cannot be read: " + error.message());
  std::vector<const X509*> certificates;
  for (const auto& each : all)
    certificates.push_back(each.get());
  return write(folder_ / "revoked.pem",
               to_pem(make_revocation_list(*authority, certificates).get()));
}

} // namespace caf_mcp
