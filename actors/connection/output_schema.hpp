#pragma once

#include "caf_mcp/messages/json/payload.hpp"

#include <cstdint>
#include <stop_token>
#include <string>

namespace caf_mcp {

/// How much work a check may be. A step is a keyword that is applied to a
/// value, a value that is compared, or a few bytes that are read: some 20 to 50
/// nanoseconds.
struct check_budget {
  std::uint64_t steps_max = 10'000'000;
  /// Ends the check when its result is not wanted any more.
  std::stop_token stop = {};
};

/// Says how a tool's `structuredContent` fits the tool's `outputSchema`.
struct output_check {
  enum class outcome : std::uint8_t {
    fits,
    /// The content breaks the schema; `why` says where.
    misfits,
    /// The schema is one that is not checked; `why` says what it needs.
    unsupported,
    /// The check took more than its budget.
    over_budget,
  };

  outcome result = outcome::fits;
  std::string why = {};
};

/// Checks `content` against `schema`, of JSON Schema 2020-12, the default (MCP,
/// Tools, Output schema), or draft-07.
///
/// Both come from a server that may be hostile. So nothing is fetched (MCP
/// 2026-07-28, Tools, Security), regular expressions are not supported, and the
/// work is counted: no check goes beyond its budget, whatever the schema does
/// with alternatives, references or `uniqueItems`. Nor does it go deeper than a
/// stack allows. A keyword that is not supported counts only where it is
/// reached. `format` is an annotation. Integers beyond 64 bits are compared as
/// doubles.
output_check check_output(const payload& schema, const payload& content,
                          const check_budget& budget = {});

} // namespace caf_mcp
