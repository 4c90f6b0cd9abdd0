#include "caf_mcp/messages/config/config_text.hpp"

#include "caf_mcp/messages/error_info.hpp"
#include "caf_mcp/messages/json/utf8.hpp"

#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/parse_options.hpp>
#include <boost/json/stream_parser.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <set>
#include <system_error>
#include <utility>

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

boost::json::parse_options lenient() {
  boost::json::parse_options result;
  result.allow_comments = true;
  result.allow_trailing_commas = true;
  return result;
}

std::string_view without_mark(std::string_view text) {
  if (text.starts_with(byte_order_mark))
    text.remove_prefix(byte_order_mark.size());
  return text;
}

/// What Boost.JSON tells of a text, of which only keys matter.
class key_handler {
public:
  static constexpr std::size_t max_object_size = SIZE_MAX;
  static constexpr std::size_t max_array_size = SIZE_MAX;
  static constexpr std::size_t max_key_size = SIZE_MAX;
  static constexpr std::size_t max_string_size = SIZE_MAX;

  using error_code = boost::json::error_code;

  bool on_document_begin(error_code&) {
    return true;
  }
  bool on_document_end(error_code&) {
    return true;
  }
  bool on_object_begin(error_code&) {
    levels_.emplace_back();
    return true;
  }
  bool on_object_end(std::size_t, error_code&) {
    levels_.pop_back();
    return true;
  }
  bool on_array_begin(error_code&) {
    return true;
  }
  bool on_array_end(std::size_t, error_code&) {
    return true;
  }
  bool on_key_part(std::string_view text, std::size_t, error_code&) {
    part_ += text;
    return true;
  }
  bool on_key(std::string_view text, std::size_t, error_code&) {
    auto& level = levels_.back();
    level.current = std::exchange(part_, {});
    level.current += text;
    if (!level.seen.insert(level.current).second)
      add_path();
    return true;
  }
  bool on_string_part(std::string_view, std::size_t, error_code&) {
    return true;
  }
  bool on_string(std::string_view, std::size_t, error_code&) {
    return true;
  }
  bool on_number_part(std::string_view, error_code&) {
    return true;
  }
  bool on_int64(std::int64_t, std::string_view, error_code&) {
    return true;
  }
  bool on_uint64(std::uint64_t, std::string_view, error_code&) {
    return true;
  }
  bool on_double(double, std::string_view, error_code&) {
    return true;
  }
  bool on_bool(bool, error_code&) {
    return true;
  }
  bool on_null(error_code&) {
    return true;
  }
  bool on_comment_part(std::string_view, error_code&) {
    return true;
  }
  bool on_comment(std::string_view, error_code&) {
    return true;
  }

  std::vector<std::vector<std::string>> take() {
    return std::move(repeated_);
  }

private:
  struct level {
    std::set<std::string> seen;
    std::string current;
  };

  void add_path() {
    auto& path = repeated_.emplace_back();
    for (const auto& each : levels_)
      path.push_back(each.current);
  }

  std::vector<level> levels_;
  std::string part_;
  std::vector<std::vector<std::string>> repeated_;
};

} // namespace

caf::expected<boost::json::value> parse_config_text(std::string_view text,
                                                    std::string_view file) {
  text = without_mark(text);
  boost::json::stream_parser parser{{}, lenient()};
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

std::vector<std::vector<std::string>> repeated_keys(std::string_view text) {
  text = without_mark(text);
  boost::json::basic_parser<key_handler> parser{lenient()};
  boost::json::error_code ignored;
  parser.write_some(false, text.data(), text.size(), ignored);
  return parser.handler().take();
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
