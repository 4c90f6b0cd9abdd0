#include "caf_mcp/messages/wire/decoder.hpp"

#include "caf_mcp/messages/json/json_text.hpp"
#include "caf_mcp/messages/wire/encoder.hpp"

#include "tests/fuzz/require.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
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

/// Returns what arrives when `message` is sent to a decoder.
template <class T>
T there_and_back(decoder& reader, const outgoing_message& message) {
  encoder writer;
  byte_buffer out;
  REQUIRE(writer.encode(message, out) == encode_result::written);
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
    REQUIRE(!message.result || parse_payload(message.result.to_json()));
    REQUIRE(!message.error || parse_payload(message.error.to_json()));
  }

  void operator()(const incoming_request& message) const {
    auto id = parse_payload(message.id_json);
    REQUIRE(id);
    REQUIRE(id.value().is_string() || id.value().is_number());
    there_and_back<incoming_response>(
      reader, outgoing_response{message.id_json, payload{}});
    // The payload outlives what was decoded since.
    REQUIRE(!message.params || parse_payload(message.params.to_json()));
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

  void operator()(const incoming_batch& message) const {
    REQUIRE(!message.messages.empty());
    for (const auto& each : message.messages)
      std::visit(*this, each);
  }
};

/// Returns whether two values are the same, but for the last bits of numbers
/// with a fraction: how Boost.JSON rounds them depends on what stands behind.
bool is_alike(const boost::json::value& one, const boost::json::value& other) {
  if (one.is_double() && other.is_double()) {
    const auto difference = std::abs(one.get_double() - other.get_double());
    return one == other || difference <= 1e-14 * std::abs(other.get_double());
  }
  if (one.is_array() && other.is_array())
    return std::equal(one.get_array().begin(), one.get_array().end(),
                      other.get_array().begin(), other.get_array().end(),
                      is_alike);
  if (one.is_object() && other.is_object())
    return std::equal(one.get_object().begin(), one.get_object().end(),
                      other.get_object().begin(), other.get_object().end(),
                      [](const auto& a, const auto& b) {
                        return a.key() == b.key()
                               && is_alike(a.value(), b.value());
                      });
  return one == other;
}

/// White space before a line, which keeps it from being taken apart the short
/// way, changes nothing.
void check_with_space(decoder& reader, std::string_view line,
                      const incoming_message& message) {
  const auto* response = std::get_if<incoming_response>(&message);
  if (response == nullptr)
    return;
  const auto spaced = reader.decode(' ' + std::string{line});
  REQUIRE(spaced);
  const auto* other = std::get_if<incoming_response>(&*spaced);
  REQUIRE(other != nullptr);
  REQUIRE(response->id == other->id);
  REQUIRE(response->match == other->match);
  REQUIRE(static_cast<bool>(response->result)
          == static_cast<bool>(other->result));
  REQUIRE(is_alike(response->result.value(), other->result.value()));
  REQUIRE(response->error.to_json() == other->error.to_json());
}

} // namespace

} // namespace caf_mcp

/// No line breaks the decoder, and what it returns can be used.
// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  static caf_mcp::decoder reader;
  std::string_view line{reinterpret_cast<const char*>(data), size};
  if (auto message = reader.decode(line)) {
    std::visit(caf_mcp::send_on{reader}, *message);
    caf_mcp::check_with_space(reader, line, *message);
  }
  return 0;
}
