#pragma once

#include "caf_mcp/messages/json/payload.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

/// @file
/// Documents made of others, whose numbers keep the digits of their texts. To
/// copy a `boost::json::value` out of a payload and into another loses those of
/// integers beyond 64 bits, and of long fractions.

namespace caf_mcp {

/// Returns the members of an object, in their order; none if it is no object.
std::vector<payload_member> members_of(const payload& object);

/// Returns `object` with this member, in place of one with the same key;
/// without it if `value` is absent.
payload with_member(const payload& object, std::string_view key, payload value);

/// Makes an array of `items`, each of which is present. Absent if the result is
/// too deep.
payload compose_array(std::span<const payload> items);

/// Returns a text as a JSON string.
payload to_payload(std::string_view text);

} // namespace caf_mcp
