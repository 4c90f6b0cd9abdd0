#include "caf_mcp/actors/port/log_queue.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace caf_mcp {

namespace {

/// What a line costs besides its text, in bytes.
constexpr std::size_t line_overhead = sizeof(std::string);

std::size_t cost(const std::vector<std::string>& lines) {
  std::size_t result = 0;
  for (const auto& line : lines)
    result += line.size() + line_overhead;
  return result;
}

void append(std::vector<std::string>& to, std::vector<std::string> lines) {
  to.insert(to.end(), std::make_move_iterator(lines.begin()),
            std::make_move_iterator(lines.end()));
}

/// Drops lines from the front until `excess` bytes are gone or all are.
std::size_t drop_oldest(std::vector<std::string>& lines, std::size_t& excess) {
  auto kept = lines.begin();
  for (; kept != lines.end() && excess > 0; ++kept)
    excess -= std::min(excess, kept->size() + line_overhead);
  const auto count = static_cast<std::size_t>(kept - lines.begin());
  lines.erase(lines.begin(), kept);
  return count;
}

} // namespace

void log_queue::add_stderr(std::vector<std::string> lines) {
  bytes_ += cost(lines);
  append(next_.stderr_lines, std::move(lines));
  make_room();
}

void log_queue::add_junk(std::vector<std::string> lines) {
  bytes_ += cost(lines);
  append(next_.junk_lines, std::move(lines));
  make_room();
}

server_output log_queue::take() {
  bytes_ = 0;
  return std::exchange(next_, {});
}

void log_queue::make_room() {
  if (bytes_ <= bytes_max)
    return;
  // Half at a time: to drop line by line would move the rest each time.
  auto excess = bytes_ - bytes_max / 2;
  next_.dropped += drop_oldest(next_.junk_lines, excess);
  next_.dropped += drop_oldest(next_.stderr_lines, excess);
  bytes_ = cost(next_.junk_lines) + cost(next_.stderr_lines);
}

} // namespace caf_mcp
