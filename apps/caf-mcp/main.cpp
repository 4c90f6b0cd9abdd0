// The command-line tool caf-mcp: see docs/cli.md.
#include "caf_mcp/actors/runtime.hpp"

#include "command_line.hpp"
#include "interrupt_watch.hpp"
#include "run.hpp"
#include "run_tree.hpp"

#include <variant>

namespace {

using namespace caf_mcp::tool;

exit_status run_tool(int argc, char** argv) {
  const interrupt_signals signals;
  caf_mcp::init_global_meta_objects();
  const auto format = format_of(argc, argv);
  auto read = read_command_line(argc, argv);
  if (auto* answer = std::get_if<requested_text>(&read))
    return write_stdout(answer->text) ? exit_status::done
                                      : exit_status::no_connection;
  if (auto* error = std::get_if<caf::error>(&read)) {
    diagnostics console{verbosity::quiet};
    return report(*error, format, console);
  }
  auto& what = std::get<invocation>(read);
  return what.servers ? run_tree(what, format, signals)
                      : run(what, format, signals);
}

} // namespace

int main(int argc, char** argv) {
  return static_cast<int>(run_tool(argc, argv));
}
