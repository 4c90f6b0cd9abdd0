#pragma once

#include "caf_mcp/messages/json/payload.hpp"

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>

namespace caf_mcp {

/// The tasks that were made of the calls of one caller, as far as it was told
/// (MCP, Tasks). Of very many, the oldest are forgotten.
class own_tasks {
public:
  static constexpr std::size_t tasks_max = 1000;

  /// Longer ids are not noted.
  static constexpr std::size_t id_bytes_max = 1024;

  /// Notes the task that a result names, if it names one.
  void note(const payload& result);

  bool holds(std::string_view id) const;

private:
  std::deque<std::string> ids_;
};

} // namespace caf_mcp
