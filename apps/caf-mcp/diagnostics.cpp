#include "diagnostics.hpp"

#include "caf_mcp/messages/json/utf8.hpp"

#include "exit_status.hpp"
#include "json_text.hpp"
#include "printable.hpp"

#include <boost/json/object.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <ctime>
#include <iostream>
#include <unistd.h>
#include <utility>

namespace caf_mcp::tool {

namespace {

/// As much as the tail in a close reason.
constexpr std::size_t tail_bytes_max = 8192;

/// More of the server's stderr than this is only in the JSON output.
constexpr std::ptrdiff_t tail_lines_max = 20;

/// Progress must not wrap: what is longer is cut.
constexpr std::size_t progress_bytes_max = 76;

constexpr std::size_t progress_bar_width = 20;

constexpr std::string_view clear_line = "\r\x1b[K";

/// Returns the time now as RFC 3339 has it, in UTC, to the millisecond.
std::string time_text() {
  using namespace std::chrono;
  const auto now = floor<milliseconds>(system_clock::now());
  const auto seconds = system_clock::to_time_t(now);
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  std::array<char, 32> text{};
  auto size
    = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &parts);
  const auto millis
    = std::to_string(1000 + now.time_since_epoch().count() % 1000);
  return std::string{text.data(), size} + '.' + millis.substr(1) + 'Z';
}

std::string number_text(double value) {
  auto text = std::to_string(value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.')
    text.pop_back();
  return text;
}

/// Returns a bar such as `[#####     ] `.
std::string bar_text(double percent) {
  const auto full = static_cast<std::size_t>(
    percent * static_cast<double>(progress_bar_width) / 100);
  return '[' + std::string(full, '#')
         + std::string(progress_bar_width - full, ' ') + "] ";
}

std::string progress_text(const progress& state) {
  auto text = number_text(state.value);
  if (state.total) {
    text += '/' + number_text(*state.total);
    if (auto percent = std::floor(100 * state.value / *state.total);
        percent >= 0 && percent <= 100)
      text = bar_text(percent) + text + ' ' + number_text(percent) + '%';
  }
  if (!state.message.empty())
    text += ' ' + one_line(state.message);
  if (text.size() > progress_bytes_max) {
    auto end = progress_bytes_max;
    while ((static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U)
      --end; // not within a character
    text.resize(end);
  }
  return text;
}

/// Returns whether what the server wrote to stderr may explain the failure.
bool is_fault_of_server(const error_info& error) {
  auto status = exit_status_of(error.name);
  return status == exit_status::no_connection
         || status == exit_status::timed_out;
}

/// Returns where the last lines of `text` begin.
std::string_view last_lines(std::string_view text) {
  while (text.ends_with('\n'))
    text.remove_suffix(1);
  auto begin = text.end();
  for (auto lines = std::ptrdiff_t{0}; begin != text.begin(); --begin)
    if (*(begin - 1) == '\n' && ++lines == tail_lines_max)
      break;
  return {begin, text.end()};
}

} // namespace

diagnostics::diagnostics(verbosity level, log_format format)
  : level_{level}, is_terminal_{::isatty(STDERR_FILENO) == 1}, format_{format} {
  // nop
}

void diagnostics::warn(std::string_view text, std::string_view server) {
  std::unique_lock guard{mutex_};
  write({severity::warning, false, server},
        "caf-mcp: warning: ", one_line(text));
}

void diagnostics::note(std::string_view text) {
  std::unique_lock guard{mutex_};
  if (level_ == verbosity::verbose)
    write({}, "caf-mcp: ", one_line(text));
}

void diagnostics::show(const progress& state) {
  std::unique_lock guard{mutex_};
  if (!shows_progress() || is_asking_)
    return;
  std::cerr << clear_line << progress_text(state) << std::flush;
  progress_is_shown_ = true;
}

void diagnostics::ask(std::string_view text) {
  std::unique_lock guard{mutex_};
  clear_progress();
  std::cerr << text << std::flush;
  is_asking_ = true;
}

void diagnostics::end_ask() {
  std::unique_lock guard{mutex_};
  is_asking_ = false;
}

void diagnostics::break_off_ask() {
  std::unique_lock guard{mutex_};
  leave_question();
}

void diagnostics::end_progress() {
  std::unique_lock guard{mutex_};
  clear_progress();
}

void diagnostics::add_output(const server_output& output) {
  std::unique_lock guard{mutex_};
  if (level_ == verbosity::verbose) {
    if (output.dropped > 0)
      write({severity::warning, false}, "",
            "(" + std::to_string(output.dropped)
              + " lines of the server were dropped)");
    for (const auto& line : output.junk_lines)
      write({severity::warning, false}, "",
            "not a message on the server's stdout: " + line);
    for (const auto& remark : output.remarks)
      write({severity::warning, false}, "", remark);
  }
  for (const auto& line : output.stderr_lines) {
    if (level_ == verbosity::verbose)
      write({severity::debug, true}, "server: ", printable(line));
    tail_ += line;
    tail_ += '\n';
  }
  if (tail_.size() > tail_bytes_max)
    tail_.erase(0, tail_.size() - tail_bytes_max);
}

void diagnostics::fail(const error_info& error) {
  std::unique_lock guard{mutex_};
  leave_question();
  write({severity::error, false},
        "caf-mcp: ", error.name + ": " + printable(error.message));
  if (!is_fault_of_server(error) || level_ == verbosity::verbose)
    return; // nothing to tell, or told already
  auto tail = error.data.string_member("stderr_tail");
  write_tail(tail.empty() ? std::string_view{tail_} : tail);
}

void diagnostics::clear_progress() {
  if (progress_is_shown_)
    std::cerr << clear_line << std::flush;
  progress_is_shown_ = false;
}

void diagnostics::leave_question() {
  if (std::exchange(is_asking_, false))
    std::cerr << '\n' << std::flush;
}

void diagnostics::write(const speaker& who, std::string_view prefix,
                        std::string_view text) {
  if (format_ == log_format::text)
    return write_line(std::string{prefix} + std::string{text});
  constexpr std::string_view levels[]{"debug", "info", "warning", "error"};
  boost::json::object entry{
    {"time", time_text()},
    {"level", levels[static_cast<std::size_t>(who.level)]},
    {"component", who.is_server ? "server" : "caf-mcp"}};
  if (!who.server.empty())
    entry["server"] = to_valid_utf8(std::string{who.server});
  entry["message"] = to_valid_utf8(std::string{text});
  write_line(compact_json(entry));
}

void diagnostics::write_line(std::string_view text) {
  clear_progress();
  std::cerr << text << '\n' << std::flush;
}

void diagnostics::write_tail(std::string_view tail) {
  const auto text = printable(last_lines(tail));
  auto rest = std::string_view{text};
  if (!rest.empty() && format_ == log_format::text)
    write_line("the server's last output on stderr:");
  while (!rest.empty()) {
    auto line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    write({severity::info, true}, "  | ", line);
  }
}

} // namespace caf_mcp::tool
