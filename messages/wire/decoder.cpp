#include "caf_mcp/messages/wire/decoder.hpp"

#include "caf_mcp/messages/wire/array_elements.hpp"
#include "caf_mcp/messages/wire/envelope_scan.hpp"

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
  if (!seen.has_method)
    result.id = read_own_id(seen.id_json);
  result.detail = "not valid JSON: " + reason.message();
  return result;
}

single_message undecodable(std::string detail) {
  undecodable_message result;
  result.detail = std::move(detail);
  return result;
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

bool is_null(const payload& member) {
  return member && member.value().is_null();
}

single_message read_response(const payload& message,
                             const boost::json::object& object,
                             std::string_view line) {
  incoming_response result;
  read_id(object.if_contains("id"), line, result);
  result.result = message.member("result");
  result.error = message.member("error");
  // Some serialisers write every member they know, null where it has no value.
  if (is_null(result.error))
    result.error = payload{};
  else if (result.error && is_null(result.result))
    result.result = payload{};
  return result;
}

/// Tells a response from a log record: records have an `id` or an `error` at
/// times, and some servers leave out `jsonrpc`.
bool is_response(const boost::json::object& object) {
  const auto* error = object.if_contains("error");
  if (object.contains("jsonrpc"))
    return object.contains("id") || object.contains("result") || error;
  return object.contains("id")
         && (object.contains("result") || (error && error->is_object()));
}

/// Returns the id of a request as it was written.
std::string exact_id(const boost::json::value& id, std::string_view line) {
  if (const auto* integer = id.if_int64())
    return std::to_string(*integer);
  auto seen = scan_envelope(line).id_json;
  // The scan misses the member when its name is written with escapes.
  return seen.empty() ? boost::json::serialize(id) : std::string{seen};
}

single_message read_call(const payload& message,
                         const boost::json::object& object,
                         const boost::json::value& method,
                         std::string_view line) {
  if (!method.is_string())
    return undecodable("method is not a string");
  auto name = std::string{method.get_string()};
  const auto* id = object.if_contains("id");
  if (id == nullptr)
    return incoming_notification{std::move(name), message.member("params")};
  if (!id->is_string() && !id->is_number())
    return undecodable("the id of request " + name
                       + " is neither a string nor a number");
  return incoming_request{exact_id(*id, line), std::move(name),
                          message.member("params")};
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

std::optional<single_message> decoder::decode_one(std::string_view line) {
  auto message = payload{reader_.read(line)};
  if (!message)
    return describe_unparsable(line, reader_.error());
  const auto* object = message.if_object();
  if (object == nullptr)
    return std::nullopt;
  const auto* method = object->if_contains("method");
  if (method == nullptr || method->is_null()) {
    if (!is_response(*object))
      return std::nullopt;
    return read_response(message, *object, line);
  }
  if (!object->contains("jsonrpc"))
    return std::nullopt;
  return read_call(message, *object, *method, line);
}

} // namespace caf_mcp
