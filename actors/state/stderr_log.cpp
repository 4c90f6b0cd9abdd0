#include "caf_mcp/actors/state/stderr_log.hpp"

#include "caf_mcp/messages/excerpt.hpp"

#include <algorithm>
#include <utility>

namespace caf_mcp {

std::vector<std::string> stderr_log::write(std::string_view bytes) {
  tail_ += bytes;
  if (tail_.size() > tail_bytes_max)
    tail_.erase(0, tail_.size() - tail_bytes_max);
  std::vector<std::string> lines;
  while (!bytes.empty()) {
    auto newline = std::min(bytes.find('\n'), bytes.size());
    if (newline > 0) {
      if (line_.size()
          == line_bytes_max) // only now: a newline may have ended it
        lines.push_back(std::exchange(line_, {}));
      auto count = std::min(newline, line_bytes_max - line_.size());
      line_ += bytes.substr(0, count);
      bytes.remove_prefix(count);
      continue;
    }
    bytes.remove_prefix(1);
    if (line_.ends_with('\r'))
      line_.pop_back();
    lines.push_back(std::exchange(line_, {}));
  }
  return lines;
}

std::vector<std::string> stderr_log::finish() {
  std::vector<std::string> lines;
  if (!line_.empty())
    lines.push_back(std::exchange(line_, {}));
  return lines;
}

std::string stderr_log::tail() const {
  return to_valid_utf8(tail_);
}

} // namespace caf_mcp
