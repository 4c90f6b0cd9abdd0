// The floor where there are many servers: one thread and the pipes of all.
#pragma once

#include "client.hpp"
#include "floor_server.hpp"

#include <boost/json/monotonic_resource.hpp>
#include <boost/json/parser.hpp>

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace bench {

/// Servers that are ready, and a plain loop over their pipes. One buffer and
/// one arena serve them all.
class floor_fleet {
public:
  floor_fleet(const client_options& options, std::size_t count);

  /// Makes one request at a time, each to the server of that number. Returns
  /// how long each took.
  std::vector<clock::duration> tour(const std::vector<std::size_t>& order);

private:
  /// Reads until the line is complete, and parses it.
  boost::json::value read_answer(const floor_server& server);

  std::vector<std::unique_ptr<floor_server>> servers_;
  std::int64_t last_id_ = 0;
  std::string line_;
  std::array<char, 65'536> buffer_;
  std::array<unsigned char, 16'384> arena_;
  boost::json::monotonic_resource memory_{arena_.data(), arena_.size()};
  boost::json::parser parser_;
};

} // namespace bench
