#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace caf_mcp {

/// What a server does wrong without harm to the connection: the message is
/// ignored or corrected, and counted.
enum class protocol_violation : std::uint8_t {
  /// A request of a modern server, which must not send any.
  forbidden_request,
  /// A request that no handler of this side is for.
  unhandled_request,
  /// An error that names no request.
  unnamed_error,
  /// An answer to a request that is not waiting, or never was.
  stray_answer,
  /// The id of a request in another form, see `id_match::lenient`.
  coerced_id,
  /// A notification that no version of the protocol has.
  unknown_notification,
  /// A notification without something it needs.
  incomplete_notification,
  /// Progress of no request, or without what it needs.
  stray_progress,
  /// Text that cannot be decoded, and answers nothing.
  unusable_message,
  /// A batch where the protocol has none.
  batch,
};

/// Counts the violations of a server by their kind, and says which are to be
/// reported: the first, the second, the fourth, the eighth and so on, so that a
/// server cannot flood the log. Of coerced ids only the first is reported.
class protocol_violations {
public:
  /// Counts one more. Returns how many there are so far if this one is to be
  /// reported.
  std::optional<std::uint64_t> add(protocol_violation which);

private:
  static constexpr std::size_t kinds
    = static_cast<std::size_t>(protocol_violation::batch) + 1;

  std::array<std::uint64_t, kinds> counts_{};
};

} // namespace caf_mcp
