#pragma once

/// @file
/// What differs between CAF 0.18 and CAF 1.x in its I/O module.

#include <caf/config.hpp>
#include <caf/io/middleman_actor.hpp>
#include <caf/timespan.hpp>

#include <cstdint>
#include <string>

namespace caf_mcp::caf_version {

/// Connects to another node from `self` by `middleman`, CAF's own or that of
/// its OpenSSL module; returns the handle for the response: the id of the node,
/// the actor it has published, and what that understands.
template <class Self>
auto connect_node(Self& self, const caf::io::middleman_actor& middleman,
                  const std::string& host, std::uint16_t port,
                  caf::timespan timeout) {
#if CAF_MAJOR_VERSION >= 1
  return self.mail(caf::connect_atom_v, host, port).request(middleman, timeout);
#else
  return self.request(middleman, timeout, caf::connect_atom_v, host, port);
#endif
}

} // namespace caf_mcp::caf_version
