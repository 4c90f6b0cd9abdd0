#pragma once

#include "caf_mcp/actors/nodes/own_tasks.hpp"
#include "caf_mcp/messages/json/payload.hpp"
#include "caf_mcp/messages/requests.hpp"
#include "caf_mcp/messages/server_offer.hpp"

#include <caf/error.hpp>

#include <string_view>
#include <utility>

namespace caf_mcp {

/// Applies the offer of one server to what callers on other nodes ask of it,
/// and to what they are answered.
class offered_tools {
public:
  explicit offered_tools(server_offer offer) : offer_{std::move(offer)} {
    // nop
  }

  /// Returns an error if a message with this method, a notification as well as
  /// a request, would call a tool that is not offered, or might for a server
  /// that reads names loosely: `not_found`, which names the tool, or
  /// `config_invalid`. Where tools are kept back, of the tasks those in `tasks`
  /// alone may be asked for: another one may be a call that was refused here.
  caf::error check(std::string_view method, const payload& params,
                   const own_tasks& tasks) const;

  /// Returns a result without those tools that are not offered. Whatever has
  /// been asked for: `tools` is a list of tools in each result of the protocol.
  payload in_result(const payload& result) const;

  /// Returns a list of tools without those that are not offered.
  payload in_list(const payload& tools) const;

private:
  caf::error check_call(const payload& params) const;

  server_offer offer_;
};

} // namespace caf_mcp
