#pragma once

#include "caf_mcp/messages/json/payload.hpp"
#include "caf_mcp/messages/requests.hpp"

#include <boost/json/array.hpp>
#include <caf/error.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <variant>

namespace caf_mcp {

/// Returns the method that lists one page, e.g. `tools/list`.
std::string_view list_method(list_kind kind) noexcept;

/// Returns the server capability that the kind needs, e.g. `tools`.
std::string_view list_capability(list_kind kind) noexcept;

/// Collects the pages of a listing. Cursors are opaque, and the empty string is
/// one; only an absent `nextCursor` ends the listing (MCP, Pagination). A
/// server that would keep a client for ever is refused.
class listing {
public:
  listing(list_kind kind, std::uint32_t pages_max)
    : kind_{kind}, pages_max_{pages_max} {
    // nop
  }

  list_kind kind() const noexcept {
    return kind_;
  }

  /// Returns whether a page was taken.
  bool has_begun() const noexcept {
    return pages_ > 0;
  }

  /// Ask for the page at this cursor.
  struct next_page {
    std::string cursor;
  };

  /// Everything is there: an array.
  struct complete {
    payload items;
  };

  using outcome = std::variant<next_page, complete, caf::error>;

  /// Takes the result of one page. Fails with `invalid_response`,
  /// `repeated_cursor` or `too_many_pages`.
  outcome add_page(const payload& result);

private:
  list_kind kind_;
  std::uint32_t pages_max_;
  std::uint32_t pages_ = 0;
  std::vector<payload> items_;
  std::unordered_set<std::string> cursors_;
};

/// Returns the `params` that ask for the page at `cursor`.
payload page_params(const std::string& cursor);

} // namespace caf_mcp
