#pragma once

#include "caf_mcp/actors/hub/hub.hpp"

#include "command.hpp"
#include "diagnostics.hpp"

#include <caf/scoped_actor.hpp>
#include <caf/timespan.hpp>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace caf_mcp::tool {

/// What a command over many servers talks to: the hub of this run of the tool.
/// A `cancel_request` to its actor interrupts what waits.
class tree {
public:
  tree(caf::scoped_actor& self, hub servers, output_format format,
       diagnostics& console);

  /// Sends `message` to the hub and waits for the answer.
  template <class Message>
  auto ask(Message message) {
    return caf_mcp::ask(self_, servers_, std::move(message));
  }

  /// Waits for the next change of a server; returns nothing once interrupted,
  /// or after `limit`.
  std::optional<server_status> next_change(caf::timespan limit = caf::infinite);

  /// Waits until each server is ready or down, but no longer than `limit`.
  void settle(caf::timespan limit);

  const hub& servers() const noexcept {
    return servers_;
  }

  caf::actor_system& system() {
    return self_->home_system();
  }

  output_format format() const noexcept {
    return format_;
  }

  void warn(std::string_view text) {
    console_.warn(text);
  }

  bool was_interrupted() const noexcept {
    return is_interrupted_;
  }

private:
  bool is_settled() const;

  caf::scoped_actor& self_;
  hub servers_;
  output_format format_;
  diagnostics& console_;
  std::map<std::string, server_state> states_;
  bool is_interrupted_ = false;
};

} // namespace caf_mcp::tool
