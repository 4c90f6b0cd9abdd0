#include "caf_mcp/actors/port/close_from.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace caf_mcp {

namespace {

/// What getdents64(2) puts before a name.
struct entry_head {
  std::uint64_t inode;
  std::int64_t offset;
  std::uint16_t size;
  std::uint8_t type;
};

constexpr std::size_t name_at = offsetof(entry_head, type) + 1;

/// Returns the number that a name is; -1 if it is none.
int to_number(const char* name) noexcept {
  auto result = 0;
  for (; *name != '\0'; ++name) {
    if (*name < '0' || *name > '9')
      return -1;
    result = 10 * result + (*name - '0');
  }
  return result;
}

/// Closes the descriptors that one block of the directory names.
void close_entries(const char* block, std::size_t bytes, int first,
                   int directory) noexcept {
  for (std::size_t at = 0; at + name_at < bytes;) {
    std::uint16_t size = 0;
    std::memcpy(&size, block + at + offsetof(entry_head, size), sizeof(size));
    const auto fd = to_number(block + at + name_at);
    if (fd >= first && fd != directory)
      ::close(fd);
    at += size;
  }
}

/// Returns whether the descriptors could be listed. What is closed meanwhile
/// does not disturb the listing: it goes on by number.
bool close_listed(int first) noexcept {
  const auto directory
    = ::open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0)
    return false;
  std::array<char, 4096> block;
  long bytes = 0;
  while (
    (bytes = ::syscall(SYS_getdents64, directory, block.data(), block.size()))
    > 0)
    close_entries(block.data(), static_cast<std::size_t>(bytes), first,
                  directory);
  ::close(directory);
  return bytes == 0;
}

/// The last resort: all that there can be.
void close_all(int first) noexcept {
  constexpr rlim_t sane_max = 1 << 20;
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0)
    limit.rlim_max = sane_max;
  const auto end = static_cast<int>(std::min(limit.rlim_max, sane_max));
  for (auto fd = first; fd < end; ++fd)
    ::close(fd);
}

} // namespace

void close_from(int first) noexcept {
  if (::syscall(SYS_close_range, first, ~0U, 0) == 0 || close_listed(first))
    return;
  close_all(first);
}

} // namespace caf_mcp
