#include "caf_mcp/actors/port/stderr_log.hpp"

#include "caf_mcp/messages/json/excerpt.hpp"

#include <algorithm>

namespace caf_mcp {

std::vector<std::string> stderr_log::write(std::string_view bytes) {
  tail_ += bytes;
  if (tail_.size() > tail_bytes_max)
    tail_.erase(0, tail_.size() - tail_bytes_max);
  std::vector<std::string> lines;
  while (!bytes.empty()) {
    auto newline = std::min(bytes.find('\n'), bytes.size());
    if (newline > 0) {
      if (line_.size() == line_bytes_max) // only now: a newline may have come
        end_line(lines);
      auto count = std::min(newline, line_bytes_max - line_.size());
      line_ += bytes.substr(0, count);
      bytes.remove_prefix(count);
      continue;
    }
    bytes.remove_prefix(1);
    if (line_.ends_with('\r'))
      line_.pop_back();
    end_line(lines);
  }
  return lines;
}

std::vector<std::string> stderr_log::finish() {
  std::vector<std::string> lines;
  if (!line_.empty())
    end_line(lines);
  return lines;
}

void stderr_log::end_line(std::vector<std::string>& lines) {
  lines.push_back(line_);
  line_.clear(); // and keep its memory for the next
}

std::string stderr_log::tail() const {
  return to_valid_utf8(tail_);
}

} // namespace caf_mcp
