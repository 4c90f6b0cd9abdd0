#include "tests/support/json_generator.hpp"

#include <array>
#include <limits>
#include <string_view>

namespace tests {

namespace {

using namespace std::string_view_literals;

constexpr std::array pieces{
  "a"sv,          "id"sv,         "jsonrpc"sv, "method"sv, "\""sv,
  "\\"sv,         "/"sv,          "\n"sv,      "\r\n"sv,   "\t"sv,
  "\0"sv,         "\x01\x1F"sv,   "\x7F"sv,    "{"sv,      "}"sv,
  "["sv,          "]"sv,          ","sv,       ":"sv,      " "sv,
  "\u0085"sv,     "\u00E9"sv,     "\u2028"sv,  "\u2029"sv, "\uFEFF"sv,
  "\uFFFD"sv,     "\U0001F600"sv, "\\u0041"sv, "NaN"sv,    "\"id\":5}"sv,
  "2"sv,          "e0"sv,         ".5"sv,      "'"sv,      "\v\f"sv,
  "\U0010FFFF"sv, "\x1B[33m"sv,   "_meta"sv,
};

constexpr std::array integers{
  std::int64_t{0},
  std::int64_t{1},
  std::int64_t{-1},
  std::int64_t{10},
  std::int64_t{-32603},
  std::int64_t{9007199254740993},
  std::numeric_limits<std::int64_t>::max(),
  std::numeric_limits<std::int64_t>::min(),
};

} // namespace

boost::json::value json_generator::value(std::size_t depth) {
  if (depth == 0 || one_in(2))
    return scalar();
  if (one_in(2))
    return array(depth);
  return object(depth);
}

boost::json::object json_generator::object(std::size_t depth) {
  boost::json::object result;
  for (auto members = below(5); members > 0; --members)
    result[text()] = value(depth - 1);
  return result;
}

boost::json::array json_generator::array(std::size_t depth) {
  boost::json::array result;
  for (auto items = below(5); items > 0; --items)
    result.push_back(value(depth - 1));
  return result;
}

std::int64_t json_generator::integer() {
  if (one_in(3))
    return static_cast<std::int64_t>(below(1000)) - 500;
  return integers.at(below(integers.size()));
}

std::string json_generator::text() {
  std::string result;
  for (auto left = below(5); left > 0; --left)
    result += pieces.at(below(pieces.size()));
  if (one_in(50))
    result.append(3000, 'x');
  return result;
}

boost::json::value json_generator::scalar() {
  switch (below(6)) {
    case 0:
      return nullptr;
    case 1:
      return one_in(2);
    case 2:
      return integer();
    case 3:
      return static_cast<double>(integer() % 1000) / 8.0;
    case 4:
      return std::numeric_limits<std::uint64_t>::max() - below(3);
    default:
      return boost::json::value(text());
  }
}

} // namespace tests
