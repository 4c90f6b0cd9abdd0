// The same over and over, by several threads at a time, and a look at what is
// left of it.
#pragma once

#include "caf_mcp/actors/runtime.hpp"

#include <caf/scoped_actor.hpp>

#include <cstddef>
#include <functional>

namespace tests {

/// One round, by its number; returns whether all went as it should.
using soak_round = std::function<bool(caf::scoped_actor& self,
                                      caf_mcp::runtime& host, std::size_t)>;

/// Runs `rounds` of them, `at_a_time` side by side, after a tenth of that to
/// warm up. Prints what went wrong, and how many processes, descriptors and KiB
/// are left. Returns whether all rounds went well and nothing is left.
bool run_rounds(const soak_round& one, std::size_t rounds,
                std::size_t at_a_time);

} // namespace tests
