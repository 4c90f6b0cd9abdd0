// What the command line says.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

namespace demo {

/// Which protocol revisions the server admits to.
enum class spoken_eras { legacy, modern, both };

struct options {
  spoken_eras eras = spoken_eras::both;

  /// Entries on a page of a list; 0 puts all on one page.
  std::size_t page_size = 0;

  /// Tools that do nothing, added to make the list long.
  std::size_t filler_tools = 0;

  /// How long `server/discover` waits for its answer; 0 answers at once.
  std::chrono::milliseconds discover_delay{0};

  /// Dies with status 1 when `server/discover` arrives, as some legacy servers
  /// do with a request they do not expect.
  bool exit_on_discover = false;

  /// At the end of stdin, answers the calls that still run before leaving.
  bool finish_on_eof = false;

  /// Bytes written at a time, at most; 0: all at once.
  std::size_t write_bytes = 0;

  /// The name in the server info.
  std::string name = "caf-mcp-demo-server";
};

/// Reads the command line. Prints help or what is wrong with it.
/// @returns nothing when the process should exit with `status`.
std::optional<options> parse_options(int argc, char** argv, int& status);

} // namespace demo
