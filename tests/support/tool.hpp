#pragma once

#include <boost/json/object.hpp>

#include <chrono>
#include <map>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

namespace tests {

/// What a run of the tool leaves behind.
struct tool_result {
  /// Exit status; 128 plus the signal that killed it.
  int status = -1;
  std::string out;
  std::string err;
  std::chrono::milliseconds elapsed{0};
};

/// Where the tool's stdout and stderr go.
enum class tool_screen {
  pipes,
  /// Both to one pseudo terminal; all of it is in `tool_result::out`.
  terminal,
  /// Stdout to a device that is full.
  full_device,
};

/// A run of the built tool, as a process of its own with an environment of its
/// own. Killed after 60 s.
class tool_run {
public:
  /// How to run it.
  struct setup {
    std::map<std::string, std::string> env = {{"PATH", "/usr/bin:/bin"}};
    /// Empty: that of the test.
    std::string directory;
    tool_screen screen = tool_screen::pipes;
    /// Whether the terminal, if there is one, is stdin, too; else it is empty.
    bool has_keyboard = false;
  };

  explicit tool_run(std::vector<std::string> args, const setup& how);

  explicit tool_run(std::vector<std::string> args)
    : tool_run{std::move(args), setup{}} {
    // nop
  }

  tool_run(const tool_run&) = delete;
  tool_run& operator=(const tool_run&) = delete;

  ~tool_run();

  pid_t pid() const noexcept {
    return pid_;
  }

  /// Sends a signal to the tool alone.
  void signal(int number) const;

  /// Types at the terminal.
  void type(std::string_view text) const;

  /// Returns what stdout, or the terminal, has shown so far.
  const std::string& shown() const noexcept {
    return result_.out;
  }

  /// Closes this side's end of the tool's stdout.
  void close_stdout();

  /// Waits until stdout, or the terminal, shows `text`; fails the test if it
  /// never does.
  void wait_for_output(std::string_view text);

  /// The same with stderr.
  void wait_for_error(std::string_view text);

  /// Waits for the end, and reads all output.
  tool_result finish();

private:
  std::chrono::steady_clock::time_point begin_;
  pid_t pid_ = -1;
  int exit_fd_ = -1;
  int out_fd_ = -1;
  int err_fd_ = -1;
  tool_result result_;
};

/// Runs the tool to its end.
tool_result run_tool(std::vector<std::string> args,
                     const tool_run::setup& how = {});

/// Returns the one JSON document that the text is, with its newline; fails the
/// test if it is anything else.
boost::json::object only_json(const std::string& text);

} // namespace tests
