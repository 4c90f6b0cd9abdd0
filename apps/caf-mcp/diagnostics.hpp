#pragma once

#include "caf_mcp/messages/error_info.hpp"
#include "caf_mcp/messages/port.hpp"
#include "caf_mcp/messages/requests.hpp"

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace caf_mcp::tool {

/// Says whether what goes well is told, too.
enum class verbosity : bool { quiet, verbose };

/// How what is said on stderr looks.
enum class log_format : bool {
  text,
  /// One JSON object a line: `time` (RFC 3339, UTC), `level`, `component`
  /// (`"caf-mcp"` or `"server"`), `server` where one is known, and `message`.
  json,
};

/// What the tool says on stderr: progress, warnings, failures, and the server's
/// own stderr where it is of interest. Any thread.
class diagnostics {
public:
  explicit diagnostics(verbosity level, log_format format = log_format::text);

  /// Returns whether progress can be shown: a person watches.
  bool shows_progress() const noexcept {
    return is_terminal_ && format_ == log_format::text;
  }

  /// `server` is whom it is about, if it is about one.
  void warn(std::string_view text, std::string_view server = {});

  /// Says what goes well.
  void note(std::string_view text);

  /// Shows the state of the running request, in place of the one before.
  void show(const progress& state);

  /// Writes a question as it is, and holds the progress back until it ends.
  void ask(std::string_view text);

  /// The question was answered.
  void end_ask();

  /// The question gets no answer; what is written next begins a new line.
  void break_off_ask();

  /// Takes the progress away, so that the result can be printed.
  void end_progress();

  /// Takes what the server wrote beside its messages.
  void add_output(const server_output& output);

  /// Says why the tool fails, with the end of the server's stderr if the
  /// failure is its own.
  void fail(const error_info& error);

private:
  void clear_progress();
  void leave_question();

  enum class severity : std::uint8_t { debug, info, warning, error };

  /// Who says something.
  struct speaker {
    severity level = severity::info;
    /// Whether a server said it, or this tool.
    bool is_server = false;
    std::string_view server = {};
  };

  /// Writes a whole line: `text` behind `prefix`, which is for people alone.
  void write(const speaker& who, std::string_view prefix,
             std::string_view text);

  /// Writes a whole line for people.
  void write_line(std::string_view text);

  /// Writes the last lines of `tail`.
  void write_tail(std::string_view tail);

  const verbosity level_;
  const bool is_terminal_;
  const log_format format_;
  std::mutex mutex_;
  bool progress_is_shown_ = false;
  bool is_asking_ = false;
  /// The last bytes of the server's stderr.
  std::string tail_;
};

} // namespace caf_mcp::tool
