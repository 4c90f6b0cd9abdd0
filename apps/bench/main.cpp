// caf-mcp-bench: what the library costs over a plain loop.
#include "caf_mcp/actors/runtime.hpp"

#include "options.hpp"
#include "report.hpp"
#include "suite.hpp"

#include <exception>
#include <iostream>

namespace {

int run(int argc, char** argv) {
  auto status = 0;
  const auto chosen = bench::read_options(argc, argv, status);
  if (!chosen)
    return status;
  caf_mcp::init_global_meta_objects();
  const auto found = bench::run_suite(*chosen);
  if (chosen->prints_json)
    bench::print_json(*chosen, found, std::cout);
  else
    bench::print_text(*chosen, found, std::cout);
  if (chosen->checks_targets && bench::print_missed(found, std::cerr))
    return 1;
  return 0;
}

} // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& broken) {
    std::cerr << "\ncaf-mcp-bench: " << broken.what() << '\n';
    return 2;
  }
}
