#pragma once

namespace bench {

/// Runs the scenario that `argv[1]` names, for instructions.py to count its
/// instructions; or prints what their number depends on (`--context`). Returns
/// what to exit with.
int run_scenario(int argc, char** argv);

} // namespace bench
