#include "caf_mcp/actors/connection/progress_window.hpp"

#include <utility>

namespace caf_mcp {

std::optional<progress> progress_window::add(progress report) {
  if (untaken_ < untaken_max) {
    ++untaken_;
    return report;
  }
  newest_ = std::move(report);
  return std::nullopt;
}

std::optional<progress> progress_window::on_taken() {
  --untaken_;
  if (!newest_)
    return std::nullopt;
  ++untaken_;
  return std::exchange(newest_, std::nullopt);
}

std::optional<progress> progress_window::finish() {
  return std::exchange(newest_, std::nullopt);
}

} // namespace caf_mcp
