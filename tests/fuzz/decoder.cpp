#include "caf_mcp/messages/wire/decoder.hpp"

#include "caf_mcp/messages/wire/encoder.hpp"

#include "tests/fuzz/require.hpp"

#include <boost/json/value.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace caf_mcp {

namespace {

bool is_finite(const boost::json::value& value) {
  if (const auto* number = value.if_double())
    return std::isfinite(*number);
  if (const auto* array = value.if_array())
    return std::all_of(array->begin(), array->end(), is_finite);
  if (const auto* object = value.if_object())
    return std::all_of(object->begin(), object->end(), [](const auto& member) {
      return is_finite(member.value());
    });
  return true;
}

/// Returns what arrives when `message` is sent to a decoder.
template <class T>
T there_and_back(decoder& reader, const outgoing_message& message) {
  encoder writer;
  byte_buffer out;
  REQUIRE(writer.encode(message, out));
  REQUIRE(out.view().find('\n') == out.size() - 1);
  auto result = reader.decode(out.view().substr(0, out.size() - 1));
  REQUIRE(result);
  REQUIRE(std::holds_alternative<T>(*result));
  return std::get<T>(*result);
}

/// Whatever can be decoded can be sent on, and arrives as it was.
struct send_on {
  decoder& reader;

  void operator()(const incoming_response& message) const {
    REQUIRE(message.match != id_match::none || message.id == 0);
    static_cast<void>(message.result.to_json());
    static_cast<void>(message.error.to_json());
  }

  void operator()(const incoming_request& message) const {
    auto id = parse_payload(message.id_json);
    REQUIRE(id);
    REQUIRE(id.value().is_string() || id.value().is_number());
    there_and_back<incoming_response>(
      reader, outgoing_response{message.id_json, payload{}});
    // The payload outlives what was decoded since.
    static_cast<void>(message.params.to_json());
  }

  void operator()(const incoming_notification& message) const {
    if (message.params && !is_finite(message.params.value()))
      return;
    auto copy = there_and_back<incoming_notification>(
      reader, outgoing_notification{message.method, message.params});
    REQUIRE(copy.method == message.method);
    REQUIRE(static_cast<bool>(copy.params)
            == static_cast<bool>(message.params));
  }

  void operator()(const undecodable_message& message) const {
    REQUIRE(!message.detail.empty());
  }
};

} // namespace

} // namespace caf_mcp

/// No line breaks the decoder, and what it returns can be used.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  static caf_mcp::decoder reader;
  std::string_view line{reinterpret_cast<const char*>(data), size};
  if (auto message = reader.decode(line))
    std::visit(caf_mcp::send_on{reader}, *message);
  return 0;
}
