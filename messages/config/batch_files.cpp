#include "caf_mcp/messages/config/batch_files.hpp"

#include "caf_mcp/messages/error_info.hpp"

#include <cstddef>

namespace caf_mcp {

namespace {

/// Besides the characters that `cmd.exe` gives a meaning, the line ends, which
/// cut its command line short.
constexpr std::string_view unsafe_characters = "\"%^&|<>\r\n";

char lower(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool ends_with_ignoring_case(std::string_view text, std::string_view end) {
  if (text.size() < end.size())
    return false;
  text.remove_prefix(text.size() - end.size());
  for (std::size_t i = 0; i < end.size(); ++i)
    if (lower(text[i]) != end[i])
      return false;
  return true;
}

std::string file_name(std::string_view path) {
  auto separator = path.find_last_of("/\\");
  if (separator != std::string_view::npos)
    path.remove_prefix(separator + 1);
  return std::string{path};
}

} // namespace

bool is_batch_file(std::string_view path) noexcept {
  // Windows ignores dots and spaces at the end of a file name, so `x.bat. .`
  // starts `x.bat` (CVE-2024-43402).
  auto end = path.find_last_not_of(". ");
  path = path.substr(0, end == std::string_view::npos ? 0 : end + 1);
  return ends_with_ignoring_case(path, ".bat")
         || ends_with_ignoring_case(path, ".cmd");
}

caf::error check_batch_file(std::string_view path,
                            const std::vector<std::string>& args,
                            batch_file_policy policy, platform where) {
  if (where != platform::windows || !is_batch_file(path))
    return {};
  if (policy == batch_file_policy::refuse)
    return config_error("command", file_name(path)
                                     + " is a batch file, which must be "
                                       "allowed with allow_batch_files");
  for (std::size_t i = 0; i < args.size(); ++i)
    if (args[i].find_first_of(unsafe_characters) != std::string::npos)
      return config_error("args", "[" + std::to_string(i)
                                    + "] must not hold a line end or any of "
                                      "\"%^&|<> when the command is a batch "
                                      "file");
  return {};
}

} // namespace caf_mcp
