#pragma once

#include "caf_mcp/actors/connection/subscriptions/subscription.hpp"
#include "caf_mcp/actors/connection/subscriptions/uri_refs.hpp"
#include "caf_mcp/messages/json/payload.hpp"
#include "caf_mcp/messages/log_level.hpp"
#include "caf_mcp/messages/protocol_version.hpp"
#include "caf_mcp/messages/subscriptions.hpp"

#include <caf/actor_addr.hpp>
#include <caf/error.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace caf_mcp {

/// All subscriptions of a connection, in both eras. Decides only: its owner
/// writes what it says, tells the owners of subscriptions what it says, and
/// reports what the server answers.
///
/// A subscription has a request among those of the connection from `listen` on,
/// so that it is written in the order in which callers have spoken. When its
/// turn comes (`on_turn`), a modern server is sent `subscriptions/listen`,
/// which stays open as long as the subscription; in the legacy era the request
/// is dropped, and the server asked for each URI and for its log.
class subscriptions {
public:
  // -- what the owner is to do -----------------------------------------------

  /// Accept a request for this subscription, call `attach` with its id, and
  /// `on_turn` when it may be written: at once if the server is ready.
  struct hold_listen {
    std::uint64_t subscription = 0;
    /// Whether it must be answered within the request timeout. If not, it waits
    /// for the next process as long as the connection.
    bool has_deadline = true;
  };

  /// Write the request that was held, `subscriptions/listen`. It has the
  /// request timeout from now on.
  struct write_listen {
    std::int64_t request = 0;
    payload params;
  };

  /// The request stays open: it has no deadline any more.
  struct lift_deadline {
    std::int64_t request = 0;
  };

  /// Forget the request; the server needs no word of it.
  struct drop_listen {
    std::int64_t request = 0;
  };

  /// Forget the request, and cancel it if the server has seen it.
  struct cancel_listen {
    std::int64_t request = 0;
  };

  /// Send a request of the connection's own. Report what comes of it with
  /// `on_uri_answer`, unless `number` is 0: then nobody wants to know.
  struct send_own_request {
    std::uint64_t number = 0;
    std::string method;
    payload params;
  };

  /// Have requests ask for log messages of this level (MCP 2026-07-28, Basic,
  /// `_meta`), or for none.
  struct use_log_level {
    std::optional<log_level> level;
  };

  /// What the owner of a subscription hears.
  using news
    = std::variant<subscription_accepted, subscription_resumed,
                   subscription_event, events_dropped, subscription_closed>;

  /// Tell the owner of a subscription.
  struct tell_owner {
    caf::actor_addr owner;
    news message;
  };

  using action
    = std::variant<hold_listen, write_listen, lift_deadline, drop_listen,
                   cancel_listen, send_own_request, use_log_level, tell_owner>;

  /// To be carried out in their order.
  using actions = std::vector<action>;

  // -- what callers say ------------------------------------------------------

  /// Says what is wrong with a `listen`, if anything is: `config_invalid`.
  static caf::error check(const listen& message);

  /// Adds a subscription of `owner`. Returns its id, which `owner` is to be
  /// told before anything else, and what to do then. No two ids of this process
  /// are the same, whatever connection they are of.
  std::pair<std::uint64_t, actions> add(caf::actor_addr owner,
                                        const listen_filter& filter,
                                        const listen_options& options);

  /// That many more events of a subscription may be sent.
  actions grant(std::uint64_t id, std::uint64_t count);

  /// Ends a subscription. One that is not there is no error.
  actions cancel(std::uint64_t id);

  /// Ends all subscriptions of an actor that has died.
  actions cancel_all_of(const caf::actor_addr& owner);

  // -- what becomes of requests ----------------------------------------------

  /// The request that was to be held has this id.
  void attach(std::uint64_t id, std::int64_t request);

  /// The request that was held may be written. Only while the server is ready.
  actions on_turn(std::uint64_t id);

  /// The server has answered `subscriptions/listen`, which is its end.
  actions on_listen_result(std::uint64_t id);

  /// `subscriptions/listen` was refused, or has had no answer.
  actions on_listen_failure(std::uint64_t id, const caf::error& error);

  /// The server has answered the request with this number for `uri`; `error` is
  /// not set if it has agreed.
  actions on_uri_answer(std::uint64_t number, const std::string& uri,
                        const caf::error& error);

  // -- what the server does --------------------------------------------------

  /// The server is ready.
  actions on_ready(era spoken, payload capabilities);

  /// The server was lost, and will be started again.
  actions on_lost(const caf::error& error);

  /// The server was lost for good, or is to be closed.
  actions on_end(const caf::error& error);

  /// The server reports this.
  actions on_event(server_event event);

  /// The server says something about subscriptions: it acknowledges one, or
  /// withdraws it (MCP 2026-07-28, Subscriptions). Ignores all else.
  actions on_notification(std::string_view method, const payload& params);

private:
  /// What is known of a server that is ready.
  struct server {
    era spoken = era::legacy;
    payload capabilities;
  };

  bool is_modern() const noexcept {
    return server_ && server_->spoken == era::modern;
  }

  subscription* find(std::uint64_t id);
  /// Returns the subscription whose written request the server calls `value`.
  subscription* find_by_request(const payload& value);
  void hold(const subscription& which, actions& to_do);
  void subscribe_uris(subscription& which, const listen_filter& wanted,
                      actions& to_do);
  void accept_if_answered(subscription& which, actions& to_do);
  void accept(subscription& which, listen_filter granted, actions& to_do);
  void acknowledge(subscription& which, const payload& params, actions& to_do);
  void refresh_log_level(actions& to_do);
  void push(subscription& which, server_event event, actions& to_do);
  void close(std::uint64_t id, subscription_end how, const caf::error& error,
             actions& to_do);
  std::int64_t release_request(subscription& which);

  std::map<std::uint64_t, subscription> subscriptions_;
  /// Subscriptions by their requests, of those that were written.
  std::unordered_map<std::int64_t, std::uint64_t> written_;
  uri_refs uris_;
  /// The number of the last request for a URI.
  std::uint64_t last_number_ = 0;
  /// The log level that the current process was asked for.
  std::optional<log_level> asked_log_level_;
  std::optional<server> server_;
};

} // namespace caf_mcp
