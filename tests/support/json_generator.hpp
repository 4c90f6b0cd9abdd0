#pragma once

#include <boost/json/value.hpp>

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>

namespace tests {

/// Makes up JSON values, the same ones for the same seed. Their strings hold
/// what breaks protocols: quotes, control characters, line separators, empty
/// names. Numbers with a fraction are such that every parser reads them
/// exactly.
class json_generator {
public:
  explicit json_generator(std::uint32_t seed) : random_{seed} {
    // nop
  }

  /// Returns any value of at most `depth` levels.
  boost::json::value value(std::size_t depth);

  boost::json::object object(std::size_t depth);

  boost::json::array array(std::size_t depth);

  std::int64_t integer();

  /// Returns valid UTF-8.
  std::string text();

  /// Returns a number below `end`.
  std::size_t below(std::size_t end) {
    return std::uniform_int_distribution<std::size_t>{0, end - 1}(random_);
  }

  /// Returns true once in `n` times.
  bool one_in(std::size_t n) {
    return below(n) == 0;
  }

private:
  boost::json::value scalar();

  std::mt19937 random_;
};

} // namespace tests
