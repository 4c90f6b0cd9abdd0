#pragma once

#include "caf_mcp/messages/hub.hpp"
#include "caf_mcp/messages/json/payload.hpp"
#include "caf_mcp/messages/requests.hpp"

#include <array>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace caf_mcp {

/// The kinds of things that a catalogue lists.
inline constexpr std::array catalogue_kinds{
  list_kind::tools,
  list_kind::resources,
  list_kind::resource_templates,
  list_kind::prompts,
};

/// What many servers offer, under qualified names. Keeps the last list of a
/// server that is down.
class catalogue {
public:
  /// `server` lists these items, an array, of one kind.
  void put(const std::string& server, list_kind kind, payload items);

  /// `server` is no more, or has become another.
  void forget(std::string_view server);

  /// Renders all that `servers` offer, in their order; see `get_catalogue`. One
  /// that is not in `fresh` is marked stale.
  payload render(const std::vector<server_status>& servers,
                 const std::set<std::string>& fresh) const;

private:
  std::map<std::string, std::map<list_kind, payload>, std::less<>> lists_;
};

} // namespace caf_mcp
