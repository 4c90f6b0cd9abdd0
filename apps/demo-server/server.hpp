// The server as a whole: its parts, and the loop that drives them.
#pragma once

#include "jobs.hpp"
#include "message_parser.hpp"
#include "options.hpp"
#include "outbox.hpp"
#include "questions.hpp"
#include "session.hpp"
#include "wire.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace demo {

/// One MCP server on stdin and stdout, on one thread. Handlers are free
/// functions that get it whole.
struct server {
  explicit server(options chosen);

  /// Serves until stdin ends or the client is gone.
  /// @returns the exit status.
  int run();

  const options opts;
  outbox out;
  job_queue jobs;
  open_questions questions;
  legacy_session legacy;
  std::vector<listener> listeners;
  /// The tools as JSON texts, fillers included.
  const std::vector<std::string> tool_list;

private:
  bool wait_for_input();
  bool serve_lines(line_reader& in);
  bool finish_jobs();

  message_parser parser_;
};

} // namespace demo
