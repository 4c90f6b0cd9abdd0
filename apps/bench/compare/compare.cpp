#include "compare.hpp"

#include "caf_mcp/actors/nodes.hpp"

#include "options.hpp"
#include "results_json.hpp"
#include "suite.hpp"
#include "targets.hpp"

#include <iostream>

namespace bench {

namespace {

/// Prints the targets that were missed; returns whether there are any.
bool print_missed(const results& found) {
  auto is_any = false;
  for (const auto& each : judge(found)) {
    if (each.is_met)
      continue;
    is_any = true;
    std::cerr << "missed: " << each.name << ": " << each.value
              << ", the limit is " << each.limit << '\n';
  }
  return is_any;
}

} // namespace

int compare(int argc, char** argv) {
  auto status = 0;
  const auto chosen = read_options(argc, argv, status);
  if (!chosen)
    return status;
  caf_mcp::init_global_meta_objects_of_nodes();
  const auto found = run_suite(*chosen);
  print_json(*chosen, found, std::cout);
  return chosen->checks_targets && print_missed(found) ? 1 : 0;
}

} // namespace bench
