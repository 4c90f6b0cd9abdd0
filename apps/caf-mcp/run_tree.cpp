#include "run_tree.hpp"

#include "caf_mcp/actors/hub/hub.hpp"

#include "log_actor.hpp"
#include "run.hpp"
#include "tool_config.hpp"

#include <caf/actor_system.hpp>
#include <caf/exit_reason.hpp>
#include <caf/scoped_actor.hpp>
#include <caf/send.hpp>

#include <chrono>
#include <utility>

namespace caf_mcp::tool {

namespace {

/// As for the handshake of one server.
constexpr std::chrono::seconds start_limit{60};

} // namespace

exit_status run_tree(invocation& what, output_format format,
                     const interrupt_signals& signals) {
  auto console = std::make_shared<diagnostics>(what.level);
  for (const auto& warning : what.warnings)
    console->warn(warning);
  tool_config config;
  if (what.action->needs_network())
    config.load_network(what.credentials);
  caf::actor_system system{config};
  runtime host{system};
  hub_options how;
  const auto logs = spawn_log_actor(system, console);
  how.logs = logs;
  auto servers = spawn_hub(host, std::move(*what.servers), std::move(how));
  caf::scoped_actor self{system};
  auto waiter = caf::actor_cast<connection>(self.ptr()->ctrl());
  interrupt_watch watch{
    signals, [&system, servers, waiter] {
      caf::scoped_actor sender{system};
      caf_version::tell(sender.ptr(), waiter, cancel_request{});
      // Ends a question to the hub.
      caf::anon_send_exit(servers, caf::exit_reason::user_shutdown);
    }};
  tree all{self, servers, format, *console};
  auto result = what.action->run_tree(all, what.timeout.value_or(start_limit));
  // A published hub is kept by CAF, and would keep the log actor.
  caf::anon_send_exit(logs, caf::exit_reason::user_shutdown);
  if (watch.was_interrupted())
    return report(local_error(errc::cancelled, "interrupted"), format,
                  *console);
  return result ? print(*result, *what.action, format)
                : report(result.error(), format, *console);
}

} // namespace caf_mcp::tool
