#pragma once

#include "caf_mcp/messages/payload.hpp"

#include <string>

namespace caf_mcp {

/// Says how a tool's `structuredContent` fits the tool's `outputSchema`.
struct output_verdict {
  /// What does not fit; empty if nothing is wrong.
  std::string problem;
  /// Why nothing was checked; empty if it was.
  std::string obstacle;
};

/// Checks `content` against `schema`, of JSON Schema 2020-12, the default (MCP,
/// Tools, Output schema), or draft-07.
///
/// The schema comes from a server that may be hostile. So nothing is fetched
/// (MCP 2026-07-28, Tools, Security), and what could take unbounded time or
/// stack is not checked at all: regular expressions, recursive references,
/// `uniqueItems`, more than 10,000 subschemas. Neither are keywords that the
/// validator does not know. `format` is an annotation.
output_verdict check_output(const payload& schema, const payload& content);

} // namespace caf_mcp
