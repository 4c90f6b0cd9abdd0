// The floor for what a server reports unasked.
#pragma once

#include "apps/bench/compare/clients/client.hpp"
#include "apps/bench/compare/clients/floor_server.hpp"

#include <boost/json/monotonic_resource.hpp>
#include <boost/json/parser.hpp>

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace bench {

/// A server that reports updates of one resource, and a plain loop that reads
/// and parses them.
class floor_listener {
public:
  floor_listener(const client_options& options, std::string uri);

  /// Has the server report `events_per_call` events, so many times. Returns
  /// what that took. Throws `std::runtime_error` if it does not.
  clock::duration run(std::size_t calls, std::size_t events_per_call);

private:
  void append_request(std::string_view method, std::string_view params);
  /// Writes what was appended, and reads until each request has its answer.
  void exchange(std::size_t answers);
  void read_lines();
  void take_line(std::string_view line);

  floor_server server_;
  std::string uri_;
  std::string lines_;
  std::int64_t last_id_ = 0;
  std::size_t answers_ = 0;
  std::size_t events_ = 0;
  std::array<char, 262'144> buffer_;
  std::size_t end_ = 0;
  std::array<unsigned char, 16'384> arena_;
  boost::json::monotonic_resource memory_{arena_.data(), arena_.size()};
  boost::json::parser parser_;
};

} // namespace bench
