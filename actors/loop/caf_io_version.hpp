#pragma once

/// @file
/// What differs between CAF 0.18 and CAF 1.x in its I/O module.

#include <caf/actor.hpp>
#include <caf/config.hpp>
#include <caf/io/doorman.hpp>
#include <caf/io/scribe.hpp>
#include <caf/timespan.hpp>

#if CAF_MAJOR_VERSION >= 1
#  include <caf/anon_mail.hpp>
#else
#  include <caf/send.hpp>
#endif

#include <cstdint>
#include <set>
#include <string>
#include <utility>

namespace caf_mcp::caf_version {

/// Has `broker`, which speaks CAF's protocol, greet the node at the other end
/// of a connection; returns the handle for the response: the id of the node,
/// the actor it has published, and what that understands.
template <class Self>
auto greet_node(Self& self, const caf::actor& broker,
                caf::io::scribe_ptr connection, std::uint16_t port,
                caf::timespan timeout) {
#if CAF_MAJOR_VERSION >= 1
  return self.mail(caf::connect_atom_v, std::move(connection), port)
    .request(broker, timeout);
#else
  return self.request(broker, timeout, caf::connect_atom_v,
                      std::move(connection), port);
#endif
}

/// Has `broker` publish an actor to those who come by `door`.
inline void publish(const caf::actor& broker, caf::io::doorman_ptr door,
                    std::uint16_t port, caf::strong_actor_ptr whom,
                    std::set<std::string> signatures) {
#if CAF_MAJOR_VERSION >= 1
  caf::anon_mail(caf::publish_atom_v, std::move(door), port, std::move(whom),
                 std::move(signatures))
    .send(broker);
#else
  caf::anon_send(broker, caf::publish_atom_v, std::move(door), port,
                 std::move(whom), std::move(signatures));
#endif
}

} // namespace caf_mcp::caf_version
