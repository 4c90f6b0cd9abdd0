#include "caf_mcp/actors/nodes/private_files.hpp"

#include "caf_mcp/messages/error_info.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <string_view>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace caf_mcp {

namespace {

constexpr ::mode_t others_bits = 077;

caf::error wrong(const std::string& path, const std::string& why) {
  return config_error("credentials", "\"" + path + "\" " + why);
}

caf::error wrong_by_errno(const std::string& path, const std::string& what) {
  return wrong(path, what + ": " + std::generic_category().message(errno));
}

/// Says what lets others in; nothing if this user is alone with it.
caf::error check_owner(const std::string& path, const struct stat& status,
                       std::string_view mode) {
  if (status.st_uid != ::geteuid())
    return wrong(path, "belongs to user " + std::to_string(status.st_uid)
                         + "; must belong to user "
                         + std::to_string(::geteuid()));
  if ((status.st_mode & others_bits) != 0)
    return wrong(path, "may be used by others; its mode must be "
                         + std::string{mode});
  return {};
}

/// Closes a descriptor at the end of a scope.
class descriptor {
public:
  explicit descriptor(int fd) : fd_{fd} {
    // nop
  }

  descriptor(const descriptor&) = delete;
  descriptor& operator=(const descriptor&) = delete;

  ~descriptor() {
    if (fd_ >= 0)
      ::close(fd_);
  }

  int get() const noexcept {
    return fd_;
  }

private:
  int fd_;
};

bool write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const auto count = ::write(fd, text.data(), text.size());
    if (count < 0 && errno != EINTR)
      return false;
    text.remove_prefix(static_cast<std::size_t>(count < 0 ? 0 : count));
  }
  return ::fsync(fd) == 0;
}

/// Gives a file that is complete its name. An existing one is kept by link(2),
/// which never replaces: of two processes at once, one is first.
bool give_name(const std::string& from, const std::string& to,
               existing_file existing) {
  if (existing == existing_file::replaced)
    return ::rename(from.c_str(), to.c_str()) == 0;
  const auto is_done = ::link(from.c_str(), to.c_str()) == 0;
  const auto error = errno;
  ::unlink(from.c_str());
  errno = error;
  return is_done;
}

} // namespace

caf::error make_private_folder(const std::string& path) {
  std::error_code ignored; // mkdir says it better
  const auto above = std::filesystem::path{path}.parent_path();
  std::filesystem::create_directories(above, ignored);
  if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST)
    return wrong_by_errno(path, "cannot be made");
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0)
    return wrong_by_errno(path, "cannot be looked at");
  if (!S_ISDIR(status.st_mode))
    return wrong(path, "must be a folder");
  return check_owner(path, status, "0700");
}

caf::expected<std::optional<std::string>>
read_private_file(const std::string& path) {
  // A pipe would have the open wait for a writer.
  const descriptor file{
    ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)};
  if (file.get() < 0) {
    if (errno == ENOENT)
      return std::optional<std::string>{};
    return wrong_by_errno(path, "cannot be read");
  }
  struct stat status {};
  if (::fstat(file.get(), &status) != 0)
    return wrong_by_errno(path, "cannot be looked at");
  if (!S_ISREG(status.st_mode))
    return wrong(path, "must be a regular file");
  if (auto error = check_owner(path, status, "0600"))
    return error;
  std::string text(static_cast<std::size_t>(status.st_size), '\0');
  std::size_t size = 0;
  while (size < text.size()) {
    const auto count
      = ::read(file.get(), text.data() + size, text.size() - size);
    if (count < 0 && errno != EINTR)
      return wrong_by_errno(path, "cannot be read");
    if (count == 0)
      break;
    size += static_cast<std::size_t>(count < 0 ? 0 : count);
  }
  text.resize(size);
  return std::optional{std::move(text)};
}

caf::expected<bool> write_private_file(const std::string& path,
                                       const std::string& text,
                                       existing_file existing) {
  auto temporary = path + ".XXXXXX";
  const descriptor file{::mkostemp(temporary.data(), O_CLOEXEC)}; // mode 0600
  if (file.get() < 0)
    return wrong_by_errno(path, "cannot be written");
  if (!write_all(file.get(), text)) {
    auto error = wrong_by_errno(path, "cannot be written");
    ::unlink(temporary.c_str());
    return error;
  }
  if (give_name(temporary, path, existing))
    return true;
  if (existing == existing_file::kept && errno == EEXIST)
    return false;
  return wrong_by_errno(path, "cannot be written");
}

} // namespace caf_mcp
