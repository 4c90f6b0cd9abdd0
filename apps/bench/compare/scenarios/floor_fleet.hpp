// The floor where there are many servers: one thread and the pipes of all.
#pragma once

#include "apps/bench/compare/clients/client.hpp"
#include "apps/bench/compare/clients/floor_server.hpp"

#include <boost/json/monotonic_resource.hpp>
#include <boost/json/parser.hpp>

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

/// Servers that are ready, and a plain loop over their pipes. One buffer and
/// one arena serve them all: answers are small enough to arrive in one piece.
class floor_fleet {
public:
  floor_fleet(const client_options& options, std::size_t count);

  /// Makes one request at a time, each to the server of that number. Returns
  /// how long each took.
  std::vector<clock::duration> tour(const std::vector<std::size_t>& order);

  /// Makes `each` with all servers at the same time; one epoll(7) waits for
  /// all. Returns what that took.
  clock::duration run(const load& each);

private:
  /// Appends a line to what is sent next.
  void append_request();
  void send(const floor_server& server);
  /// Reads what is there, until a line is complete. Returns how many there
  /// are; each is parsed.
  std::size_t take_answers(const floor_server& server);
  void take_answer(std::string_view line);

  std::vector<std::unique_ptr<floor_server>> servers_;
  std::int64_t last_id_ = 0;
  std::string lines_;
  std::array<char, 65'536> buffer_;
  std::array<unsigned char, 16'384> arena_;
  boost::json::monotonic_resource memory_{arena_.data(), arena_.size()};
  boost::json::parser parser_;
};

} // namespace bench
