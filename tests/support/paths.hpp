#pragma once

#include <string>
#include <string_view>

namespace tests {

/// Returns the path of a program that this build made, e.g. `demo-server`.
std::string binary(std::string_view name);

/// Returns the path of a file below `tests/`.
std::string test_file(std::string_view name);

/// Returns the path of a program of the npm packages of the tests.
std::string npm_binary(std::string_view name);

/// Returns the directory of the `node` that runs them; may be empty.
std::string node_directory();

} // namespace tests
