#pragma once

#include "caf_mcp/actors/client.hpp"
#include "caf_mcp/actors/interfaces.hpp"

#include <caf/expected.hpp>
#include <caf/timespan.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// @file
/// Servers on other nodes, by CAF's middleman. Link `caf_mcp::nodes`. Both
/// sides load `tls_credentials` into their `actor_system_config`, by which they
/// prove who they are; or `caf::io::middleman` alone, and talk to whoever
/// reaches the port, by `node_transport::tcp`.

namespace caf_mcp {

/// Makes the message types of this library, of CAF's middleman and of CAF known
/// to CAF. Call it once, before the first `actor_system`.
void init_global_meta_objects_of_nodes();

/// What other nodes may ask of a hub.
using gateway = caf::typed_actor<
  // Says which actor stands for a server.
  caf::result<mcp_server>(look_up),
  // Returns the status of all servers.
  caf::result<std::vector<server_status>>(get_servers),
  // Lists what all servers offer.
  caf::result<payload>(get_catalogue)>;

/// How nodes talk.
enum class node_transport : std::uint8_t {
  /// Unencrypted, with anybody who reaches the port: every user of this
  /// machine, where it is a loopback address.
  tcp,
  /// Encrypted, among those whose certificates the other side takes. The actor
  /// system needs `tls_credentials`.
  tls,
};

/// Where a node listens.
struct node_address {
  std::string host;
  std::uint16_t port = 0;
  node_transport transport = node_transport::tls;
};

/// Returns `HOST:PORT`, with an IPv6 address in brackets.
std::string to_string(const node_address& address);

/// Reads `HOST:PORT`, where an IPv6 address stands in brackets. Fails with
/// `config_invalid`, which names `key`.
caf::expected<node_address> parse_node_address(std::string_view key,
                                               std::string_view text);

/// Returns whether only this machine can reach a node that listens there.
bool is_loopback(const node_address& address) noexcept;

/// How much a node holds for one peer at a time, which is one certificate with
/// all its connections, or one process without TLS. What goes beyond is refused
/// with `too_many_requests`, and the server has not seen it.
struct peer_limits {
  /// Requests in flight and subscriptions. Actors that have looked a server up
  /// may be as many; and so may cancellations, and refusals that wait to be
  /// told.
  std::size_t requests_max = 4096;
  /// What the arguments of these requests take, in bytes.
  std::size_t bytes_max = std::size_t{256} << 20U;
};

/// Publishes the servers of `servers` to other nodes, and returns the port;
/// 0 in `where` lets the system choose one. Others can look servers up, call
/// them and see their status; they can neither configure, start, stop nor end
/// one, whatever they send. An actor that looks a server up is answered with
/// one that serves it alone, and ends what it has started when it goes; errors
/// tell it a name, a code and a sentence, but no path, option or output of this
/// node. Ends with the hub. Fails with `config_invalid` if the address cannot
/// be used. Blocks for a moment; not for actors.
caf::expected<std::uint16_t> publish_hub(caf::actor_system& system,
                                         const hub& servers,
                                         const node_address& where,
                                         const peer_limits& limits = {});

/// Connects to a node, and returns what it has published: to ask which servers
/// there are, and what they offer. Fails with `connection_closed`
/// (`data.reason` is `node_lost`), within `limit`. Blocks; not for actors.
caf::expected<gateway>
connect_gateway(caf::actor_system& system, const node_address& where,
                caf::timespan limit = std::chrono::seconds{10});

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

/// Asks some nodes the same, one question in the life of the actor. The answer
/// is an array with an object for each node, in their order: `{"node":
/// "HOST:PORT"}` with `servers`, an array of what `to_json` makes of each
/// status, or with `catalogue`; or with `error`.
using node_survey
  = caf::typed_actor<caf::result<payload>(get_servers),
                     caf::result<payload>(get_catalogue),
                     // Ends the question with the error `cancelled`.
                     caf::result<void>(cancel_request)>;

/// How long each step of a survey may take.
struct survey_limits {
  /// To reach a node, and to be told of its servers.
  caf::timespan answer = std::chrono::seconds{10};
  /// For servers that are being started to be ready, and for a catalogue of
  /// those that are.
  caf::timespan servers = std::chrono::seconds{60};
};

/// Spawns what asks all of `nodes` at once; one that does not answer delays no
/// other. It waits for servers that are being started, but starts none, and
/// runs until it is told to exit, which must be before the end of the actor
/// system. Any thread.
node_survey spawn_node_survey(caf::actor_system& system,
                              std::vector<node_address> nodes,
                              survey_limits limits = {});

} // namespace caf_mcp
