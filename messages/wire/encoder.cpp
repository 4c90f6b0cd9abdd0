#include "caf_mcp/messages/wire/encoder.hpp"

#include "caf_mcp/messages/wire/utf8.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

namespace caf_mcp {

namespace {

constexpr std::string_view meta_key = "_meta";
constexpr std::string_view token_key = "progressToken";

/// The serializer writes pieces of at least this size.
constexpr std::size_t piece_bytes_min = 512;

template <class Integer>
void write_integer(Integer value, byte_buffer& out) {
  constexpr auto digits_max = std::numeric_limits<Integer>::digits10 + 2;
  auto* first = out.prepare(digits_max);
  auto [last, _] = std::to_chars(first, first + digits_max, value);
  out.commit(static_cast<std::size_t>(last - first));
}

void write_comma(bool& first, byte_buffer& out) {
  if (!first)
    out.append(',');
  first = false;
}

/// Returns the member `_meta` of `params`, or nullptr.
const boost::json::value* find_meta(const payload& params) {
  const auto* object = params.if_object();
  return object != nullptr ? object->if_contains(meta_key) : nullptr;
}

/// Returns whether `_meta` can be merged into `params`: they are absent, or an
/// object whose `_meta`, if any, is an object.
bool takes_meta(const payload& params) {
  if (!params)
    return true;
  const auto* meta = find_meta(params);
  return params.if_object() != nullptr
         && (meta == nullptr || meta->is_object());
}

bool has_member(const boost::json::object* object, std::string_view key) {
  return object != nullptr && object->contains(key);
}

bool has_token(const payload& params) {
  const auto* meta = find_meta(params);
  return meta != nullptr && has_member(meta->if_object(), token_key);
}

/// Returns whether a byte of the eight in `chunk` is a control character, a
/// quote or a backslash; also true of what is not ASCII. For bytes that are,
/// the high bit of `byte - x` says that `byte` is less than `x`, if borrows of
/// lower bytes do not: these only come from bytes that need care themselves.
constexpr bool needs_care(std::uint64_t chunk) noexcept {
  constexpr std::uint64_t ones = 0x0101010101010101;
  constexpr std::uint64_t high_bits = ones * 0x80;
  const auto control = chunk - ones * 0x20;
  const auto quote = (chunk ^ (ones * '"')) - ones;
  const auto backslash = (chunk ^ (ones * '\\')) - ones;
  return ((chunk | control | quote | backslash) & high_bits) != 0;
}

constexpr std::size_t block_bytes = 64;

/// The same of a block of `block_bytes`. Has one result for all of them, which
/// compilers make vector instructions of.
bool needs_care(const char* block) noexcept {
  unsigned char found = 0;
  for (std::size_t i = 0; i < block_bytes; ++i) {
    const auto byte = static_cast<signed char>(block[i]);
    found |= byte < 0x20 || byte == '"' || byte == '\\';
  }
  return found != 0;
}

template <class Integer>
std::uint64_t load(const char* bytes) noexcept {
  Integer result;
  std::memcpy(&result, bytes, sizeof(result));
  return result;
}

/// The same of a text of less than eight bytes.
bool short_needs_care(std::string_view text) noexcept {
  constexpr std::uint64_t spaces = 0x2020202020202020;
  const auto* last = text.data() + text.size();
  switch (text.size()) {
    case 0:
      return false;
    case 1:
      return needs_care(spaces << 8 | load<std::uint8_t>(text.data()));
    case 2:
    case 3: // the two halves overlap
      return needs_care(spaces << 32 | load<std::uint16_t>(text.data()) << 16
                        | load<std::uint16_t>(last - 2));
    default:
      return needs_care(load<std::uint32_t>(text.data()) << 32
                        | load<std::uint32_t>(last - 4));
  }
}

/// Returns whether `text` is the same within the quotes of JSON; then it is
/// ASCII.
bool is_plain(std::string_view text) noexcept {
  if (text.size() < sizeof(std::uint64_t))
    return !short_needs_care(text);
  // What is left in the end overlaps what was looked at.
  const auto last = load<std::uint64_t>(text.data() + text.size() - 8);
  for (; text.size() >= block_bytes; text.remove_prefix(block_bytes))
    if (needs_care(text.data()))
      return false;
  for (; text.size() >= 8; text.remove_prefix(8))
    if (needs_care(load<std::uint64_t>(text.data())))
      return false;
  return !needs_care(last);
}

} // namespace

encode_result encoder::encode(const outgoing_message& message,
                              byte_buffer& out) {
  auto size_before = out.size();
  is_finite_ = true;
  is_ascii_ = true;
  std::visit([&](const auto& alternative) { write(alternative, out); },
             message);
  auto result = encode_result::written;
  if (!is_finite_)
    result = encode_result::not_finite;
  else if (!is_ascii_ && !is_valid_utf8(out.view().substr(size_before)))
    result = encode_result::not_utf8;
  if (result == encode_result::written)
    out.append('\n');
  else
    out.truncate(size_before);
  return result;
}

void encoder::write(const outgoing_request& message, byte_buffer& out) {
  out.append(R"({"jsonrpc":"2.0","id":)");
  write_integer(message.id, out);
  out.append(R"(,"method":)");
  write_text(message.method, out);
  write_params(message, out);
  out.append('}');
}

void encoder::write(const outgoing_notification& message, byte_buffer& out) {
  out.append(R"({"jsonrpc":"2.0","method":)");
  write_text(message.method, out);
  if (message.params) {
    out.append(R"(,"params":)");
    write_value(message.params.value(), out);
  }
  out.append('}');
}

void encoder::write(const outgoing_response& message, byte_buffer& out) {
  out.append(R"({"jsonrpc":"2.0","id":)");
  out.append(message.id_json);
  is_ascii_ = false;
  std::visit([&](const auto& outcome) { write_outcome(outcome, out); },
             message.outcome);
  out.append('}');
}

void encoder::write_outcome(const payload& result, byte_buffer& out) {
  out.append(R"(,"result":)");
  if (result)
    write_value(result.value(), out);
  else
    out.append("{}");
}

void encoder::write_outcome(const rpc_error& error, byte_buffer& out) {
  out.append(R"(,"error":{"code":)");
  write_integer(error.code, out);
  out.append(R"(,"message":)");
  write_text(error.message, out);
  if (error.data) {
    out.append(R"(,"data":)");
    write_value(error.data.value(), out);
  }
  out.append('}');
}

void encoder::write_params(const outgoing_request& message, byte_buffer& out) {
  const auto changes_meta
    = message.meta || message.wants_progress || has_token(message.params);
  if (!message.params && !changes_meta)
    return;
  out.append(R"(,"params":)");
  if (!changes_meta || !takes_meta(message.params)) {
    write_value(message.params.value(), out);
    return;
  }
  out.append('{');
  write_meta(message, out);
  if (const auto* params = message.params.if_object()) {
    auto first = false;
    for (const auto& [key, value] : *params)
      if (key != meta_key)
        write_member(key, value, first, out);
  }
  out.append('}');
}

void encoder::write_meta(const outgoing_request& message, byte_buffer& out) {
  const auto* meta = find_meta(message.params);
  const auto* own = meta != nullptr ? meta->if_object() : nullptr;
  const auto* added = message.meta.if_object();
  auto first = true;
  out.append(R"("_meta":{)");
  if (own != nullptr)
    for (const auto& [key, value] : *own)
      if (key != token_key)
        write_member(key, value, first, out);
  if (added != nullptr)
    for (const auto& [key, value] : *added)
      if (!has_member(own, key))
        write_member(key, value, first, out);
  // MCP, Progress: a token is unique among the active requests. Callers know
  // nothing of each other's.
  if (message.wants_progress) {
    write_comma(first, out);
    out.append(R"("progressToken":)");
    write_integer(message.id, out);
  }
  out.append('}');
}

void encoder::write_member(std::string_view key,
                           const boost::json::value& value, bool& first,
                           byte_buffer& out) {
  write_comma(first, out);
  write_text(key, out);
  out.append(':');
  write_value(value, out);
}

void encoder::write_value(const boost::json::value& value, byte_buffer& out) {
  using boost::json::kind;
  switch (value.kind()) {
    case kind::null:
      out.append("null");
      break;
    case kind::bool_:
      out.append(value.get_bool() ? "true" : "false");
      break;
    case kind::int64:
      write_integer(value.get_int64(), out);
      break;
    case kind::uint64:
      write_integer(value.get_uint64(), out);
      break;
    case kind::double_:
      write_double(value.get_double(), out);
      break;
    case kind::string:
      write_text(value.get_string(), out);
      break;
    case kind::array:
      write_array(value.get_array(), out);
      break;
    case kind::object:
      write_object(value.get_object(), out);
      break;
  }
}

void encoder::write_object(const boost::json::object& object,
                           byte_buffer& out) {
  auto first = true;
  out.append('{');
  for (const auto& [key, value] : object)
    write_member(key, value, first, out);
  out.append('}');
}

void encoder::write_array(const boost::json::array& array, byte_buffer& out) {
  auto first = true;
  out.append('[');
  for (const auto& value : array) {
    write_comma(first, out);
    write_value(value, out);
  }
  out.append(']');
}

void encoder::write_double(double number, byte_buffer& out) {
  is_finite_ = is_finite_ && std::isfinite(number);
  const boost::json::value value(number); // braces would make an array
  serializer_.reset(&value);
  write_serialized(out);
}

void encoder::write_text(std::string_view text, byte_buffer& out) {
  if (is_plain(text)) {
    auto* room = out.prepare(text.size() + 2);
    room[0] = '"';
    std::copy(text.begin(), text.end(), room + 1);
    room[text.size() + 1] = '"';
    out.commit(text.size() + 2);
    return;
  }
  is_ascii_ = false;
  serializer_.reset(boost::json::string_view{text.data(), text.size()});
  write_serialized(out);
}

void encoder::write_serialized(byte_buffer& out) {
  while (!serializer_.done()) {
    auto* room = out.prepare(piece_bytes_min);
    out.commit(serializer_.read(room, out.room()).size());
  }
}

} // namespace caf_mcp
