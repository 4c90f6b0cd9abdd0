#include "server.hpp"

#include "dispatch.hpp"
#include "subscriptions.hpp"
#include "tools.hpp"

#include <algorithm>
#include <poll.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace demo {

namespace {

/// Answers that wait to be written, in bytes, at most; then they are written
/// even in the middle of a batch.
constexpr std::size_t unwritten_max = 1'048'576;

std::string server_info(const options& opts) {
  std::string text = R"({"name":)";
  put_quoted(text, opts.name);
  text += R"(,"title":"caf-mcp demo server","version":"0.1.0"})";
  return text;
}

bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

int poll_timeout(std::chrono::milliseconds left) {
  constexpr std::chrono::milliseconds longest{60'000};
  return static_cast<int>(std::min(left, longest).count());
}

} // namespace

server::server(options chosen)
  : opts{std::move(chosen)},
    out{server_info(opts), opts.write_bytes},
    tool_list{list_tools(opts.filler_tools)} {
}

int server::run() {
  line_reader in{STDIN_FILENO};
  while (wait_for_input() && in.fill())
    if (!serve_lines(in))
      return 0;
  if (opts.finish_on_eof && !finish_jobs())
    return 0;
  // A server that leaves ends its subscriptions with their responses.
  end_listeners(*this, listen_end::response);
  out.flush();
  return 0;
}

/// Runs jobs until there is something to read.
/// @returns false when the client is gone.
bool server::wait_for_input() {
  // Without jobs there is nothing to wake up for: the read itself waits.
  while (const auto left = jobs.time_left()) {
    pollfd input{STDIN_FILENO, POLLIN, 0};
    const auto ready = ::poll(&input, 1, poll_timeout(*left));
    jobs.run_due();
    if (out.size() > 0 && !out.flush())
      return false;
    if (ready > 0)
      return true;
  }
  return true;
}

/// Serves what has been read and writes all answers at once.
bool server::serve_lines(line_reader& in) {
  while (const auto line = in.next()) {
    if (!is_blank(*line))
      serve_message(*this, parser_.parse(*line));
    if (out.size() > unwritten_max && !out.flush())
      return false;
  }
  return out.size() == 0 || out.flush();
}

bool server::finish_jobs() {
  while (const auto left = jobs.time_left()) {
    std::this_thread::sleep_for(*left);
    jobs.run_due();
    if (!out.flush())
      return false;
  }
  return true;
}

} // namespace demo
