#pragma once

#include "caf_mcp/messages/json/number_spellings.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace caf_mcp {

enum class json_layout : std::uint8_t {
  /// On one line, without white space.
  compact,
  /// A member or element a line, indented by two spaces a level.
  indented,
};

/// Returns how many bytes at the front of `text` are the same in JSON's quotes.
/// Clears `is_ascii` when it meets one that is not ASCII.
std::size_t plain_bytes(std::string_view text, bool& is_ascii) noexcept;

/// Where an escape is made.
using escape_room = std::array<char, 6>;

/// Removes the character that `text` starts with, at which `plain_bytes` stops,
/// and returns its escape. Beside those that JSON demands, U+2028 and U+2029
/// are escaped: readers that split lines as Unicode has them would break there.
std::string_view take_escaped(std::string_view& text, escape_room& room);

/// Writes a finite number with the fewest digits that read back as the same
/// double, and so that it does not look like an integer. The result is a view
/// of `room`.
std::string_view print_double(double number, std::array<char, 32>& room);

/// The one writer of JSON in the library: appends to `Sink`, which has
/// `append(std::string_view)`. Recursive; as deep as the document, which the
/// decoder bounds.
template <class Sink>
class json_writer {
public:
  explicit json_writer(Sink& out, json_layout layout = json_layout::compact)
    : out_{out}, layout_{layout} {
    // nop
  }

  /// Writes numbers from here on as `spellings` has them; null for none.
  void spell(const number_spellings* spellings) noexcept {
    spellings_ = spellings;
  }

  /// Returns whether all numbers were finite; others are written as null.
  bool is_finite() const noexcept {
    return is_finite_;
  }

  /// Returns whether all texts were ASCII.
  bool is_ascii() const noexcept {
    return is_ascii_;
  }

  void write(const boost::json::value& value) {
    using boost::json::kind;
    switch (value.kind()) {
      case kind::null:
        put("null");
        break;
      case kind::bool_:
        put(value.get_bool() ? "true" : "false");
        break;
      case kind::int64:
        write_int64(value);
        break;
      case kind::uint64:
        write_integer(value.get_uint64());
        break;
      case kind::double_:
        write_double(value);
        break;
      case kind::string:
        write_text(value.get_string());
        break;
      case kind::array:
        write_array(value.get_array());
        break;
      case kind::object:
        write_object(value.get_object());
        break;
    }
  }

  template <class Integer>
  void write_integer(Integer number) {
    std::array<char, 24> room;
    const auto end
      = std::to_chars(room.data(), room.data() + room.size(), number).ptr;
    put({room.data(), static_cast<std::size_t>(end - room.data())});
  }

  void write_text(std::string_view text) {
    put("\"");
    for (;;) {
      const auto plain = plain_bytes(text, is_ascii_);
      put(text.substr(0, plain));
      text.remove_prefix(plain);
      if (text.empty())
        break;
      escape_room room;
      put(take_escaped(text, room));
    }
    put("\"");
  }

  /// Writes a member, behind a comma unless it is the first.
  void write_member(std::string_view key, const boost::json::value& value,
                    bool& is_first) {
    separate(is_first);
    write_text(key);
    put(layout_ == json_layout::indented ? ": " : ":");
    write(value);
  }

private:
  void put(std::string_view text) {
    out_.append(text);
  }

  /// Writes the number as its text spelled it; returns false if that is how it
  /// would be written anyhow.
  bool write_spelled(const boost::json::value& number) {
    if (spellings_ == nullptr)
      return false;
    const auto text = spellings_->find(number);
    put(text);
    return !text.empty();
  }

  void write_int64(const boost::json::value& value) {
    if (value.get_int64() != 0 || !write_spelled(value)) // which may be "-0"
      write_integer(value.get_int64());
  }

  void write_double(const boost::json::value& value) {
    if (write_spelled(value))
      return;
    std::array<char, 32> room;
    const auto is_number = std::isfinite(value.get_double());
    is_finite_ = is_finite_ && is_number;
    put(is_number ? print_double(value.get_double(), room) : "null");
  }

  void write_object(const boost::json::object& object) {
    auto is_first = true;
    open("{");
    for (const auto& member : object)
      write_member(member.key(), member.value(), is_first);
    close("}", is_first);
  }

  void write_array(const boost::json::array& array) {
    auto is_first = true;
    open("[");
    for (const auto& value : array) {
      separate(is_first);
      write(value);
    }
    close("]", is_first);
  }

  void open(std::string_view bracket) {
    put(bracket);
    ++depth_;
  }

  void close(std::string_view bracket, bool is_empty) {
    --depth_;
    if (!is_empty)
      break_line();
    put(bracket);
  }

  void separate(bool& is_first) {
    if (!is_first)
      put(",");
    is_first = false;
    break_line();
  }

  void break_line() {
    if (layout_ == json_layout::compact)
      return;
    put("\n");
    for (auto level = depth_; level > 0; --level)
      put("  ");
  }

  Sink& out_;
  json_layout layout_;
  const number_spellings* spellings_ = nullptr;
  std::size_t depth_ = 0;
  bool is_finite_ = true;
  bool is_ascii_ = true;
};

} // namespace caf_mcp
