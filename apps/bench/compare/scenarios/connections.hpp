// Requests a second with few and many connections.
#pragma once

#include "apps/bench/compare/options.hpp"
#include "apps/bench/compare/table.hpp"

namespace bench {

/// Keeps 1, 2, 4, ... 64 connections busy, each with a server of its own.
table measure_connections(const options& chosen);

} // namespace bench
