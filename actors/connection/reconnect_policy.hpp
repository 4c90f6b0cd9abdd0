#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <random>

namespace caf_mcp {

/// Decides whether, and after which pause, a lost server is started again.
/// Attempts count while they fail or end soon; a server that stayed up for
/// `stable_after` proves that starting it again is worth it.
class reconnect_policy {
public:
  using clock = std::chrono::steady_clock;

  static constexpr std::chrono::seconds stable_after{10};
  static constexpr std::chrono::milliseconds backoff_min{250};
  static constexpr std::chrono::milliseconds backoff_max{30'000};

  /// `seed` makes the jitter repeatable; `first_pause` is doubled with each
  /// attempt.
  reconnect_policy(std::uint32_t attempts_max, std::uint32_t seed,
                   std::chrono::milliseconds first_pause = backoff_min)
    : attempts_max_{attempts_max}, first_pause_{first_pause}, random_{seed} {
    // nop
  }

  /// The server became ready.
  void on_ready(clock::time_point now) {
    ready_since_ = now;
  }

  /// The server was lost, or did not become ready. Returns the pause before the
  /// next start: the first pause, doubled with each attempt up to 30 s, of
  /// which up to a half is taken off at random, so that many clients do not
  /// start at once. Nothing once the attempts are used up.
  std::optional<std::chrono::milliseconds> on_lost(clock::time_point now);

private:
  std::uint32_t attempts_max_;
  std::chrono::milliseconds first_pause_;
  std::uint32_t attempts_ = 0;
  std::optional<clock::time_point> ready_since_;
  std::minstd_rand random_;
};

} // namespace caf_mcp
