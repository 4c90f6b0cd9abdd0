#include "json_text.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <utility>

namespace caf_mcp::tool {

namespace {

/// Writes one document; the recursion is as deep as the document, which the
/// decoder bounds.
class json_writer {
public:
  enum class layout { compact, indented };

  explicit json_writer(layout chosen) : layout_{chosen} {
    // nop
  }

  void write(const boost::json::value& value) {
    if (const auto* object = value.if_object())
      write(*object);
    else if (const auto* array = value.if_array())
      write(*array);
    else if (const auto* number = value.if_double())
      write(*number);
    else
      text_ += boost::json::serialize(value);
  }

  std::string take() {
    return std::move(text_);
  }

private:
  void write(const boost::json::object& object) {
    open('{');
    auto is_first = true;
    for (const auto& member : object) {
      next(is_first);
      text_ += boost::json::serialize(member.key());
      text_ += layout_ == layout::indented ? ": " : ":";
      write(member.value());
    }
    close('}', is_first);
  }

  void write(const boost::json::array& array) {
    open('[');
    auto is_first = true;
    for (const auto& item : array) {
      next(is_first);
      write(item);
    }
    close(']', is_first);
  }

  void write(double number) {
    if (!std::isfinite(number)) {
      text_ += "null"; // from 1e999; JSON cannot express it
      return;
    }
    std::array<char, 32> buffer{};
    auto [end, error]
      = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number);
    auto digits = std::string_view{
      buffer.data(), static_cast<std::size_t>(end - buffer.data())};
    text_ += digits;
    if (digits.find_first_of(".e") == std::string_view::npos)
      text_ += ".0"; // it stays what it was, no integer
  }

  void open(char bracket) {
    text_ += bracket;
    ++depth_;
  }

  void close(char bracket, bool is_empty) {
    --depth_;
    if (!is_empty)
      new_line();
    text_ += bracket;
  }

  void next(bool& is_first) {
    if (!is_first)
      text_ += ',';
    is_first = false;
    new_line();
  }

  void new_line() {
    if (layout_ == layout::compact)
      return;
    text_ += '\n';
    text_.append(2 * depth_, ' ');
  }

  layout layout_;
  std::size_t depth_ = 0;
  std::string text_;
};

} // namespace

std::string compact_json(const boost::json::value& value) {
  json_writer writer{json_writer::layout::compact};
  writer.write(value);
  return writer.take();
}

std::string pretty_json(const boost::json::value& value) {
  json_writer writer{json_writer::layout::indented};
  writer.write(value);
  return writer.take();
}

std::string_view text_at(const boost::json::object& object,
                         std::string_view key) noexcept {
  const auto* value = object.if_contains(key);
  const auto* text = value != nullptr ? value->if_string() : nullptr;
  return text != nullptr ? std::string_view{text->data(), text->size()}
                         : std::string_view{};
}

const boost::json::array& array_at(const boost::json::object& object,
                                   std::string_view key) noexcept {
  static const boost::json::array empty;
  const auto* value = object.if_contains(key);
  const auto* array = value != nullptr ? value->if_array() : nullptr;
  return array != nullptr ? *array : empty;
}

const boost::json::object& object_at(const boost::json::object& object,
                                     std::string_view key) noexcept {
  static const boost::json::value absent;
  const auto* value = object.if_contains(key);
  return as_object(value != nullptr ? *value : absent);
}

const boost::json::object& as_object(const boost::json::value& value) noexcept {
  static const boost::json::object empty;
  const auto* object = value.if_object();
  return object != nullptr ? *object : empty;
}

} // namespace caf_mcp::tool
