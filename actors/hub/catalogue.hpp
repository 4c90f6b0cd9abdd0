#pragma once

#include "caf_mcp/messages/hub.hpp"
#include "caf_mcp/messages/json/payload.hpp"
#include "caf_mcp/messages/requests.hpp"

#include <caf/error.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace caf_mcp {

/// The kinds of things that a catalogue lists, in the order of their values.
inline constexpr std::array catalogue_kinds{
  list_kind::tools,
  list_kind::resources,
  list_kind::resource_templates,
  list_kind::prompts,
};

/// One thing of a catalogue.
struct catalogue_item {
  /// Qualified.
  std::string name;
  /// As its server lists it, but for the name.
  payload item;
};

/// What a server lists of one kind; null if it was never listed. Shared by all
/// who have been told of it.
using catalogue_list = std::shared_ptr<const std::vector<catalogue_item>>;

/// What is known of that which one server offers.
struct catalogue_offer {
  /// One for each of `catalogue_kinds`.
  std::array<catalogue_list, catalogue_kinds.size()> lists;
  /// Whether one of the lists may not be what the server lists now.
  bool is_stale = true;
  /// Why it is stale, if that is a failure.
  caf::error error;
};

/// What many servers offer, under qualified names. Keeps the last list of a
/// server that is down. Takes no list of a process that was replaced, nor one
/// that was asked for before the one it has.
class catalogue {
public:
  /// A listing that was begun.
  struct ticket {
    std::string server;
    list_kind kind = list_kind::tools;
    /// Which process, or configuration, of the server was asked.
    std::uint64_t generation = 0;
    /// Counts all listings.
    std::uint64_t number = 0;
  };

  /// `server` is about to be asked for its list of this kind.
  ticket begin(const std::string& server, list_kind kind);

  /// It lists these items, an array.
  void put(const ticket& begun, const payload& items);

  /// It could not be listed.
  void fail(const ticket& begun, const caf::error& error);

  /// The process of `server` has gone: its lists are stale, and what it was
  /// asked for does not count.
  void lose(std::string_view server);

  /// The lists of `server` may have changed unheard: they are stale until they
  /// come again.
  void doubt(std::string_view server);

  /// `server` is no more, or has become another.
  void forget(std::string_view server);

  /// Returns whether the process, and the configuration, that was asked is the
  /// one that is there now.
  bool is_current(const ticket& begun) const;

  /// Returns whether a list of each kind has come, or failed to, from the
  /// process that is there now.
  bool was_listed(std::string_view server) const;

  /// Returns what is known of that which a server with this status offers.
  catalogue_offer offer_of(const server_status& server) const;

  /// Renders all that `servers` offer, in their order; see `get_catalogue`.
  payload render(const std::vector<server_status>& servers) const;

private:
  struct list {
    catalogue_list items;
    /// Of the last list that has come or failed.
    std::uint64_t number = 0;
    /// Whether that was of the process that is there now.
    bool has_answered = false;
    /// Why it failed; none if it has come.
    caf::error error;
  };

  struct server_lists {
    std::uint64_t generation = 0;
    std::array<list, catalogue_kinds.size()> lists;
  };

  const server_lists* find(std::string_view server) const;
  /// Returns the list that the ticket is about, unless it is too late for it.
  list* find(const ticket& begun);

  std::map<std::string, server_lists, std::less<>> servers_;
  std::uint64_t last_generation_ = 0;
  std::uint64_t last_number_ = 0;
};

} // namespace caf_mcp
