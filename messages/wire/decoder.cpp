#include "caf_mcp/messages/wire/decoder.hpp"

#include "caf_mcp/messages/wire/array_elements.hpp"
#include "caf_mcp/messages/wire/envelope_scan.hpp"
#include "caf_mcp/messages/wire/plain_response.hpp"

#include <boost/json/serialize.hpp>

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

/// Describes a line that no JSON parser takes; nothing if it is junk.
std::optional<single_message>
describe_unparsable(std::string_view line,
                    const boost::json::error_code& reason) {
  auto seen = scan_envelope(line);
  if (!seen.has_jsonrpc)
    return std::nullopt;
  undecodable_message result;
  if (!seen.is_call())
    result.id = read_own_id(seen.id_json);
  result.detail = "not valid JSON: " + reason.message();
  return result;
}

single_message undecodable(std::string detail) {
  undecodable_message result;
  result.detail = std::move(detail);
  return result;
}

/// The members of a message that count, found in one walk.
struct envelope {
  bool has_jsonrpc = false;
  const boost::json::value* id = nullptr;
  const boost::json::value* method = nullptr;
  const boost::json::value* params = nullptr;
  const boost::json::value* result = nullptr;
  const boost::json::value* error = nullptr;
};

envelope open_envelope(const boost::json::object& object) {
  envelope seen;
  for (const auto& member : object) {
    auto key = member.key();
    if (key == "jsonrpc")
      seen.has_jsonrpc = true;
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

using document = std::shared_ptr<const boost::json::value>;

/// Returns a part of a message; absent if there is none.
payload part(document message, const boost::json::value* value) {
  return value != nullptr ? payload{document{std::move(message), value}}
                          : payload{};
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

single_message read_response(document message, const envelope& seen,
                             std::string_view line) {
  incoming_response response;
  read_id(seen.id, line, response);
  // Some serialisers write every member they know, null where it has no value.
  const auto* error = is_null(seen.error) ? nullptr : seen.error;
  const auto* result
    = error != nullptr && is_null(seen.result) ? nullptr : seen.result;
  if (error != nullptr)
    response.error = part(message, error);
  response.result = part(std::move(message), result);
  return response;
}

/// Tells a response from a log record: records have an `id` or an `error` at
/// times, and some servers leave out `jsonrpc`.
bool is_response(const envelope& seen) {
  if (seen.has_jsonrpc)
    return seen.id || seen.result || seen.error;
  return seen.id && (seen.result || (seen.error && seen.error->is_object()));
}

/// Returns the id of a request as it was written.
std::string exact_id(const boost::json::value& id, std::string_view line) {
  if (const auto* integer = id.if_int64())
    return std::to_string(*integer);
  auto seen = scan_envelope(line).id_json;
  // The scan misses the member when its name is written with escapes.
  return seen.empty() ? boost::json::serialize(id) : std::string{seen};
}

single_message read_call(document message, const envelope& seen,
                         std::string_view line) {
  if (!seen.method->is_string())
    return undecodable("method is not a string");
  auto name = std::string{seen.method->get_string()};
  if (seen.id == nullptr)
    return incoming_notification{std::move(name),
                                 part(std::move(message), seen.params)};
  if (!seen.id->is_string() && !seen.id->is_number())
    return undecodable("the id of request " + name
                       + " is neither a string nor a number");
  // Before the message goes, which ends it if there are no params.
  auto id = exact_id(*seen.id, line);
  return incoming_request{std::move(id), std::move(name),
                          part(std::move(message), seen.params)};
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
/// result. Returns nothing for all else, and for what is wrong. Boost.JSON
/// rounds long fractions a little otherwise near the end of a text, which may
/// differ from that of the whole line in their last bits.
std::optional<single_message>
decoder::decode_plain_response(std::string_view line) {
  const auto parts = split_plain_response(line);
  if (!parts)
    return std::nullopt;
  auto result = result_reader_.read(parts->result);
  if (!result)
    return std::nullopt;
  return incoming_response{
    parts->id, id_match::exact, payload{std::move(result)}, {}};
}

std::optional<single_message> decoder::decode_one(std::string_view line) {
  if (auto response = decode_plain_response(line))
    return response;
  auto message = reader_.read(line);
  if (!message)
    return describe_unparsable(line, reader_.error());
  const auto* object = message->if_object();
  if (object == nullptr)
    return std::nullopt;
  const auto seen = open_envelope(*object);
  if (seen.method == nullptr || seen.method->is_null()) {
    if (!is_response(seen))
      return std::nullopt;
    return read_response(std::move(message), seen, line);
  }
  if (!seen.has_jsonrpc)
    return std::nullopt;
  return read_call(std::move(message), seen, line);
}

} // namespace caf_mcp
