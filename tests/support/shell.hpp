#pragma once

#include <string>

namespace tests {

/// What a command wrote to its stdout, and its status as of `wait`.
struct shell_result {
  std::string out;
  int status = -1;
};

/// Runs a command of the shell to its end.
shell_result run_shell(const std::string& command);

} // namespace tests
