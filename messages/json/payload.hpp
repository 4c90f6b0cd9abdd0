#pragma once

#include "caf_mcp/messages/fwd.hpp"

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace caf_mcp {

class number_spellings;
enum class json_layout : std::uint8_t;

/// An immutable JSON document, or a part of one, that is shared: copying a
/// payload copies a pointer, sending it to another node serialises it. A part
/// keeps its whole document alive.
///
/// Safe to read from many threads at once. A `boost::json::value` copied out of
/// a payload is independent of it. What such a value does not hold, as integers
/// beyond 64 bits, a payload that was parsed passes on with the digits of its
/// text: when it is sent, rendered or composed.
class payload {
public:
  /// Creates an absent payload, which differs from one that holds JSON null.
  payload() noexcept = default;

  /// Takes over `value`.
  explicit payload(boost::json::value value);

  /// Shares a value that lives as long as the pointer's owner.
  explicit payload(std::shared_ptr<const boost::json::value> value) noexcept;

  /// Shares a value of a parsed document and, if it is not null, how the text
  /// spelled its numbers. Both live as long as the pointer's owner.
  payload(std::shared_ptr<const boost::json::value> value,
          const number_spellings* spellings) noexcept;

  /// Returns whether there is a document.
  explicit operator bool() const noexcept {
    return value_ != nullptr;
  }

  /// Returns the JSON value, JSON null if absent.
  const boost::json::value& value() const noexcept;

  /// Returns the object this payload holds, or nullptr if it holds none.
  const boost::json::object* if_object() const noexcept;

  /// Returns the member `key` as a payload of the same document; absent if this
  /// is no object or has no such member.
  payload member(std::string_view key) const;

  /// Returns `value`, which is a part of this document, as a payload; absent if
  /// it is null.
  payload part(const boost::json::value* value) const noexcept;

  /// Returns the string in member `key`, or an empty view, valid as long as
  /// this payload.
  std::string_view string_member(std::string_view key) const;

  /// Renders the document as compact JSON that `parse_payload` takes, see
  /// `to_json_text`; an absent payload renders as `""`.
  std::string to_json() const;

  /// The same in a layout of choice.
  std::string to_json(json_layout layout) const;

  /// Returns the numbers that are to be written as the document's text spelled
  /// them, or nullptr if there are none; valid as long as this payload.
  const number_spellings* spellings() const noexcept {
    return spellings_;
  }

  friend bool operator==(const payload& lhs, const payload& rhs) noexcept;

private:
  std::shared_ptr<const boost::json::value> value_;
  const number_spellings* spellings_ = nullptr;
};

/// A member of an object that is composed of payloads.
struct payload_member {
  std::string key;
  payload value;
};

/// Makes an object of `members`, numbers with their digits; of those with the
/// same key the last counts, and one that is absent is left out. Absent if the
/// result is no valid document: a key is not UTF-8, or it is too deep.
payload compose_object(std::span<const payload_member> members);

/// Parses one JSON text of any size, with `json_depth_limit` as its depth.
/// Absent when `text` is not JSON.
payload parse_payload(std::string_view text);

/// Crosses nodes as JSON text.
template <class Inspector>
bool inspect(Inspector& f, payload& x) {
  auto get = [&x] { return x.to_json(); };
  auto set = [&x](const std::string& text) {
    x = text.empty() ? payload{} : parse_payload(text);
    return text.empty() || static_cast<bool>(x);
  };
  return f.apply(get, set);
}

} // namespace caf_mcp
