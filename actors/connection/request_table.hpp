#pragma once

#include "caf_mcp/actors/connection/followed_task.hpp"
#include "caf_mcp/actors/connection/input_rounds.hpp"
#include "caf_mcp/actors/connection/listing.hpp"
#include "caf_mcp/actors/connection/progress_window.hpp"
#include "caf_mcp/actors/connection/reply.hpp"
#include "caf_mcp/messages/json/payload.hpp"
#include "caf_mcp/messages/requests.hpp"

#include <caf/actor_addr.hpp>
#include <caf/actor_control_block.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace caf_mcp {

/// Who waits for an answer.
enum class request_purpose : std::uint8_t {
  /// A caller; has a reply.
  call,
  /// A caller who asked for all pages; has a reply and a listing.
  page,
  /// The handshake: the probe `server/discover`.
  discover,
  /// The handshake: `initialize`, which must not be cancelled.
  initialize,
  /// A subscription, see `pending_request::subscription`.
  listen,
  /// The connection: `resources/subscribe` of a URI that somebody listens to.
  subscribe,
  /// Nobody: `resources/unsubscribe`, `logging/setLevel`.
  unattended,
};

/// Returns whether the answer is for the connection, which is ready.
constexpr bool is_own(request_purpose purpose) noexcept {
  return purpose == request_purpose::listen
         || purpose == request_purpose::subscribe
         || purpose == request_purpose::unattended;
}

/// Where a request is on its way from acceptance to its one completion.
enum class request_stage : std::uint8_t {
  /// Waits for a server that is ready; no server knows of it.
  held,
  /// Was written, and waits for the answer.
  written,
  /// The server needs input first, which handlers give.
  needs_input,
  /// Waits for its next message: the same request once more, or a question
  /// about the task that the server made of it.
  pausing,
};

/// Returns whether the request is one of those that make a connection ready.
constexpr bool is_handshake(request_purpose purpose) noexcept {
  return purpose == request_purpose::discover
         || purpose == request_purpose::initialize;
}

struct request_owner;
struct pending_request;

/// The place of a request in a list of them.
struct request_links {
  pending_request* previous = nullptr;
  pending_request* next = nullptr;
};

/// Deadlines, and the first of the requests that have each.
using deadline_map
  = std::map<std::chrono::steady_clock::time_point, pending_request*>;

/// A request from the moment it is accepted to its one completion.
struct pending_request {
  std::int64_t id = 0;
  request_purpose purpose = request_purpose::call;
  std::string method;
  payload params;
  request_options options;
  caf_mcp::reply reply;
  std::unique_ptr<listing> pages;
  /// What the subscriptions know it by: of the purpose `listen` the id of the
  /// subscription, of `subscribe` the number of the request.
  std::uint64_t subscription = 0;
  request_stage stage = request_stage::held;
  /// Its place among the messages for the current port owner, from 1 on, if it
  /// was written.
  std::uint64_t written_as = 0;
  /// How often results had become stale when it was written, see
  /// `response_cache::changes`.
  std::uint64_t changes_before = 0;
  /// What its caller hears of it meanwhile.
  progress_window reports;
  /// Set once the server has asked for input.
  std::unique_ptr<input_rounds> inputs;
  /// Set once the server has made a task of it.
  std::unique_ptr<followed_task> task;
  /// The time-out that progress restarts.
  std::chrono::steady_clock::duration timeout{};
  /// The moment it fails.
  std::chrono::steady_clock::time_point deadline;
  /// The moment it is to go on, in the stage `pausing`.
  std::chrono::steady_clock::time_point pause_end;
  /// The moment that progress cannot move the deadline beyond.
  std::chrono::steady_clock::time_point last_deadline
    = std::chrono::steady_clock::time_point::max();
  /// The moment `max_total_timeout` ends, for a request that starts to renew
  /// its deadline later.
  std::chrono::steady_clock::time_point total_deadline
    = std::chrono::steady_clock::time_point::max();
  /// Where the caller is, if there is one.
  request_owner* owner = nullptr;
  request_links of_owner;
  deadline_map::iterator due;
  request_links of_deadline;

  /// Returns whether an answer to it may come.
  bool is_sent() const noexcept {
    return stage == request_stage::written;
  }

  /// Returns whether its message builds on what the server has answered: it
  /// carries a cursor, a state or the name of a task, which mean nothing to
  /// another process.
  bool is_continued() const noexcept {
    return inputs || task || (pages && pages->has_begun());
  }

  /// Returns whether the server may know of it: it was sent, if only in an
  /// earlier round or for an earlier page.
  bool was_sent() const noexcept {
    return stage != request_stage::held || is_continued();
  }

  /// Returns whether its pause ends before its time.
  bool goes_on_after_pause() const noexcept {
    return stage == request_stage::pausing && pause_end < deadline;
  }

  /// Returns when there is something to do about it, if nothing comes.
  std::chrono::steady_clock::time_point due_at() const noexcept {
    return goes_on_after_pause() ? pause_end : deadline;
  }
};

/// An actor that has, or had, requests on a connection.
struct request_owner {
  caf::actor_addr address;
  /// The first of its pending requests.
  pending_request* first = nullptr;
};

/// All requests of a connection that are not complete, by id, by deadline and
/// by owner. Requests have no timers: the owner of the table arms a single one
/// for `next_deadline`. Taking a request out leaves nothing behind. Deadlines
/// are rounded up to the millisecond, so that the requests of a burst share
/// one.
class request_table {
public:
  using clock = std::chrono::steady_clock;

  /// Adds a request under a fresh id, larger than all before (MCP, Requests).
  /// `owner` may be null.
  pending_request& add(pending_request&& request, request_owner* owner);

  /// Returns the newest id.
  std::int64_t last_id() const noexcept {
    return last_id_;
  }

  /// Returns the request with this id, or nullptr.
  pending_request* find(std::int64_t id);
  const pending_request* find(std::int64_t id) const;

  /// Takes a request out of the table; nothing if there is none.
  std::optional<pending_request> take(std::int64_t id);

  /// Takes this request, which is in the table, out of it.
  pending_request take(pending_request& request);

  /// Takes all requests out, oldest first.
  std::vector<pending_request> take_all();

  /// Moves the deadline of a request of this table that is not pausing.
  void set_deadline(pending_request& request, clock::time_point deadline);

  /// Returns the earliest deadline or end of a pause, up to a millisecond late,
  /// if there is any request.
  std::optional<clock::time_point> next_deadline() const;

  /// Returns the ids of the requests whose deadline has passed, or whose pause
  /// has ended, as `next_deadline` sees it, in the order of these times.
  std::vector<std::int64_t> overdue(clock::time_point now) const;

  /// Returns the ids of an owner's requests, newest first.
  static std::vector<std::int64_t> ids_of(const request_owner& owner);

  /// Returns all ids, oldest first.
  std::vector<std::int64_t> ids() const;

  /// Returns whether the predicate holds for any request.
  template <class Predicate>
  bool any_of(Predicate predicate) const {
    for (const auto& [_, request] : requests_)
      if (predicate(request))
        return true;
    return false;
  }

  std::size_t size() const noexcept {
    return requests_.size();
  }

  bool empty() const noexcept {
    return requests_.empty();
  }

private:
  using request_map = std::unordered_map<std::int64_t, pending_request>;

  pending_request& insert(pending_request&& request);
  void arm(pending_request& request);
  void disarm(pending_request& request);

  request_map requests_;
  deadline_map deadlines_;
  /// Memory that answered requests leave for those to come.
  std::vector<request_map::node_type> spare_;
  std::int64_t last_id_ = 0;
};

} // namespace caf_mcp
