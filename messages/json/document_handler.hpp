#pragma once

#include <boost/json/array.hpp>
#include <boost/json/error.hpp>
#include <boost/json/object.hpp>
#include <boost/json/storage_ptr.hpp>
#include <boost/json/string.hpp>
#include <boost/json/value_stack.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace caf_mcp {

/// What `boost::json::basic_parser` calls for each part of a text. Does what
/// Boost's own handler does, but for numbers: that of Boost 1.81 loses the last
/// bits of doubles and the digits of large integers. A number that no
/// `boost::json::value` holds becomes a mark, a NaN with the place of its text
/// in `spelled` (JSON itself has no NaN).
class document_handler {
public:
  static constexpr std::size_t max_object_size
    = boost::json::object::max_size();
  static constexpr std::size_t max_array_size = boost::json::array::max_size();
  static constexpr std::size_t max_key_size = boost::json::string::max_size();
  static constexpr std::size_t max_string_size
    = boost::json::string::max_size();

  using error_code = boost::json::error_code;
  using text_view = boost::json::string_view;

  /// Keeps what is not built yet in memory of `scratch`.
  explicit document_handler(boost::json::storage_ptr scratch)
    : stack{std::move(scratch)} {
    // nop
  }

  /// Returns which text of `spelled` a value of the document stands for.
  static std::optional<std::size_t>
  marked(const boost::json::value& value) noexcept;

  /// Forgets all, and builds what comes with `storage`.
  void reset(boost::json::storage_ptr storage = {}) {
    stack.reset(std::move(storage));
    spelled.clear();
  }

  bool on_document_begin(error_code&) {
    return true;
  }

  bool on_document_end(error_code&) {
    return true;
  }

  bool on_object_begin(error_code&) {
    return true;
  }

  bool on_object_end(std::size_t count, error_code&) {
    stack.push_object(count);
    return true;
  }

  bool on_array_begin(error_code&) {
    return true;
  }

  bool on_array_end(std::size_t count, error_code&) {
    stack.push_array(count);
    return true;
  }

  bool on_key_part(text_view part, std::size_t, error_code&) {
    stack.push_chars(part);
    return true;
  }

  bool on_key(text_view key, std::size_t, error_code&) {
    stack.push_key(key);
    return true;
  }

  bool on_string_part(text_view part, std::size_t, error_code&) {
    stack.push_chars(part);
    return true;
  }

  bool on_string(text_view text, std::size_t, error_code&) {
    stack.push_string(text);
    return true;
  }

  bool on_number_part(text_view, error_code&) {
    return true;
  }

  bool on_int64(std::int64_t number, text_view text, error_code&) {
    if (number == 0 && text.size() > 1) // "-0"
      push_mark(text);
    else
      stack.push_int64(number);
    return true;
  }

  bool on_uint64(std::uint64_t number, text_view, error_code&) {
    stack.push_uint64(number);
    return true;
  }

  bool on_double(double, text_view text, error_code&);

  bool on_bool(bool value, error_code&) {
    stack.push_bool(value);
    return true;
  }

  bool on_null(error_code&) {
    stack.push_null();
    return true;
  }

  bool on_comment_part(text_view, error_code&) {
    return true;
  }

  bool on_comment(text_view, error_code&) {
    return true;
  }

  boost::json::value_stack stack;
  /// Views of the text being read.
  std::vector<std::string_view> spelled;

private:
  void push_mark(text_view text);
};

} // namespace caf_mcp
