// The command-line tool caf-mcp: see docs/cli.md.
#include "caf_mcp/actors/nodes.hpp"
#include "caf_mcp/messages/json/compose.hpp"

#include "command_line.hpp"
#include "configuration_reader.hpp"
#include "interrupt_watch.hpp"
#include "run.hpp"
#include "run_hub.hpp"
#include "run_nodes.hpp"
#include "shortage.hpp"

#include <fcntl.h>
#include <optional>
#include <unistd.h>
#include <variant>

namespace {

using namespace caf_mcp::tool;

/// Opens those of the descriptors 0, 1 and 2 that are closed on /dev/null:
/// else the next thing that is opened gets the number, and is written to as
/// stdout. It gives the lowest number that is free.
void open_standard_descriptors() {
  auto fd = 0;
  while (fd >= 0 && fd <= STDERR_FILENO)
    fd = ::open("/dev/null", O_RDWR);
  if (fd > STDERR_FILENO)
    ::close(fd);
}

exit_status print_requested(const requested_text& answer,
                            output_format format) {
  auto text = std::string_view{answer.text};
  if (text.ends_with('\n'))
    text.remove_suffix(1);
  const auto document
    = caf_mcp::with_member({}, answer.name, caf_mcp::to_payload(text));
  const auto is_written = write_stdout(
    format == output_format::json ? document.to_json() + '\n' : answer.text);
  return is_written ? exit_status::done : exit_status::no_connection;
}

exit_status run_servers(invocation& what, output_format format,
                        interrupt_watch& watch) {
  watch.expect_servers();
  if (what.asks_nodes)
    return run_nodes(what, format, watch);
  return what.servers ? run_hub(what, format, watch) : run(what, format, watch);
}

exit_status run_tool(int argc, char** argv, const interrupt_signals& signals) {
  caf_mcp::init_global_meta_objects_of_nodes();
  const auto format = format_of(argc, argv);
  const auto logs = log_format_of(argc, argv);
  report_shortages(format, logs);
  std::optional<interrupt_watch> watch;
  auto read = read_command_line(argc, argv, [&](const command& action) {
    watch.emplace(signals,
                  action.is_service() ? run_kind::service : run_kind::command);
  });
  if (!watch)
    signals.release();
  if (auto* answer = std::get_if<requested_text>(&read))
    return print_requested(*answer, format);
  if (auto* error = std::get_if<caf::error>(&read)) {
    diagnostics console{verbosity::quiet, logs};
    return report(*error, format, console);
  }
  auto& what = std::get<invocation>(read);
  return what.action->scope() == command_scope::nothing
           ? run_alone(what, format)
           : run_servers(what, format, *watch);
}

} // namespace

int main(int argc, char** argv) {
  const interrupt_signals signals; // before anything that takes time
  open_standard_descriptors();
  auto status = run_tool(argc, argv, signals);
  // What could not be written was not done, whatever the command makes of it.
  if (status == exit_status::done && has_failed_to_write())
    status = exit_status::no_connection;
  // What still reads must not find what is static destroyed.
  if (configuration_reader::is_any_reading())
    ::_exit(static_cast<int>(status));
  return static_cast<int>(status);
}
