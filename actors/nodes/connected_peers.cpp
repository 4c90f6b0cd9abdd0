#include "caf_mcp/actors/nodes/connected_peers.hpp"

#include <caf/binary_serializer.hpp>
#include <caf/byte_buffer.hpp>
#include <caf/node_id.hpp>

#include <cstring>
#include <utility>

namespace caf_mcp {

connected_peers& connected_peers::shared() {
  static connected_peers all;
  return all;
}

std::shared_ptr<void> connected_peers::add(const node& which,
                                           std::string identity) {
  const std::lock_guard guard{mutex_};
  const auto [found, is_new]
    = known_.try_emplace(which, known{std::move(identity), 0});
  ++found->second.connections;
  return {nullptr, [this, which](void*) { remove(which); }};
}

std::string connected_peers::identity_of(const node& which) {
  const std::lock_guard guard{mutex_};
  const auto found = known_.find(which);
  if (found != known_.end() && !found->second.identity.empty())
    return found->second.identity;
  return {reinterpret_cast<const char*>(which.data()), which.size()};
}

void connected_peers::remove(const node& which) {
  const std::lock_guard guard{mutex_};
  const auto found = known_.find(which);
  if (found != known_.end() && --found->second.connections == 0)
    known_.erase(found);
}

peer_frames::node_id bytes_of(caf::actor_system& system,
                              const caf::node_id& which) {
  caf::byte_buffer bytes;
  caf::binary_serializer sink{system, bytes};
  peer_frames::node_id result{};
  if (sink.apply(which) && bytes.size() == result.size())
    std::memcpy(result.data(), bytes.data(), result.size());
  return result;
}

} // namespace caf_mcp
