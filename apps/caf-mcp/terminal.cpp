#include "terminal.hpp"

#include "caf_mcp/messages/json/white_space.hpp"

#include "stop_event.hpp"

#include <array>
#include <cerrno>
#include <cstddef>
#include <poll.h>
#include <unistd.h>

namespace caf_mcp::tool {

bool terminal::is_there() noexcept {
  return ::isatty(STDIN_FILENO) == 1 && ::isatty(STDERR_FILENO) == 1;
}

void terminal::tell(std::string_view text) {
  console_->ask(std::string{text} + '\n');
  console_->end_ask();
}

std::optional<std::string> terminal::ask(std::string_view question,
                                         const std::stop_token& stop) {
  console_->ask(question);
  auto line = read_line(stop);
  if (line)
    console_->end_ask();
  else
    console_->break_off_ask();
  return line;
}

std::optional<std::string> terminal::read_line(const std::stop_token& stop) {
  stop_event stopped{stop};
  for (;;) {
    if (auto end = read_ahead_.find('\n'); end != std::string::npos) {
      std::string line{trimmed(std::string_view{read_ahead_}.substr(0, end))};
      read_ahead_.erase(0, end + 1);
      return line;
    }
    std::array<pollfd, 2> events{
      {{STDIN_FILENO, POLLIN, 0}, {stopped.fd(), POLLIN, 0}}};
    if (::poll(events.data(), events.size(), -1) < 0 && errno == EINTR)
      continue;
    if (events[1].revents != 0)
      return std::nullopt;
    std::array<char, 4096> chunk{};
    const auto count = ::read(STDIN_FILENO, chunk.data(), chunk.size());
    if (count < 0 && (errno == EINTR || errno == EAGAIN))
      continue;
    if (count <= 0)
      return std::nullopt;
    read_ahead_.append(chunk.data(), static_cast<std::size_t>(count));
  }
}

} // namespace caf_mcp::tool
