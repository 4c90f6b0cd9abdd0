#include "run.hpp"

#include "caf_mcp/actors/client.hpp"
#include "caf_mcp/actors/nodes.hpp"
#include "caf_mcp/messages/error_payload.hpp"
#include "caf_mcp/messages/json/compose.hpp"

#include "client.hpp"
#include "elicitation.hpp"
#include "log_actor.hpp"
#include "notify.hpp"
#include "session_actor.hpp"
#include "tool_config.hpp"

#include <caf/actor_system.hpp>
#include <caf/exit_reason.hpp>
#include <caf/scoped_actor.hpp>
#include <caf/send.hpp>

#include <atomic>
#include <cerrno>
#include <iostream>
#include <poll.h>
#include <stop_token>
#include <string>
#include <system_error>
#include <unistd.h>

namespace caf_mcp::tool {

namespace {

std::atomic<bool> is_write_failed = false;

void note_session(client& server, diagnostics& console) {
  auto info = server.ask(get_session{});
  if (!info || !info->era)
    return;
  console.note(
    "connected to " + std::string{info->server_info.string_member("name")} + ' '
    + std::string{info->server_info.string_member("version")} + ", protocol "
    + info->protocol_version + " (" + std::string{to_string(*info->era)}
    + "), pid " + std::to_string(info->pid));
}

/// Opens the connection and carries the command out.
caf::expected<payload> converse(client& server, command& action,
                                diagnostics& console) {
  if (auto opened = server.ask(open_connection{}); !opened)
    return std::move(opened.error());
  note_session(server, console);
  return action.run(server);
}

request_options request_defaults(const invocation& what,
                                 const diagnostics& console) {
  request_options result;
  result.timeout = what.timeout;
  result.wants_progress = console.shows_progress();
  return result;
}

/// What the server may ask of the person, or of a program, at this end.
handlers make_handlers(const invocation& what,
                       const std::shared_ptr<terminal>& person) {
  handlers result;
  result.elicit_form = form_dialog(person);
  result.elicit_url = url_dialog(person);
  if (what.sampling)
    result.sampling = run_for_sampling(*what.sampling);
  return result;
}

caf::expected<connection>
make_connection(runtime& host, invocation& what,
                const std::shared_ptr<diagnostics>& console,
                const std::shared_ptr<terminal>& person) {
  if (!what.nodes.empty())
    return spawn_remote_server(host.system(), what.nodes, what.server_name);
  return spawn_connection(host, std::move(what.server),
                          spawn_log_actor(host.system(), console),
                          make_handlers(what, person));
}

/// Says who has not done what, where the server is not ready in time.
std::string lateness_of(const std::vector<node_address>& nodes) {
  if (nodes.empty())
    return "the server was not ready";
  std::string names;
  for (const auto& each : nodes)
    names += (names.empty() ? "" : ", ") + to_string(each);
  return nodes.size() == 1 ? "the node at " + names + " did not answer"
                           : "none of the nodes at " + names + " answered";
}

} // namespace

exit_status run_alone(invocation& what, output_format format) {
  diagnostics console{what.level, what.logs};
  const auto result = what.action->run_alone();
  return result ? print(*result, *what.action, format)
                : report(result.error(), format, console);
}

exit_status run(invocation& what, output_format format,
                interrupt_watch& watch) {
  auto console = std::make_shared<diagnostics>(what.level, what.logs);
  for (const auto& warning : what.warnings)
    console->warn(warning);
  tool_config config;
  if (!what.nodes.empty())
    config.load_network(what.credentials);
  caf::actor_system system{config};
  runtime host{system};
  const auto person = std::make_shared<terminal>(console);
  auto spawned = make_connection(host, what, console, person);
  if (!spawned)
    return report(spawned.error(), format, *console);
  connection session = system.spawn<session_actor>(
    std::move(*spawned), console, what.timeout, lateness_of(what.nodes));
  caf::scoped_actor self{system};
  auto status = exit_status::done;
  {
    std::stop_source dialogs;
    const interrupt_scope scope{watch, [session, dialogs]() mutable {
                                  dialogs.request_stop();
                                  notify(session, cancel_request{});
                                }};
    client server{self,
                  session,
                  request_defaults(what, *console),
                  format,
                  *console,
                  *person,
                  dialogs.get_token()};
    auto result = converse(server, *what.action, *console);
    console->end_progress();
    if (result)
      status = print(*result, *what.action, format);
    else
      status = report(result.error(), format, *console);
    server.ask(close_connection{}); // answers when the server is gone
    if (watch.was_interrupted())
      status = watch.status();
  }
  caf::anon_send_exit(session, caf::exit_reason::user_shutdown);
  return status;
}

exit_status print(const payload& result, const command& action,
                  output_format format) {
  if (action.prints_itself())
    return action.status(result);
  auto who = ::isatty(STDOUT_FILENO) == 1 ? reader::person : reader::program;
  text_output out{who};
  if (format == output_format::json)
    out.line(result.to_json());
  else
    action.print(result, out);
  return write_stdout(out.take()) ? action.status(result)
                                  : exit_status::no_connection;
}

exit_status report(const caf::error& error, output_format format,
                   diagnostics& console) {
  auto info = describe(error);
  console.fail(info);
  if (format == output_format::json)
    write_stdout(with_member({}, "error", to_payload(info)).to_json() + '\n');
  return exit_status_of(info.name);
}

bool write_stdout(std::string_view text) {
  while (!text.empty()) {
    auto written = ::write(STDOUT_FILENO, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN) {
      // Whoever shares the terminal made it non-blocking.
      pollfd stdout_poll{STDOUT_FILENO, POLLOUT, 0};
      ::poll(&stdout_poll, 1, -1);
    } else if (errno == EPIPE) {
      return true;
    } else if (errno != EINTR) {
      std::cerr << "caf-mcp: cannot write to stdout: "
                << std::generic_category().message(errno) << '\n';
      is_write_failed = true;
      return false;
    }
  }
  return true;
}

bool has_failed_to_write() noexcept {
  return is_write_failed;
}

bool reader_is_gone() {
  pollfd out{STDOUT_FILENO, 0, 0};
  return ::poll(&out, 1, 0) == 1 && (out.revents & (POLLERR | POLLHUP)) != 0;
}

} // namespace caf_mcp::tool
