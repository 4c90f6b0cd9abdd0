#pragma once

#include "caf_mcp/actors/hub.hpp"

#include "command.hpp"
#include "configuration_reader.hpp"
#include "diagnostics.hpp"
#include "service_notifier.hpp"

#include <caf/scoped_actor.hpp>
#include <caf/timespan.hpp>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace caf_mcp::tool {

class interrupt_watch;
struct invocation;

/// What a command over many servers talks to: the hub of this run of the tool.
/// A `cancel_request` to its actor interrupts what waits; an `update_atom` of
/// CAF asks for the configuration to be read anew, and an `ok_atom` says that
/// it was.
class hub_session {
public:
  hub_session(caf::scoped_actor& self, hub servers, const invocation& what,
              output_format format, diagnostics& console,
              const service_notifier& manager, const interrupt_watch& watch);

  /// Begins to read the configuration anew. `next_change` returns nothing when
  /// that is done.
  void start_reading() {
    reader_.start();
  }

  /// Returns, once, the configuration that was read anew.
  std::optional<configuration> take_configuration() {
    return reader_.take();
  }

  /// Gives the hub these servers. If they are wrong, what was in force stays
  /// so.
  caf::expected<reload_report> reload(configuration read);

  const service_notifier& manager() const noexcept {
    return manager_;
  }

  /// Sends `message` to the hub and waits for the answer.
  template <class Message>
  auto ask(Message message) {
    return caf_mcp::ask(self_, servers_, std::move(message));
  }

  /// Waits for the next change of a server; returns nothing once interrupted,
  /// or after `limit`.
  std::optional<server_status> next_change(caf::timespan limit = caf::infinite);

  /// The same without a limit, for what prints each change; returns nothing
  /// either when nobody reads stdout any more, or it cannot be written to.
  std::optional<server_status> next_change_to_print();

  /// Waits until each server is ready or down, but no longer than `limit`.
  void wait_until_settled(caf::timespan limit);

  /// The same, but not for the next start of a server that was lost.
  void wait_until_tried(caf::timespan limit);

  const hub& servers() const noexcept {
    return servers_;
  }

  caf::actor_system& system() {
    return self_->home_system();
  }

  output_format format() const noexcept {
    return format_;
  }

  void note(std::string_view text) {
    console_.note(text);
  }

  /// `server` is whom it is about, if it is about one.
  void warn(std::string_view text, std::string_view server = {}) {
    console_.warn(text, server);
  }

  /// Returns, once, whether the configuration is to be read anew. `next_change`
  /// then returned nothing.
  bool take_reload() noexcept {
    return std::exchange(is_reload_due_, false);
  }

  /// Returns whether the process was asked to end: what fails from then on
  /// fails for that.
  bool is_asked_to_end() const noexcept;

private:
  template <class Predicate>
  void wait_until(caf::timespan limit, Predicate is_enough);
  bool is_settled(const std::string& name) const;
  void note(const server_status& status);

  caf::scoped_actor& self_;
  hub servers_;
  output_format format_;
  diagnostics& console_;
  const service_notifier& manager_;
  const interrupt_watch& watch_;
  configuration_reader reader_;
  std::map<std::string, server_state> states_;
  /// Those that were lost once.
  std::set<std::string> lost_;
  bool is_interrupted_ = false;
  bool is_reload_due_ = false;
  bool is_read_ = false;
};

} // namespace caf_mcp::tool
