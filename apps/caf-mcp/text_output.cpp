#include "text_output.hpp"

#include "printable.hpp"

#include <algorithm>
#include <cstddef>

namespace caf_mcp::tool {

namespace {

/// A cell longer than this does not push the column behind it further right.
constexpr std::size_t column_width_max = 32;

std::vector<std::size_t>
column_widths(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i]
        = std::max(widths[i], std::min(columns(row[i]), column_width_max));
  }
  return widths;
}

void trim_end(std::string& text) {
  text.erase(text.find_last_not_of(' ') + 1);
}

} // namespace

void text_output::line(std::string_view words) {
  text_ += words;
  text_ += '\n';
}

void text_output::foreign(std::string_view text) {
  if (reader_ == reader::person)
    text_ += printable(text);
  else
    text_ += text;
  if (text_.empty() || text_.back() != '\n')
    text_ += '\n';
}

void text_output::indented(std::string_view prefix, std::string_view text) {
  const auto safe = printable(text);
  auto rest = std::string_view{safe};
  while (!rest.empty()) {
    auto one = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(one.size() + 1, rest.size()));
    auto whole = std::string{prefix};
    whole += one;
    trim_end(whole);
    line(whole);
  }
}

void text_output::table(std::string_view prefix,
                        const std::vector<std::vector<std::string>>& rows) {
  const auto widths = column_widths(rows);
  for (const auto& row : rows) {
    auto whole = std::string{prefix};
    for (std::size_t i = 0; i < row.size(); ++i) {
      whole += row[i];
      auto used = std::min(columns(row[i]), widths[i]);
      whole.append(widths[i] - used + 2, ' ');
    }
    trim_end(whole);
    line(whole);
  }
}

} // namespace caf_mcp::tool
