#pragma once

#include "caf_mcp/actors/client.hpp"

#include "command.hpp"
#include "diagnostics.hpp"
#include "terminal.hpp"

#include <optional>
#include <stop_token>
#include <utility>

namespace caf_mcp::tool {

/// What a command talks to: the one server of this run of the tool.
class client {
public:
  /// `defaults` are the options of every request.
  client(caf::scoped_actor& self, connection server, request_options defaults,
         output_format format, diagnostics& console, terminal& person,
         std::stop_token stop)
    : self_{self},
      server_{std::move(server)},
      defaults_{defaults},
      format_{format},
      console_{console},
      person_{person},
      stop_{std::move(stop)} {
    // nop
  }

  /// Returns how a command prints that does not wait for its end.
  output_format format() const noexcept {
    return format_;
  }

  /// Returns where a command says what is no result.
  diagnostics& console() noexcept {
    return console_;
  }

  /// Returns who is in front of the tool, if `terminal::is_there`.
  terminal& person() noexcept {
    return person_;
  }

  /// Returns what ends the waiting for that person: an interrupt.
  const std::stop_token& stop() const noexcept {
    return stop_;
  }

  /// Returns the actor of the command, which gets what it subscribed to.
  caf::scoped_actor& self() noexcept {
    return self_;
  }

  const request_options& options() const noexcept {
    return defaults_;
  }

  /// Sends `message` and waits for the answer.
  template <class Message>
  auto ask(Message message) {
    return caf_mcp::ask(self_, server_, std::move(message));
  }

  /// Sends `message`, to which there is no answer of interest.
  template <class Message>
  void tell(Message message) {
    caf_mcp::tell(self_, server_, std::move(message));
  }

private:
  caf::scoped_actor& self_;
  connection server_;
  request_options defaults_;
  output_format format_;
  diagnostics& console_;
  terminal& person_;
  std::stop_token stop_;
};

} // namespace caf_mcp::tool
