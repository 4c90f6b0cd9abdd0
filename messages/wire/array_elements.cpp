#include "caf_mcp/messages/wire/array_elements.hpp"

#include "caf_mcp/messages/json/white_space.hpp"

#include <cstddef>

namespace caf_mcp {

namespace {

/// Returns the place behind the string that starts at `at`.
std::size_t skip_string(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at)
    if (text[at] == '\\')
      ++at;
  return at + 1;
}

} // namespace

std::optional<std::vector<std::string_view>>
split_array(std::string_view text) {
  text = trimmed(text);
  if (text.size() < 2 || text.front() != '[' || text.back() != ']')
    return std::nullopt;
  text = text.substr(1, text.size() - 2);
  std::vector<std::string_view> result;
  std::size_t depth = 0;
  std::size_t start = 0;
  for (std::size_t at = 0; at < text.size();) {
    const auto letter = text[at];
    if (letter == '"') {
      at = skip_string(text, at);
      if (at > text.size())
        return std::nullopt; // the last bracket belongs to a string
      continue;
    }
    if (letter == '[' || letter == '{')
      ++depth;
    if ((letter == ']' || letter == '}') && depth-- == 0)
      return std::nullopt; // the array ends before the text does
    if (letter == ',' && depth == 0) {
      result.push_back(trimmed(text.substr(start, at - start)));
      start = at + 1;
    }
    ++at;
  }
  if (depth != 0)
    return std::nullopt;
  if (const auto last = trimmed(text.substr(start));
      !last.empty() || !result.empty())
    result.push_back(last);
  return result;
}

} // namespace caf_mcp
