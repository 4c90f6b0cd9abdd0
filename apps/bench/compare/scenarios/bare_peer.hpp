// The floor for messages of any size.
#pragma once

#include "apps/bench/compare/clients/client.hpp"
#include "apps/bench/compare/clients/floor_server.hpp"

#include <string>
#include <string_view>

namespace bench {

/// A server that is ready, and bare reads and writes of lines.
class bare_peer {
public:
  explicit bare_peer(const client_options& options);

  /// Writes a line, which ends with a newline. Returns the line that answers
  /// it; valid until the next call, or until `give_back`.
  std::string_view call(std::string_view line);

  /// Gives the memory of the last answer back.
  void give_back();

private:
  std::string_view read_line();

  floor_server server_;
  std::string buffer_;
};

} // namespace bench
