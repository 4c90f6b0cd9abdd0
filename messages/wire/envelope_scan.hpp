#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace caf_mcp {

/// What a scan finds in the top level of a JSON-RPC message.
struct envelope {
  /// Whether there is a member `jsonrpc` with the string "2.0".
  bool has_jsonrpc = false;
  /// Whether there is a member `method`, if only the beginning of one.
  bool has_method = false;
  /// Whether there is a member `params`, if only the beginning of one.
  bool has_params = false;
  /// The text of the member `id`; empty if there is none.
  std::string_view id_json;

  /// Returns whether the message is a request or a notification: its id, if it
  /// has one, is not one that this side has given out.
  bool is_call() const noexcept {
    return has_method || has_params;
  }
};

/// Scans a message that a JSON parser refuses or would round: looks only at
/// brackets, quotes and the names of top-level members, so that bad UTF-8, lone
/// surrogates, `NaN` and any depth do not matter. Stops where the text stops.
envelope scan_envelope(std::string_view text);

/// Finds the member `id` of a response of which only the end is known. Reads
/// backwards from the closing brace over members that hold no bracket, and
/// stops at any other, so a nested `id` is never taken for the message's.
/// Returns nothing when it meets a `method`.
std::string_view scan_tail_for_id(std::string_view tail);

/// Reads an id that this side may have given out: an integer, an integral float
/// (`2.0`, `2e0`) or a string of the very digits that were sent (`"2"`, not
/// `"02"`). Nothing for all else, and for values that a double cannot hold
/// exactly.
std::optional<std::int64_t> read_own_id(std::string_view id_json);

} // namespace caf_mcp
