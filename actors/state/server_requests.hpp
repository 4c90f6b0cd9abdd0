#pragma once

#include "caf_mcp/actors/state/running_handler.hpp"
#include "caf_mcp/messages/payload.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>

namespace caf_mcp {

/// The requests of the server that handlers of this side are at. A server may
/// use an id again once it has cancelled, or was lost; so an answer belongs to
/// the number a request got here, not to its id.
class server_requests {
public:
  /// At most `limit` at once.
  explicit server_requests(std::size_t limit) : limit_{limit} {
    // nop
  }

  bool is_full() const noexcept {
    return requests_.size() >= limit_;
  }

  std::size_t size() const noexcept {
    return requests_.size();
  }

  /// Returns whether a request with this id, as JSON text, is not answered yet.
  bool contains(const std::string& id_json) const;

  /// Adds a request, which must not be there. Returns its number.
  std::uint64_t add(std::string id_json);

  /// Says who answers a request that was just added.
  void attach(std::uint64_t number, running_handler handler);

  /// Takes a request out that is being answered. Returns its id as JSON text;
  /// nothing if nobody waits for the answer any more.
  std::optional<std::string> finish(std::uint64_t number);

  /// The server does not want the answer any more; ends the handler. An id that
  /// is not there is no error: races are normal (MCP, Cancellation).
  void cancel(const payload& id);

  /// The server is gone; ends all handlers.
  void clear();

private:
  struct entry {
    std::string id_json;
    running_handler handler;
  };

  std::size_t limit_;
  std::uint64_t last_number_ = 0;
  std::map<std::uint64_t, entry> requests_;
  /// The numbers by id, each id in one spelling.
  std::unordered_map<std::string, std::uint64_t> numbers_;
};

} // namespace caf_mcp
