#include "caf_mcp/actors/nodes/user_credentials.hpp"

#include "caf_mcp/actors/nodes/certificates.hpp"
#include "caf_mcp/actors/nodes/private_files.hpp"
#include "caf_mcp/actors/tls.hpp"
#include "caf_mcp/messages/error_info.hpp"

#include <openssl/rand.h>

#include <array>
#include <cstdlib>
#include <pwd.h>
#include <unistd.h>
#include <utility>

namespace caf_mcp {

namespace {

constexpr std::chrono::days authority_validity{3650};

/// Those who have not renewed theirs yet still take what the new one has
/// signed.
constexpr std::chrono::days renewal_before{365};

std::string absolute_variable(const char* name) {
  const auto* value = std::getenv(name);
  return value != nullptr && *value == '/' ? value : "";
}

std::string home_folder() {
  if (auto home = absolute_variable("HOME"); !home.empty())
    return home;
  std::array<char, 16384> buffer{};
  passwd entry{};
  passwd* found = nullptr;
  ::getpwuid_r(::geteuid(), &entry, buffer.data(), buffer.size(), &found);
  return found != nullptr && found->pw_dir != nullptr ? found->pw_dir : "";
}

/// The state folder comes first: it is the same for a service and a shell,
/// whereas only sessions have a runtime folder.
caf::expected<std::string> user_folder() {
  if (auto state = absolute_variable("XDG_STATE_HOME"); !state.empty())
    return state + "/caf-mcp";
  if (auto home = home_folder(); home.size() > 1)
    return home + "/.local/state/caf-mcp";
  if (auto runtime = absolute_variable("XDG_RUNTIME_DIR"); !runtime.empty())
    return runtime + "/caf-mcp";
  return config_error("credentials", "have no folder; set HOME, "
                                     "XDG_STATE_HOME or XDG_RUNTIME_DIR");
}

/// Two authorities must differ by name, else a wrong key would look like a
/// forged signature.
std::string random_name() {
  std::array<unsigned char, 8> bytes{};
  RAND_bytes(bytes.data(), bytes.size());
  constexpr std::string_view digits = "0123456789abcdef";
  std::string result{"caf-mcp-"};
  for (auto byte : bytes) {
    result += digits[byte >> 4U];
    result += digits[byte & 0xFU];
  }
  return result;
}

std::string to_pem(const identity& what) {
  return caf_mcp::to_pem(what.key.get())
         + caf_mcp::to_pem(what.certificate.get());
}

/// The certificate is new; its name and key are the old ones, so that those who
/// know the old certificate take what the new one has signed.
identity renewed(identity old) {
  std::array<char, 256> name{};
  X509_NAME_get_text_by_NID(X509_get_subject_name(old.certificate.get()),
                            NID_commonName, name.data(), name.size());
  return make_authority(name.data(), std::move(old.key), authority_validity);
}

caf::expected<identity> read_authority(const std::string& file,
                                       const std::string& text) {
  identity result{certificate_from_pem(text), key_from_pem(text)};
  if (!result.certificate || !result.key
      || X509_check_private_key(result.certificate.get(), result.key.get())
           != 1)
    return config_error("credentials", "\"" + file
                                         + "\" does not hold a key and its "
                                           "certificate; remove it, and a new "
                                           "one is made");
  return result;
}

} // namespace

caf::expected<identity> authority_of_user() {
  auto folder = user_folder();
  if (!folder)
    return std::move(folder.error());
  if (auto error = make_private_folder(*folder))
    return error;
  const auto file = *folder + "/authority.pem";
  auto text = read_private_file(file);
  if (text && !*text) {
    const auto made
      = make_authority(random_name(), make_key(), authority_validity);
    auto written = write_private_file(file, to_pem(made), existing_file::kept);
    if (!written)
      return std::move(written.error());
    text = read_private_file(file); // ours, or that of whoever was first
  }
  if (!text)
    return std::move(text.error());
  auto result = read_authority(file, text->value_or(""));
  if (!result || time_left(result->certificate.get()) > renewal_before)
    return result;
  auto next = renewed(std::move(*result));
  auto written
    = write_private_file(file, to_pem(next), existing_file::replaced);
  if (!written)
    return std::move(written.error());
  return next;
}

caf::expected<tls_context::material> material_of_user() {
  auto authority = authority_of_user();
  if (!authority)
    return std::move(authority.error());
  tls_context::material what;
  what.own = issue(*authority, "user-" + std::to_string(::geteuid()),
                   authority_validity);
  what.authorities.push_back(std::move(authority->certificate));
  return what;
}

/// What cannot be renewed is used as long as it holds, and tried again.
std::optional<tls_context::material>
renewed_material_of_user(const tls_context::material& current) {
  if (time_left(current.own.certificate.get()) > renewal_before)
    return std::nullopt;
  auto result = material_of_user();
  if (!result)
    return std::nullopt;
  return std::move(*result);
}

caf::expected<tls_credentials> tls_credentials::of_user() {
  auto what = material_of_user();
  if (!what)
    return std::move(what.error());
  return tls_credentials{
    std::make_shared<tls_context>(std::move(*what), renewed_material_of_user)};
}

} // namespace caf_mcp
