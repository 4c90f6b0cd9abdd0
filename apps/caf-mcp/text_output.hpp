#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace caf_mcp::tool {

/// Who reads what the tool prints on stdout.
enum class reader : bool { program, person };

/// What a command prints for people. Foreign text that goes to a terminal is
/// made `printable` first.
class text_output {
public:
  explicit text_output(reader who) : reader_{who} {
    // nop
  }

  /// Appends a line of words that are harmless: our own, or `one_line`s.
  void line(std::string_view words);

  /// Appends foreign text as it is, with a newline at its end.
  void foreign(std::string_view text);

  /// Appends foreign text with each line behind `prefix`.
  void indented(std::string_view prefix, std::string_view text);

  /// Appends rows, behind `prefix`, with their cells below each other. The last
  /// cell of a row may be of any length.
  void table(std::string_view prefix,
             const std::vector<std::vector<std::string>>& rows);

  std::string take() {
    return std::move(text_);
  }

private:
  reader reader_;
  std::string text_;
};

} // namespace caf_mcp::tool
