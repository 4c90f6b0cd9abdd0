#include "caf_mcp/actors/nodes/peer_account.hpp"

#include "caf_mcp/messages/error_info.hpp"

#include <string>
#include <string_view>
#include <utility>

namespace caf_mcp {

namespace {

std::string_view noun(peer_use what) noexcept {
  switch (what) {
    case peer_use::request:
      return "requests";
    case peer_use::control:
      return "cancellations and refusals";
    case peer_use::facade:
      return "actors that have looked a server up";
  }
  return {};
}

caf::error too_many(std::string_view key, std::size_t limit,
                    std::string_view of_what) {
  boost::json::object data{
    {"key", key}, {"limit", limit}, {"outcome", "not_sent"}};
  return local_error(errc::too_many_requests,
                     std::string{key} + ": the node holds no more than "
                       + std::to_string(limit) + ' ' + std::string{of_what}
                       + " of one peer at a time",
                     payload{std::move(data)});
}

} // namespace

peer_share::peer_share(std::shared_ptr<peer_account> from, peer_use what,
                       std::size_t bytes) noexcept
  : from_{std::move(from)}, what_{what}, bytes_{bytes} {
  // nop
}

peer_share& peer_share::operator=(peer_share&& other) noexcept {
  std::swap(from_, other.from_);
  std::swap(what_, other.what_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

peer_share::~peer_share() {
  if (from_)
    from_->give_back(what_, bytes_);
}

caf::expected<peer_share> peer_account::take(peer_use what, std::size_t bytes) {
  const std::lock_guard guard{mutex_};
  auto& count = counts_[static_cast<std::size_t>(what)];
  if (count >= limits_.requests_max)
    return too_many("peer_requests", limits_.requests_max, noun(what));
  if (bytes > limits_.bytes_max - bytes_)
    return too_many("peer_bytes", limits_.bytes_max, "bytes of requests");
  ++count;
  bytes_ += bytes;
  return peer_share{shared_from_this(), what, bytes};
}

void peer_account::give_back(peer_use what, std::size_t bytes) noexcept {
  const std::lock_guard guard{mutex_};
  --counts_[static_cast<std::size_t>(what)];
  bytes_ -= bytes;
}

} // namespace caf_mcp
