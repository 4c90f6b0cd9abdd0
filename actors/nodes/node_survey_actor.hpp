#pragma once

#include "caf_mcp/actors/nodes.hpp"
#include "caf_mcp/actors/nodes/io_thread.hpp"
#include "caf_mcp/messages/hub.hpp"

#include <caf/actor_config.hpp>
#include <caf/result.hpp>
#include <caf/typed_event_based_actor.hpp>
#include <caf/typed_response_promise.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace caf_mcp {

/// The actor behind `spawn_node_survey`.
///
/// Goes to all nodes at once; one that does not answer delays no other. Waits
/// for servers that are being started, but starts none.
///
/// Links and monitors nobody; runs until it is told to exit.
class node_survey_actor final : public node_survey::base {
public:
  node_survey_actor(caf::actor_config& cfg, std::vector<node_address> nodes,
                    survey_limits limits);

  void on_exit() override;

protected:
  behavior_type make_behavior() override;

private:
  struct visit {
    node_address where;
    gateway node;
    bool has_waited = false;
    std::size_t servers_waited_for = 0;
    std::optional<payload> outcome;
  };

  caf::result<payload> begin(bool wants_catalogue);
  void find_node(std::size_t which);
  void ask_for_servers(std::size_t which);
  void on_servers(std::size_t which, const std::vector<server_status>& all);
  void wait_for(std::size_t which, const server_status& server);
  void on_waited(std::size_t which);
  void ask_for_catalogue(std::size_t which);
  void lose(std::size_t which, const std::string& why);
  void fail(std::size_t which, const caf::error& error);
  void finish(std::size_t which, payload outcome);
  void on_cancel();

  std::shared_ptr<io_thread> io_ = io_thread::shared();
  std::vector<visit> visits_;
  survey_limits limits_;
  bool wants_catalogue_ = false;
  bool is_cancelled_ = false;
  caf::typed_response_promise<payload> promise_;
};

} // namespace caf_mcp
