// The command lines of the programs that run for long: a few numbers.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <optional>
#include <string_view>
#include <system_error>
#include <vector>

namespace tests {

/// Reads at most `count_max` positive numbers. Prints `usage` and returns
/// nothing if the arguments are anything else.
inline std::optional<std::vector<std::uint32_t>>
read_numbers(int argc, char** argv, std::size_t count_max,
             std::string_view usage) {
  std::vector<std::uint32_t> result;
  for (auto i = 1; i < argc; ++i) {
    const std::string_view text{argv[i]};
    std::uint32_t number = 0;
    const auto [stop, failure]
      = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failure != std::errc{} || stop != text.data() + text.size()
        || number == 0 || result.size() == count_max) {
      std::cerr << "usage: " << usage << '\n';
      return std::nullopt;
    }
    result.push_back(number);
  }
  return result;
}

} // namespace tests
