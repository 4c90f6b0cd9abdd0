#include "caf_mcp/messages/wire/framer.hpp"

#include <algorithm>
#include <utility>

namespace caf_mcp {

namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
constexpr std::string_view blanks = " \t\r\v\f";

/// What is kept of a dropped line, for the scan for its id.
constexpr std::size_t tail_bytes_max = std::size_t{4} * 1024;

std::string_view strip_mark(std::string_view line) {
  if (line.starts_with(byte_order_mark))
    line.remove_prefix(byte_order_mark.size());
  return line;
}

std::string_view strip_return(std::string_view line) {
  if (line.ends_with('\r'))
    line.remove_suffix(1);
  return line;
}

std::string_view strip(std::string_view line) {
  return strip_return(strip_mark(line));
}

std::string_view last_bytes(std::string_view text, std::size_t bytes_max) {
  return text.substr(text.size() - std::min(text.size(), bytes_max));
}

bool is_blank(std::string_view line) {
  return line.find_first_not_of(blanks) == std::string_view::npos;
}

} // namespace

framer::framer(std::size_t line_bytes_max) : line_bytes_max_{line_bytes_max} {
  // nop
}

std::optional<frame> framer::next() {
  for (;;) {
    buffer_.consume(std::exchange(spent_, 0));
    auto input = buffer_.view();
    if (dropping_)
      return drop(input);
    auto newline = input.find('\n', scanned_);
    if (newline == std::string_view::npos)
      return no_newline(input);
    if (auto found = next_line(input, newline))
      return found;
  }
}

std::optional<frame> framer::finish() {
  auto rest = next();
  if (rest)
    return rest;
  auto line = strip(buffer_.view());
  if (!dropping_ && line.size() > line_bytes_max_)
    return start_drop(buffer_.view());
  spent_ = buffer_.size();
  scanned_ = 0;
  if (dropping_ || is_blank(line))
    return std::nullopt;
  return frame{frame_kind::line, line};
}

std::optional<frame> framer::next_line(std::string_view input,
                                       std::size_t newline) {
  auto line = strip(input.substr(0, newline));
  if (line.size() > line_bytes_max_)
    return start_drop(input.substr(0, newline));
  scanned_ = 0;
  spent_ = newline + 1;
  if (is_blank(line))
    return std::nullopt;
  return frame{frame_kind::line, line};
}

std::optional<frame> framer::no_newline(std::string_view input) {
  // One byte more than the limit may still be the CR of a CRLF.
  if (strip_mark(input).size() > line_bytes_max_ + 1)
    return start_drop(input);
  scanned_ = input.size();
  return std::nullopt;
}

/// Leaves the end of `line` in the buffer, for it may be its tail.
frame framer::start_drop(std::string_view line) {
  dropping_ = true;
  scanned_ = 0;
  spent_ = line.size() - last_bytes(line, tail_bytes_max).size();
  return {frame_kind::oversized, strip_mark(line).substr(0, line_bytes_max_)};
}

std::optional<frame> framer::drop(std::string_view input) {
  auto newline = input.find('\n', scanned_);
  auto tail = last_bytes(input.substr(0, newline), tail_bytes_max);
  if (newline != std::string_view::npos) {
    dropping_ = false;
    scanned_ = 0;
    spent_ = newline + 1;
    return frame{frame_kind::oversized_end, strip_return(tail)};
  }
  buffer_.consume(input.size() - tail.size());
  scanned_ = tail.size();
  return std::nullopt;
}

} // namespace caf_mcp
