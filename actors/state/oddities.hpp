#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace caf_mcp {

/// What a server does that it should not, or that comes too late, and that
/// costs nothing but a remark (MCP, Base protocol: such messages are ignored).
enum class oddity : std::uint8_t {
  /// It bent the id of a request, e.g. wrote `"2"` for 2.
  bent_id,
  /// It answered what nobody waits for.
  stray_answer,
  /// It sent what cannot be read, and answers no request.
  unreadable,
  /// It sent a batch in a version that has none.
  batch,
  /// It asked for what has no handler.
  unsupported_request,
  /// It sent a request in the modern era.
  forbidden_request,
};

/// Counts oddities and says which of them are worth a remark: the first, the
/// second, the fourth and so on of each kind, so that no server can flood a
/// log.
class oddities {
public:
  /// Counts one more. Returns how many there are of its kind if it is to be
  /// told.
  std::optional<std::uint64_t> add(oddity kind) noexcept;

private:
  std::array<std::uint64_t, 6> counts_{};
};

} // namespace caf_mcp
