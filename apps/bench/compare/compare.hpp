#pragma once

namespace bench {

/// Compares the library with a plain loop and other clients; `--help` lists
/// the options. Prints the results as JSON. Returns what to exit with: 1 if
/// `--check` finds a target missed, 2 for a wrong command line.
int compare(int argc, char** argv);

} // namespace bench
