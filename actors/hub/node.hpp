#pragma once

#include "caf_mcp/actors/client.hpp"
#include "caf_mcp/actors/interfaces.hpp"

#include <caf/expected.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// @file
/// Servers on other nodes, by CAF's middleman. Both sides load
/// `caf::io::middleman` in their `actor_system_config`. Whoever reaches the
/// port can use every server behind it, so that it is for this machine only,
/// unless both sides prove who they are: see `tls_credentials`.

namespace caf_mcp {

/// What other nodes may ask of a hub.
using gateway = caf::typed_actor<
  // Says which actor stands for a server.
  caf::result<mcp_server>(look_up),
  // Says how all servers fare.
  caf::result<std::vector<server_status>>(get_servers),
  // Lists what all servers offer.
  caf::result<payload>(get_catalogue)>;

/// How nodes talk.
enum class node_transport : std::uint8_t {
  /// In the clear, with whoever reaches the port.
  tcp,
  /// Encrypted, among those whose certificates the other side takes. The actor
  /// system needs `tls_credentials`.
  tls,
};

/// Where a node listens.
struct node_address {
  std::string host;
  std::uint16_t port = 0;
  node_transport transport = node_transport::tcp;
};

/// Returns `HOST:PORT`, with an IPv6 address in brackets.
std::string to_string(const node_address& address);

/// Reads `HOST:PORT`, where an IPv6 address stands in brackets. Fails with
/// `config_invalid`, which names `key`.
caf::expected<node_address> parse_node_address(std::string_view key,
                                               std::string_view text);

/// Returns whether only this machine can reach a node that listens there.
bool is_loopback(const node_address& address) noexcept;

/// Publishes the servers of `servers` to other nodes, and returns the port;
/// 0 in `where` lets the system choose one. Others can look servers up, call
/// them and see how they fare; they can neither configure, start, stop nor end
/// one. Ends with the hub. Fails with `config_invalid` if the address cannot be
/// used. Blocks for a moment; not for actors.
caf::expected<std::uint16_t> publish_hub(caf::actor_system& system,
                                         const hub& servers,
                                         const node_address& where);

/// Spawns a stand-in for the server `name` of the nodes, of which there is at
/// least one.
///
/// Calls go to the nodes in turn; one that cannot be reached, or has no such
/// server, is left out for a while. A call that has not been sent, or that the
/// server there has not seen, goes on to another node. A lost node fails what
/// runs there, with `connection_closed` (`data.reason` is `node_lost`), and
/// ends its subscriptions with that; the node in turn cancels on its servers
/// what a lost caller has asked for. The next call connects again.
///
/// It ends, and must end before the actor system, by `close_connection`, or
/// when its owner dies, the first actor that sends `open_connection`; the
/// server lives on. Any thread.
connection spawn_remote_server(caf::actor_system& system,
                               std::vector<node_address> nodes,
                               std::string name);

/// The same with one node.
connection spawn_remote_server(caf::actor_system& system, node_address node,
                               std::string name);

} // namespace caf_mcp
