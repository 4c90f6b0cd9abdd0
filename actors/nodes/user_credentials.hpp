#pragma once

#include "caf_mcp/actors/nodes/tls_context.hpp"

#include <caf/expected.hpp>

#include <optional>

namespace caf_mcp {

/// Returns the authority that all programs of the user share. Makes it when it
/// is first asked for, and its certificate anew if that has less than a year
/// left.
caf::expected<identity> authority_of_user();

/// Returns what `tls_credentials::of_user` consists of, with a certificate that
/// the authority of the user has signed now.
caf::expected<tls_context::material> material_of_user();

/// Returns the same anew if `current` has less than a year left; nothing if it
/// need not, or cannot, be renewed.
std::optional<tls_context::material>
renewed_material_of_user(const tls_context::material& current);

} // namespace caf_mcp
