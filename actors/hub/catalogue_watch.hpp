#pragma once

#include "caf_mcp/actors/hub/catalogue.hpp"
#include "caf_mcp/messages/catalogue.hpp"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace caf_mcp {

/// What all servers of a hub offer now, by name, in their order.
using catalogue_offers = std::vector<std::pair<std::string, catalogue_offer>>;

/// One watcher of a catalogue: what it was told, and so what it is to be told
/// next. Changes that it does not keep up with are not queued; they are found
/// by comparing, so that memory does not depend on their number.
class catalogue_watch {
public:
  /// Returns what has changed since the last message, all that there is the
  /// first time; nothing if the last one was not taken yet, or nothing has.
  std::optional<catalogue_changed> next(const catalogue_offers& now);

  /// The watcher has taken the last message.
  void on_taken() noexcept {
    is_behind_ = false;
  }

  /// Returns whether it was told anything.
  bool has_begun() const noexcept {
    return has_begun_;
  }

private:
  catalogue_changed changes_to(const catalogue_offers& now);

  std::map<std::string, catalogue_offer> told_;
  bool has_begun_ = false;
  bool is_behind_ = false;
};

} // namespace caf_mcp
