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

constexpr auto footer
  = "Figures are medians over the rounds, with the least and the greatest. "
    "Exits with 0\nunless something is broken, or --check finds a target "
    "missed. The targets and how to\nread the figures: docs/performance.md.";

/// Workers that find no message wait for one, as those of the policy `sharing`
/// do. By default they poll in their sleep: see docs/performance.md.
const std::vector<std::string> waiting_workers
  = {"--caf.work-stealing.aggressive-poll-attempts=1",
     "--caf.work-stealing.moderate-poll-attempts=1",
     "--caf.work-stealing.moderate-sleep-duration=0ns"};

/// Figures of a run that only shows that everything works.
void make_quick(options& chosen) {
  chosen.rounds = std::min<std::size_t>(chosen.rounds, 3);
  chosen.sequential_requests /= 10;
  chosen.pipelined_requests /= 10;
  chosen.memory_requests /= 10;
}

std::string default_server() {
  return std::filesystem::read_symlink("/proc/self/exe")
    .replace_filename("demo-server")
    .string();
}

} // namespace

bool options::wants(const std::string& name) const {
  return only.empty()
         || std::find(only.begin(), only.end(), name) != only.end();
}

std::optional<options> read_options(int argc, char** argv, int& status) {
  options result;
  result.rounds = 7;
  result.sequential_requests = 10'000;
  result.pipelined_requests = 100'000;
  result.in_flight = 256;
  result.memory_requests = 1'000'000;
  result.client.server = default_server();
  auto is_quick = false;
  auto keeps_caf_defaults = false;
  std::vector<std::string> caf_arguments;
  CLI::App app{description};
  app.footer(footer);
  const CLI::Range positive{1, 1'000'000'000};
  app.add_flag("--quick", is_quick, "a tenth of the requests, 3 rounds");
  app.add_flag("--json", result.prints_json, "print one JSON document");
  app.add_flag("--check", result.checks_targets,
               "exit with 1 if a target is missed, and name it");
  app.add_option("--rounds", result.rounds, "rounds")
    ->check(positive)
    ->capture_default_str();
  app.add_option("--only", result.only, "measure only this; may be repeated")
    ->check(CLI::IsMember{names()});
  app
    .add_option("--sequential", result.sequential_requests,
                "requests a round, one at a time")
    ->check(positive)
    ->capture_default_str();
  app
    .add_option("--pipelined", result.pipelined_requests,
                "requests a round with many in flight")
    ->check(positive)
    ->capture_default_str();
  app.add_option("--in-flight", result.in_flight, "what many is")
    ->check(positive)
    ->capture_default_str();
  app
    .add_option("--memory-requests", result.memory_requests,
                "requests of the memory test")
    ->check(positive)
    ->capture_default_str();
  app.add_option("--server", result.client.server, "the server's program")
    ->check(CLI::ExistingFile)
    ->capture_default_str();
  app.add_option("--caf", caf_arguments,
                 "setting for CAF, e.g. scheduler.max-threads=1; may be "
                 "repeated");
  app.add_flag("--caf-defaults", keeps_caf_defaults,
               "leave CAF's scheduler as it comes");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    status = app.exit(error);
    return std::nullopt;
  }
  if (is_quick)
    make_quick(result);
  if (!keeps_caf_defaults)
    result.client.caf_arguments = waiting_workers;
  for (const auto& setting : caf_arguments)
    result.client.caf_arguments.push_back("--caf." + setting);
  return result;
}

} // namespace bench
