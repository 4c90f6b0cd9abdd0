// Fixed amounts of work, whose instructions are counted.
#pragma once

#include "caf_mcp/actors/connection.hpp"
#include "caf_mcp/actors/loop/io_loop.hpp"

#include <caf/fwd.hpp>

#include <future>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace bench::instructions {

/// What a caller is to use, and whom it is to tell.
struct assignment {
  caf_mcp::connection server;
  /// Set when all is done; holds an exception if something else happened than
  /// the scenario is about.
  std::promise<void> done;
};

/// A fixed amount of work with one server, which is ready when it begins.
struct scenario {
  std::string_view name;
  /// The server's program, in the folder of this one.
  std::string_view server;
  std::vector<std::string> server_args;
  /// Spawns the caller that does it, pinned to `loop`.
  void (*start)(caf::actor_system& system,
                const std::shared_ptr<caf_mcp::io_loop>& loop, assignment what);
};

/// 10,000 requests one at a time, by turns with `ask` and with a pipeline.
scenario round_trips();

/// One result of 16 MiB.
scenario large_result();

/// 1,000 requests to a server that never answers; all of them expire.
scenario timeouts();

} // namespace bench::instructions
