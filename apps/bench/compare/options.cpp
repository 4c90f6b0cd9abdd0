#include "options.hpp"

#include "suite.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>

namespace bench {

namespace {

constexpr auto description
  = "Compares caf-mcp with the floor: a plain loop over two pipes. All clients "
    "make the\nsame requests to the same server, in rounds that take turns.";

constexpr int usage_error_status = 2;

constexpr auto footer
  = "Prints one JSON document, of which render.py makes tables. Exits with 0 "
    "unless\nsomething is broken, or --check finds a target missed. The "
    "targets and how to read\nthe figures: docs/performance.md.";

/// Workers of CAF's default policy poll for messages in their sleep, 50 us at a
/// time; those of this one are woken up. See docs/performance.md.
constexpr auto quick_wake_up = "--caf.scheduler.policy=sharing";

/// Figures of a run that only shows that everything works.
void make_quick(options& chosen) {
  chosen.rounds = std::min<std::size_t>(chosen.rounds, 3);
  chosen.sequential_requests /= 10;
  chosen.pipelined_requests /= 10;
  chosen.memory_requests /= 10;
  chosen.servers_max /= 10;
  chosen.pending_max /= 10;
}

std::string default_server() {
  return std::filesystem::read_symlink("/proc/self/exe")
    .replace_filename("demo-server")
    .string();
}

/// What the command line says, word by word.
struct command_line {
  options chosen;
  bool is_quick = false;
  bool keeps_caf_defaults = false;
  std::vector<std::string> caf_settings;
};

/// Declares how much is done.
void declare_amounts(CLI::App& app, command_line& given) {
  auto add = [&app](const std::string& name, std::size_t& value,
                    const std::string& help) {
    app.add_option(name, value, help)
      ->check(CLI::Range{1, 1'000'000'000})
      ->capture_default_str();
  };
  auto& chosen = given.chosen;
  app.add_flag("--quick", given.is_quick,
               "a tenth of the requests, at most 3 rounds");
  add("--rounds", chosen.rounds, "rounds");
  add("--sequential", chosen.sequential_requests,
      "requests a round, one at a time");
  add("--pipelined", chosen.pipelined_requests,
      "requests a round, many in flight");
  add("--in-flight", chosen.in_flight, "how many that is");
  add("--memory-requests", chosen.memory_requests,
      "requests of the memory test");
  add("--servers-max", chosen.servers_max, "servers where there are many");
  add("--pending-max", chosen.pending_max,
      "requests without an answer where there are many");
}

/// Declares what is done, and how it is told.
void declare_rest(CLI::App& app, command_line& given) {
  auto& chosen = given.chosen;
  chosen.client.server = default_server();
  app.add_option("--only", chosen.only, "measure only this; may be repeated")
    ->check(CLI::IsMember{names()});
  app.add_option("--server", chosen.client.server, "the server's program")
    ->check(CLI::ExistingFile)
    ->capture_default_str();
  app.add_option("--caf", given.caf_settings,
                 "a setting for CAF, e.g. scheduler.max-threads=1; may be "
                 "repeated");
  app.add_flag("--caf-defaults", given.keeps_caf_defaults,
               "leave CAF's scheduler as it comes");
  app.add_flag("--check", chosen.checks_targets,
               "exit with 1 if a target is missed, and name it");
}

} // namespace

bool options::wants(const std::string& name) const {
  return only.empty()
         || std::find(only.begin(), only.end(), name) != only.end();
}

std::optional<options> read_options(int argc, char** argv, int& status) {
  command_line given;
  CLI::App app{description, "caf-mcp-bench compare"};
  app.footer(footer);
  declare_amounts(app, given);
  declare_rest(app, given);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    status = app.exit(error) == 0 ? 0 : usage_error_status;
    return std::nullopt;
  }
  auto& chosen = given.chosen;
  if (given.is_quick)
    make_quick(chosen);
  if (!given.keeps_caf_defaults)
    chosen.client.caf_arguments.emplace_back(quick_wake_up);
  for (const auto& setting : given.caf_settings)
    chosen.client.caf_arguments.push_back("--caf." + setting);
  return std::move(chosen);
}

} // namespace bench
