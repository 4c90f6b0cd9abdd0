#pragma once

#include "caf_mcp/actors/client.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/scoped_actor.hpp>
#include <catch2/catch_test_macros.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tests {

/// An application that uses the library, as a test fixture: a system, a runtime
/// and an actor for the test itself. After the test, no child must be left.
class host {
public:
  host();
  ~host();

  host(const host&) = delete;
  host& operator=(const host&) = delete;

  /// Returns options that start a program of this build, with short graces.
  static caf_mcp::server_options program(std::string_view name,
                                         std::vector<std::string> args = {});

  /// Spawns a connection; the options must be valid.
  caf_mcp::connection connect(caf_mcp::server_options options,
                              caf_mcp::log_listener logs = {},
                              caf_mcp::handlers answers = {});

  /// Spawns and opens a connection; it must become ready.
  caf_mcp::connection open(caf_mcp::server_options options,
                           caf_mcp::handlers answers = {});

  /// Ends the runtime early.
  void stop_runtime();

  caf::actor_system& system() {
    return system_;
  }

  caf_mcp::runtime& runtime() {
    return *runtime_;
  }

private:
  caf::actor_system_config config_;
  caf::actor_system system_;
  std::optional<caf_mcp::runtime> runtime_;

public:
  /// The actor of the test.
  std::optional<caf::scoped_actor> self;
};

/// Describes the error of an answer; fails the test if it is none.
template <class T>
caf_mcp::error_info failure(const caf::expected<T>& answer) {
  REQUIRE_FALSE(answer);
  return caf_mcp::describe(answer.error());
}

/// Returns the value of an answer; fails the test if it is an error.
template <class T>
T value(caf::expected<T> answer) {
  if (!answer)
    FAIL(caf_mcp::describe(answer.error()).message);
  return std::move(*answer);
}

/// Fails the test if the answer is an error.
inline void value(const caf::expected<void>& answer) {
  if (!answer)
    FAIL(caf_mcp::describe(answer.error()).message);
}

} // namespace tests
