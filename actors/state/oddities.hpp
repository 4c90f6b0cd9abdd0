#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace caf_mcp {

/// What a server sends against the protocol, or for nobody, and what costs no
/// more than itself.
enum class oddity : std::uint8_t {
  /// A request of a modern server, which must not send any.
  forbidden_request,
  /// A request that no handler of this side is for.
  unhandled_request,
  /// An error that names no request.
  unnamed_error,
  /// An answer to a request that is not waiting, or never was.
  stray_answer,
  /// The id of a request in another form, see `id_match::lenient`.
  bent_id,
  /// A notification that no version of the protocol has.
  unknown_notification,
  /// Progress of no request, or without what it needs.
  stray_progress,
  /// Text that cannot be decoded, and answers nothing.
  unusable_message,
  /// A batch where the protocol has none.
  batch,
};

/// Counts what is odd about a server, and says when that is worth a word: at
/// the first, the second, the fourth and so on, so that a server cannot flood
/// whoever hears of it. A bent id is told of once.
class oddities {
public:
  /// Counts one more. Returns how many there are so far, if that is to be told.
  std::optional<std::uint64_t> add(oddity which);

private:
  static constexpr std::size_t kinds
    = static_cast<std::size_t>(oddity::batch) + 1;

  std::array<std::uint64_t, kinds> counts_{};
};

} // namespace caf_mcp
