// What the command line says.
#pragma once

#include "apps/bench/compare/clients/client.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace bench {

struct options {
  client_options client;
  /// Names of what is measured; empty: everything.
  std::vector<std::string> only;
  std::size_t rounds = 7;
  std::size_t sequential_requests = 10'000;
  std::size_t pipelined_requests = 100'000;
  std::size_t in_flight = 256;
  std::size_t memory_requests = 1'000'000;
  /// Where there are many.
  std::size_t servers_max = 1'000;
  std::size_t pending_max = 100'000;
  bool checks_targets = false;

  bool wants(const std::string& name) const;
};

/// Reads the command line. Without a value, `status` is what to exit with.
std::optional<options> read_options(int argc, char** argv, int& status);

} // namespace bench
