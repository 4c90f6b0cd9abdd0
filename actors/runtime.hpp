#pragma once

#include <caf/fwd.hpp>

#include <cstddef>
#include <memory>
#include <vector>

namespace caf_mcp {

class io_loop;

/// Hosts the connections of an application: a few threads that serve the pipes
/// of all servers, and run the actors that own them.
///
/// Create one beside the `actor_system`, and destroy it first: the destructor
/// stops it.
class runtime {
public:
  /// `loops` is the number of threads; one serves hundreds of servers. Throws
  /// `std::system_error` if there are no threads or descriptors for them.
  explicit runtime(caf::actor_system& system, std::size_t loops = 1);

  runtime(const runtime&) = delete;
  runtime& operator=(const runtime&) = delete;

  ~runtime();

  /// Closes all connections and waits until their servers are gone, at most the
  /// longest `stdin_grace` plus `term_grace` plus a second, however many loops
  /// and servers there are. A connection that is spawned meanwhile, or later,
  /// answers every request with `connection_closed` and starts no server.
  ///
  /// An application whose actors go on to spawn connections calls it before it
  /// ends them, then destroys the runtime. One thread at a time, and not from
  /// an actor.
  void stop();

  caf::actor_system& system() noexcept {
    return system_;
  }

  /// Returns the loop for the next connection, each in turn. Any thread.
  std::shared_ptr<io_loop> next_loop() noexcept;

private:
  struct turn_counter;

  caf::actor_system& system_;
  std::vector<std::shared_ptr<io_loop>> loops_;
  std::unique_ptr<turn_counter> turn_;
};

/// Makes the message types of this library, and CAF's own, known to CAF. Call
/// it once, before the first `actor_system`; `CAF_MAIN(caf::id_block::caf_mcp)`
/// does it too.
void init_global_meta_objects();

} // namespace caf_mcp
