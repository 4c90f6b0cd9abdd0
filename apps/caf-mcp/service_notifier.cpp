#include "service_notifier.hpp"

#include "printable.hpp"

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace caf_mcp::tool {

namespace {

/// systemd tells a reload from the one before by this (systemd.service(5)).
std::string monotonic_microseconds() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  constexpr long long micros_per_second = 1'000'000;
  constexpr long long nanos_per_micro = 1'000;
  return std::to_string(now.tv_sec * micros_per_second
                        + now.tv_nsec / nanos_per_micro);
}

} // namespace

service_notifier::service_notifier() {
  if (const auto* found = std::getenv("NOTIFY_SOCKET"))
    address_ = found;
  ::unsetenv("NOTIFY_SOCKET");
  // A path, or the name of an abstract socket behind an `@`.
  const auto is_address
    = address_.starts_with('/') || address_.starts_with('@');
  if (is_address && address_.size() > 1
      && address_.size() < sizeof(sockaddr_un::sun_path))
    fd_ = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

service_notifier::~service_notifier() {
  if (fd_ >= 0)
    ::close(fd_);
}

void service_notifier::ready(std::string_view status) const {
  send("READY=1\nSTATUS=" + one_line(status));
}

void service_notifier::reloading() const {
  send("RELOADING=1\nMONOTONIC_USEC=" + monotonic_microseconds()
       + "\nSTATUS=reads the configuration anew");
}

void service_notifier::stopping() const {
  send("STOPPING=1\nSTATUS=stops the servers");
}

void service_notifier::send(const std::string& lines) const {
  if (fd_ < 0)
    return;
  sockaddr_un to{};
  to.sun_family = AF_UNIX;
  std::memcpy(to.sun_path, address_.data(), address_.size());
  // The length of an abstract name counts; no zero byte ends it (unix(7)).
  if (address_.front() == '@')
    to.sun_path[0] = '\0';
  const auto size
    = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + address_.size());
  // Who does not listen is not told: a service works without a manager.
  static_cast<void>(::sendto(fd_, lines.data(), lines.size(), MSG_NOSIGNAL,
                             reinterpret_cast<const sockaddr*>(&to), size));
}

} // namespace caf_mcp::tool
