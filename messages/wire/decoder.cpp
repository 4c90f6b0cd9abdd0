#include "caf_mcp/messages/wire/decoder.hpp"

#include "caf_mcp/messages/json/excerpt.hpp"
#include "caf_mcp/messages/wire/array_elements.hpp"
#include "caf_mcp/messages/wire/envelope_scan.hpp"
#include "caf_mcp/messages/wire/plain_response.hpp"

#include <boost/json/serialize.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

namespace caf_mcp {

std::string_view to_string(id_match match) noexcept {
  switch (match) {
    case id_match::exact:
      return "exact";
    case id_match::lenient:
      return "lenient";
    case id_match::none:
      return "none";
  }
  return {};
}

namespace {

/// Says what is wrong with a line, at which byte, and what stands there.
std::string describe_failure(std::string_view line, const json_reader& reader) {
  constexpr std::size_t before_max = 20;
  constexpr std::size_t bytes_max = 60;
  const auto at = std::min(reader.error_at(), line.size());
  const auto start = at - std::min(at, before_max);
  return reader.error().message() + " at byte " + std::to_string(at) + ", near "
         + (start > 0 ? "..." : "") + excerpt(line.substr(start), bytes_max);
}

/// Describes a line that no JSON parser takes; nothing if it is junk.
std::optional<single_message> describe_unparsable(std::string_view line,
                                                  const json_reader& reader) {
  auto seen = scan_envelope(line);
  if (!seen.has_jsonrpc)
    return std::nullopt;
  undecodable_message result;
  if (!seen.is_call())
    result.id = read_own_id(seen.id_json);
  result.detail = "not valid JSON: " + describe_failure(line, reader);
  return result;
}

single_message undecodable(std::string detail) {
  undecodable_message result;
  result.detail = std::move(detail);
  return result;
}

/// The members of a message that count, found in one walk.
struct envelope_members {
  /// Whether `jsonrpc` is the string "2.0" (JSON-RPC 2.0, section 4).
  bool is_json_rpc = false;
  const boost::json::value* id = nullptr;
  const boost::json::value* method = nullptr;
  const boost::json::value* params = nullptr;
  const boost::json::value* result = nullptr;
  const boost::json::value* error = nullptr;
};

envelope_members open_envelope(const boost::json::object& object) {
  envelope_members seen;
  for (const auto& member : object) {
    auto key = member.key();
    if (key == "jsonrpc")
      seen.is_json_rpc = member.value() == "2.0";
    else if (key == "id")
      seen.id = &member.value();
    else if (key == "result")
      seen.result = &member.value();
    else if (key == "method")
      seen.method = &member.value();
    else if (key == "params")
      seen.params = &member.value();
    else if (key == "error")
      seen.error = &member.value();
  }
  return seen;
}

/// Reads the id of a response.
void read_id(const boost::json::value* id, std::string_view line,
             incoming_response& out) {
  if (id == nullptr)
    return;
  if (const auto* integer = id->if_int64()) {
    out.id = *integer;
    out.match = id_match::exact;
    return;
  }
  // The text, for the parsed value of a float may be rounded.
  if (auto own = read_own_id(scan_envelope(line).id_json)) {
    out.id = *own;
    out.match = id_match::lenient;
  }
}

bool is_null(const boost::json::value* member) {
  return member != nullptr && member->is_null();
}

single_message read_response(const payload& message,
                             const envelope_members& seen,
                             std::string_view line) {
  incoming_response response;
  read_id(seen.id, line, response);
  // Some serialisers write every member they know, null where it has no value.
  const auto* error = is_null(seen.error) ? nullptr : seen.error;
  const auto* result
    = error != nullptr && is_null(seen.result) ? nullptr : seen.result;
  if (error != nullptr)
    response.error = message.part(error);
  response.result = message.part(result);
  return response;
}

bool is_response(const envelope_members& seen) {
  return seen.id != nullptr || seen.result != nullptr || seen.error != nullptr;
}

/// Returns the id of a request as it was written.
std::string exact_id(const boost::json::value& id, std::string_view line) {
  if (const auto* integer = id.if_int64())
    return std::to_string(*integer);
  auto seen = scan_envelope(line).id_json;
  // The scan misses the member when its name is written with escapes.
  return seen.empty() ? boost::json::serialize(id) : std::string{seen};
}

single_message read_call(const payload& message, const envelope_members& seen,
                         std::string_view line) {
  if (!seen.method->is_string())
    return undecodable("method is not a string");
  auto name = std::string{seen.method->get_string()};
  if (seen.id == nullptr)
    return incoming_notification{std::move(name), message.part(seen.params)};
  if (!seen.id->is_string() && !seen.id->is_number())
    return undecodable("the id of request " + name
                       + " is neither a string nor a number");
  return incoming_request{exact_id(*seen.id, line), std::move(name),
                          message.part(seen.params)};
}

} // namespace

std::optional<incoming_message> decoder::decode(std::string_view line) {
  if (auto elements = split_array(line))
    return decode_batch(*elements);
  auto message = decode_one(line);
  if (!message)
    return std::nullopt;
  return std::visit(
    [](auto& each) { return incoming_message{std::move(each)}; }, *message);
}

std::optional<incoming_message>
decoder::decode_batch(const std::vector<std::string_view>& elements) {
  incoming_batch result;
  for (auto element : elements)
    if (element.starts_with('{')) // all else is junk
      if (auto message = decode_one(element))
        result.messages.push_back(std::move(*message));
  if (result.messages.empty())
    return std::nullopt;
  return result;
}

/// Decodes what most lines are, without a tree for the members around the
/// result. Returns nothing for all else, and for what is wrong.
std::optional<single_message>
decoder::decode_plain_response(std::string_view line) {
  const auto parts = split_plain_response(line);
  if (!parts)
    return std::nullopt;
  auto result = result_reader_.read(parts->result);
  if (!result)
    return std::nullopt;
  return incoming_response{parts->id, id_match::exact, std::move(result), {}};
}

std::optional<single_message> decoder::decode_one(std::string_view line) {
  if (auto response = decode_plain_response(line))
    return response;
  auto message = reader_.read(line);
  if (!message)
    return describe_unparsable(line, reader_);
  const auto* object = message.if_object();
  if (object == nullptr)
    return std::nullopt;
  const auto seen = open_envelope(*object);
  if (!seen.is_json_rpc)
    return std::nullopt;
  if (seen.method == nullptr || seen.method->is_null()) {
    if (!is_response(seen))
      return std::nullopt;
    return read_response(message, seen, line);
  }
  return read_call(message, seen, line);
}

} // namespace caf_mcp
