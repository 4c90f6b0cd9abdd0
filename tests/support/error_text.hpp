#pragma once

#include "caf_mcp/messages/error_info.hpp"

#include <caf/error.hpp>

#include <string>

namespace tests {

/// Returns what an error says, `ERRC: MESSAGE`; `ok` if there is none.
inline std::string text_of(const caf::error& error) {
  if (!error)
    return "ok";
  auto info = caf_mcp::describe(error);
  return info.name + ": " + info.message;
}

} // namespace tests
