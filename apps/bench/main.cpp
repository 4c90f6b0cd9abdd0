// caf-mcp-bench: what the library costs, measured in three ways. Each prints
// its results as one JSON document, which render.py turns into tables and
// charts.
#include "apps/bench/compare/compare.hpp"
#include "apps/bench/instructions/instructions.hpp"
#include "apps/bench/micro/micro.hpp"

#include <array>
#include <exception>
#include <iostream>
#include <string_view>

namespace {

constexpr int usage_error_status = 2;

/// A way to measure; takes its arguments as a `main` does, and returns what to
/// exit with.
struct command {
  std::string_view name;
  std::string_view about;
  int (*run)(int argc, char** argv);
};

constexpr std::array commands{
  command{"compare", "the library beside a plain loop and other clients",
          bench::compare},
  command{"micro", "the parts that each byte or each request passes",
          bench::run_micro},
  command{"instructions",
          "a fixed amount of work, for instructions.py to count",
          bench::run_scenario}};

int print_usage() {
  std::cerr << "usage: caf-mcp-bench COMMAND [ARGUMENT...]\ncommands:\n";
  for (const auto& each : commands)
    std::cerr << "  " << each.name << ": " << each.about << '\n';
  return usage_error_status;
}

} // namespace

int main(int argc, char** argv) {
  try {
    for (const auto& each : commands)
      if (argc > 1 && argv[1] == each.name)
        return each.run(argc - 1, argv + 1);
    return print_usage();
  } catch (const std::exception& broken) {
    std::cerr << "\ncaf-mcp-bench: " << broken.what() << '\n';
    return usage_error_status;
  }
}
