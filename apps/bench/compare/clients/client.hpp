// What is compared: ways to make the same requests to the same server.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

using clock = std::chrono::steady_clock;

/// Requests to make, and how many of them wait for an answer at a time.
struct load {
  std::size_t requests = 0;
  std::size_t in_flight = 1;
};

/// What a load took.
struct outcome {
  /// From the first request to the last answer.
  clock::duration wall{};
  /// From each request to its answer, in order; only if one was in flight.
  std::vector<clock::duration> latencies;
};

/// What a process has used so far.
struct usage {
  clock::duration cpu{};
  /// How often a thread of it waited.
  long waits = 0;
};

/// Returns what this process has used.
usage usage_now();

/// One server process and a way to call it. The constructor of an
/// implementation does the handshake, the destructor ends the server. Throws
/// `std::runtime_error` when the server does not do what it should.
class client {
public:
  client() = default;
  client(const client&) = delete;
  client& operator=(const client&) = delete;
  virtual ~client() = default;

  virtual outcome run(const load& work) = 0;

  /// Returns what the process of the client has used up to the end of its last
  /// load.
  virtual usage used() const {
    return usage_now();
  }
};

/// What clients need to know.
struct client_options {
  /// Path of the server; speaks the legacy era with all clients, so that all
  /// exchange the same bytes.
  std::string server;
  /// Settings of CAF's scheduler, as on the command line of a CAF program.
  std::vector<std::string> caf_arguments;
};

/// The floor: a loop in one thread over the two pipes.
std::unique_ptr<client> make_floor_client(const client_options& options);

/// The library, called by an event-based actor on CAF's scheduler.
std::unique_ptr<client> make_event_client(const client_options& options);

/// The same where CAF's workers poll for messages instead of being woken up;
/// one core is left to the loop.
std::unique_ptr<client> make_polling_client(const client_options& options);

/// The same as the first with a pipeline.
std::unique_ptr<client> make_pipeline_client(const client_options& options);

/// With a pipeline, in the thread of the connection's loop.
std::unique_ptr<client> make_pinned_client(const client_options& options);

/// The library, called by a thread that waits for the answers.
std::unique_ptr<client> make_blocking_client(const client_options& options);

/// The official TypeScript client, version 1.
std::unique_ptr<client> make_sdk_1_client(const client_options& options);

/// The official TypeScript client, version 2.
std::unique_ptr<client> make_sdk_2_client(const client_options& options);

/// Returns why the TypeScript clients cannot run here, and what to do about it;
/// empty: they can.
std::string why_no_sdk_client();

} // namespace bench
