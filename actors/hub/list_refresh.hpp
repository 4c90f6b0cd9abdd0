#pragma once

#include "caf_mcp/actors/hub/catalogue.hpp"

#include <array>

namespace caf_mcp {

/// Which lists of one server are asked for while somebody watches the
/// catalogue: at most one of each kind at a time, and once more if it has
/// changed meanwhile, however often.
class list_refresh {
public:
  /// The list of this kind may have changed. Returns whether to ask for it now.
  bool on_changed(list_kind kind) noexcept {
    auto& which = state_of(kind);
    const auto is_asked = which != state::known;
    which = is_asked ? state::changed : state::asked;
    return !is_asked;
  }

  /// What was asked for has come, or failed to. Returns whether to ask again.
  bool on_answer(list_kind kind) noexcept {
    auto& which = state_of(kind);
    const auto has_changed = which == state::changed;
    which = has_changed ? state::asked : state::known;
    return has_changed;
  }

private:
  enum class state : std::uint8_t { known, asked, changed };

  state& state_of(list_kind kind) noexcept {
    return states_[static_cast<std::size_t>(kind)];
  }

  std::array<state, catalogue_kinds.size()> states_{};
};

} // namespace caf_mcp
