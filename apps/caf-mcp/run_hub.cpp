#include "run_hub.hpp"

#include "caf_mcp/actors/hub.hpp"

#include "log_actor.hpp"
#include "notify.hpp"
#include "run.hpp"
#include "tool_config.hpp"

#include <caf/actor_system.hpp>
#include <caf/exit_reason.hpp>
#include <caf/scoped_actor.hpp>
#include <caf/send.hpp>

#include <chrono>
#include <functional>
#include <utility>

namespace caf_mcp::tool {

namespace {

/// As for the handshake of one server.
constexpr std::chrono::seconds start_limit{60};

} // namespace

exit_status run_hub(invocation& what, output_format format,
                    interrupt_watch& watch) {
  auto console = std::make_shared<diagnostics>(what.level, what.logs);
  for (const auto& warning : what.warnings)
    console->warn(warning);
  const service_notifier manager;
  tool_config config;
  if (what.action->needs_network())
    config.load_network(what.credentials);
  caf::actor_system system{config};
  runtime host{system};
  hub_options how;
  const auto logs = spawn_log_actor(system, console);
  how.logs = logs;
  if (what.timeout)
    how.listing_timeout
      = std::chrono::duration_cast<std::chrono::milliseconds>(*what.timeout);
  if (what.sampling)
    how.answers.sampling = run_for_sampling(*what.sampling);
  auto servers = spawn_hub(host, std::move(*what.servers), std::move(how));
  caf::scoped_actor self{system};
  const caf::strong_actor_ptr waiter{self.ptr()->ctrl()};
  auto on_interrupt = [&manager, servers, waiter] {
    manager.stopping();
    notify(waiter, cancel_request{});
    // Ends a question to the hub.
    caf::anon_send_exit(servers, caf::exit_reason::user_shutdown);
  };
  std::function<void()> on_hangup;
  if (what.action->is_service())
    on_hangup = [waiter] { notify(waiter, caf::update_atom_v); };
  const interrupt_scope scope{watch, on_interrupt, std::move(on_hangup)};
  hub_session all{self, servers, what, format, *console, manager, watch};
  auto result = what.action->run_hub(all, what.timeout.value_or(start_limit));
  // A published hub is kept by CAF, and would keep the log actor.
  caf::anon_send_exit(logs, caf::exit_reason::user_shutdown);
  if (watch.was_interrupted() && what.action->is_service())
    return watch.status();
  if (watch.was_interrupted())
    return report(local_error(errc::cancelled, "interrupted"), format,
                  *console);
  return result ? print(*result, *what.action, format)
                : report(result.error(), format, *console);
}

} // namespace caf_mcp::tool
