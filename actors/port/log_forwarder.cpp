#include "caf_mcp/actors/port/log_forwarder.hpp"

#include <array>
#include <cerrno>
#include <unistd.h>

namespace caf_mcp {

namespace {

/// Reads of stderr in a row before other descriptors of the loop get their
/// turn.
constexpr int reads_per_turn = 16;

} // namespace

bool log_forwarder::read_stderr(int pipe) {
  std::array<char, 16 * 1024> bytes;
  for (auto i = 0; i < reads_per_turn; ++i) {
    const auto count = ::read(pipe, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return errno == EAGAIN;
    if (count == 0)
      return false;
    add_stderr(stderr_.write({bytes.data(), static_cast<std::size_t>(count)}));
  }
  return true;
}

void log_forwarder::end_stderr() {
  add_stderr(stderr_.finish());
}

void log_forwarder::add_stderr(std::vector<std::string> lines) {
  if (receiver_ != receiver::gone)
    queue_.add_stderr(std::move(lines));
}

void log_forwarder::add_junk(std::vector<std::string> lines) {
  if (receiver_ != receiver::gone)
    queue_.add_junk(std::move(lines));
}

std::optional<server_output> log_forwarder::next() {
  if (receiver_ != receiver::idle || queue_.empty())
    return std::nullopt;
  receiver_ = receiver::busy;
  return queue_.take();
}

std::optional<server_output> log_forwarder::last() {
  if (receiver_ == receiver::gone || queue_.empty())
    return std::nullopt;
  return queue_.take();
}

} // namespace caf_mcp
