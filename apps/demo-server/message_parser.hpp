// Text of one line to a JSON value, without an allocation for the usual line.
#pragma once

#include <boost/json/monotonic_resource.hpp>
#include <boost/json/parser.hpp>

#include <array>
#include <optional>
#include <string_view>

namespace demo {

namespace json = boost::json;

/// Parses one message at a time into an arena that the next one reuses.
class message_parser {
public:
  message_parser();

  /// Parses `line`.
  /// @returns the value, valid until the next call, or nullptr when `line` is
  ///          not one JSON value in UTF-8, or nested too deep.
  const json::value* parse(std::string_view line);

private:
  /// Enough for a message of some ten thousand bytes; longer ones allocate.
  std::array<unsigned char, 65'536> arena_;
  /// Made anew for each message: it asks for twice as much memory each time the
  /// arena is not enough, and `release` does not change that.
  std::optional<json::monotonic_resource> memory_;
  json::parser parser_;
  std::optional<json::value> message_;
};

} // namespace demo
