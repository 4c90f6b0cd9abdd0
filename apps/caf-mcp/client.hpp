#pragma once

#include "caf_mcp/actors/client.hpp"

#include <optional>
#include <utility>

namespace caf_mcp::tool {

/// What a command talks to: the one server of this run of the tool.
class client {
public:
  /// `defaults` are the options of every request.
  client(caf::scoped_actor& self, connection server, request_options defaults)
    : self_{self}, server_{std::move(server)}, defaults_{defaults} {
    // nop
  }

  const request_options& options() const noexcept {
    return defaults_;
  }

  /// Sends `message` and waits for the answer.
  template <class Message>
  auto ask(Message message) {
    return caf_mcp::ask(self_, server_, std::move(message));
  }

private:
  caf::scoped_actor& self_;
  connection server_;
  request_options defaults_;
};

} // namespace caf_mcp::tool
