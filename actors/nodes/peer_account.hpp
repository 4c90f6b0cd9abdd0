#pragma once

#include "caf_mcp/actors/nodes.hpp"

#include <caf/expected.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

namespace caf_mcp {

class peer_account;

/// What a node holds for a peer; each kind is counted by itself.
enum class peer_use : std::uint8_t {
  /// A request, a notification or a subscription, until it has ended.
  request,
  /// What must be possible when no more requests are: a cancellation, or the
  /// refusal of a request of a pipeline that was not told yet.
  control,
  /// An actor that stands for a server.
  facade,
};

/// A part of what a peer may have held for it, given back at its end.
class peer_share {
public:
  peer_share() = default;
  peer_share(std::shared_ptr<peer_account> from, peer_use what,
             std::size_t bytes) noexcept;
  peer_share(peer_share&& other) noexcept = default;
  peer_share& operator=(peer_share&& other) noexcept;
  ~peer_share();

private:
  std::shared_ptr<peer_account> from_;
  peer_use what_ = peer_use::request;
  std::size_t bytes_ = 0;
};

/// How much is held for one peer, by all connections and for all servers. Any
/// thread.
class peer_account : public std::enable_shared_from_this<peer_account> {
public:
  explicit peer_account(const peer_limits& limits) : limits_{limits} {
    // nop
  }

  /// Fails with `too_many_requests`, which names the limit and its value, and
  /// that the server has seen nothing.
  caf::expected<peer_share> take(peer_use what, std::size_t bytes = 0);

private:
  friend class peer_share;

  void give_back(peer_use what, std::size_t bytes) noexcept;

  peer_limits limits_;
  std::mutex mutex_;
  std::array<std::size_t, 3> counts_{};
  std::size_t bytes_ = 0;
};

} // namespace caf_mcp
