#pragma once

#include "caf_mcp/messages/requests.hpp"

#include <cstdint>
#include <optional>

namespace caf_mcp {

/// Bounds the progress of one request that waits for a receiver who does not
/// keep up: a few reports are under way, and of all later ones the newest is
/// kept.
class progress_window {
public:
  /// Reports that the receiver may leave untaken.
  static constexpr std::uint32_t untaken_max = 64;

  /// Returns the report if it is to be sent now.
  std::optional<progress> add(progress report);

  /// The receiver has taken one. Returns the report to send next.
  std::optional<progress> on_taken();

  /// The request is over. Returns the report to send before its answer.
  std::optional<progress> finish();

private:
  std::uint32_t untaken_ = 0;
  std::optional<progress> newest_;
};

} // namespace caf_mcp
