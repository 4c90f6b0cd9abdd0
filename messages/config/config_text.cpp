#include "caf_mcp/messages/config/config_text.hpp"

#include "caf_mcp/messages/error_info.hpp"
#include "caf_mcp/messages/json/utf8.hpp"

#include <boost/json/parse_options.hpp>
#include <boost/json/stream_parser.hpp>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace caf_mcp {

namespace {

constexpr std::size_t file_bytes_max = std::size_t{16} * 1024 * 1024;

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

bool starts_character(char c) noexcept {
  return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
}

/// Returns `LINE:COLUMN` of what follows `before`.
std::string position_after(std::string_view before) {
  auto line = 1 + std::ranges::count(before, '\n');
  auto line_begin = before.rfind('\n');
  if (line_begin != std::string_view::npos)
    before.remove_prefix(line_begin + 1);
  auto column = 1 + std::ranges::count_if(before, starts_character);
  return std::to_string(line) + ":" + std::to_string(column);
}

caf::error syntax_error(std::string_view text, std::size_t offset,
                        std::string_view file, std::string_view what) {
  auto message = std::string{file};
  message += ':';
  message += position_after(text.substr(0, offset));
  message += ": ";
  message += what;
  return local_error(errc::config_invalid, std::move(message));
}

caf::error file_error(errc code, const std::string& path,
                      std::string_view what) {
  auto message = path;
  message += ": ";
  message += what;
  return local_error(
    code, std::move(message),
    payload{boost::json::value{{"file", to_valid_utf8(path)}}});
}

} // namespace

caf::expected<boost::json::value> parse_config_text(std::string_view text,
                                                    std::string_view file) {
  if (text.starts_with(byte_order_mark))
    text.remove_prefix(byte_order_mark.size());
  boost::json::parse_options options;
  options.allow_comments = true;
  options.allow_trailing_commas = true;
  boost::json::stream_parser parser{{}, options};
  boost::json::error_code ec;
  auto parsed = parser.write_some(text.data(), text.size(), ec);
  if (ec)
    return syntax_error(text, parsed, file, ec.message());
  if (parsed < text.size())
    return syntax_error(text, parsed, file, "something follows the JSON value");
  parser.finish(ec);
  if (ec)
    return syntax_error(text, parsed, file, "the JSON value is not complete");
  return parser.release();
}

caf::expected<std::string> read_config_file(const std::string& path) {
  std::error_code ec;
  auto status = std::filesystem::status(path, ec);
  if (status.type() == std::filesystem::file_type::not_found)
    return file_error(errc::not_found, path, "there is no such file");
  if (std::filesystem::is_directory(status))
    return file_error(errc::config_invalid, path, "is a directory");
  auto input = std::ifstream{path, std::ios::binary};
  std::string result;
  char chunk[4096];
  while (input && result.size() <= file_bytes_max) {
    input.read(chunk, sizeof(chunk));
    result.append(chunk, static_cast<std::size_t>(input.gcount()));
  }
  if (!input.eof() && result.size() <= file_bytes_max)
    return file_error(errc::config_invalid, path, "cannot be read");
  if (result.size() > file_bytes_max)
    return file_error(errc::config_invalid, path, "is larger than 16 MiB");
  return result;
}

} // namespace caf_mcp
