#include "run_nodes.hpp"

#include "nodes_session.hpp"
#include "notify.hpp"
#include "run.hpp"
#include "tool_config.hpp"

#include <caf/actor_system.hpp>
#include <caf/exit_reason.hpp>
#include <caf/scoped_actor.hpp>
#include <caf/send.hpp>

#include <algorithm>
#include <chrono>

namespace caf_mcp::tool {

namespace {

survey_limits limits_of(const invocation& what) {
  const survey_limits usual;
  return {std::min(what.timeout.value_or(usual.answer), usual.answer),
          what.timeout.value_or(usual.servers)};
}

} // namespace

exit_status run_nodes(invocation& what, output_format format,
                      interrupt_watch& watch) {
  diagnostics console{what.level, what.logs};
  tool_config config;
  config.load_network(what.credentials);
  caf::actor_system system{config};
  const auto nodes = spawn_node_survey(system, what.nodes, limits_of(what));
  caf::scoped_actor self{system};
  const interrupt_scope scope{watch,
                              [nodes] { notify(nodes, cancel_request{}); }};
  nodes_session all{self, nodes, what.server_name, console};
  auto result = what.action->run_nodes(all);
  caf::anon_send_exit(nodes, caf::exit_reason::user_shutdown);
  return result ? print(*result, *what.action, format)
                : report(result.error(), format, console);
}

} // namespace caf_mcp::tool
