#include "caf_mcp/messages/wire/envelope_scan.hpp"

#include "caf_mcp/messages/json/json_text.hpp"
#include "caf_mcp/messages/json/payload.hpp"

#include "tests/fuzz/require.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

using caf_mcp::is_finite;
using caf_mcp::parse_payload;
using caf_mcp::read_own_id;
using caf_mcp::scan_envelope;
using caf_mcp::scan_tail_for_id;

namespace {

/// Checks a scan of a valid message against the parser's view of it.
void check_members(std::string_view text, const boost::json::object& parsed) {
  auto seen = scan_envelope(text);
  const auto* version = parsed.if_contains("jsonrpc");
  REQUIRE(seen.has_jsonrpc == (version != nullptr && *version == "2.0"));
  REQUIRE(seen.has_method == parsed.contains("method"));
  REQUIRE(seen.has_params == parsed.contains("params"));
  const auto* id = parsed.if_contains("id");
  REQUIRE(seen.id_json.empty() == (id == nullptr));
  if (id == nullptr)
    return;
  auto same = parse_payload(seen.id_json);
  REQUIRE(same);
  // NaN differs from itself.
  REQUIRE(same.value() == *id || !is_finite(*id));
  if (const auto* integer = id->if_int64())
    REQUIRE(read_own_id(seen.id_json) == *integer);
}

/// Checks that no tail of a valid message gives another id than the whole.
void check_tails(std::string_view text) {
  auto id = scan_envelope(text).id_json;
  for (auto tail = text; !tail.empty(); tail.remove_prefix(1)) {
    auto found = scan_tail_for_id(tail);
    REQUIRE(found.empty() || found == id);
  }
}

} // namespace

/// Scans never leave the text, and agree with the parser on what it accepts.
// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  std::string_view text{reinterpret_cast<const char*>(data), size};
  read_own_id(text);
  read_own_id(scan_envelope(text).id_json);
  scan_tail_for_id(text);
  // Names that are written with escapes are not recognised.
  if (text.find("\\u") != std::string_view::npos)
    return 0;
  auto parsed = parse_payload(text);
  if (const auto* object = parsed.if_object()) {
    check_members(text, *object);
    if (size <= 512)
      check_tails(text);
  }
  return 0;
}
