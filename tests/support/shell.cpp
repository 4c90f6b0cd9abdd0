#include "tests/support/shell.hpp"

#include <catch2/catch_test_macros.hpp>

#include <array>
#include <cstdio>

namespace tests {

shell_result run_shell(const std::string& command) {
  shell_result result;
  auto* pipe = ::popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::array<char, 4096> buffer;
  while (auto size = std::fread(buffer.data(), 1, buffer.size(), pipe))
    result.out.append(buffer.data(), size);
  result.status = ::pclose(pipe);
  return result;
}

} // namespace tests
