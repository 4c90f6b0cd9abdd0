#pragma once

namespace bench {

/// Runs the micro-benchmarks; takes the options of Google Benchmark. Returns
/// what to exit with, 2 also where the program was built without it.
int run_micro(int argc, char** argv);

} // namespace bench
