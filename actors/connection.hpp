#pragma once

#include "caf_mcp/actors/handlers.hpp"
#include "caf_mcp/actors/interfaces.hpp"
#include "caf_mcp/actors/runtime.hpp"
#include "caf_mcp/messages/server_options.hpp"

#include <caf/expected.hpp>

namespace caf_mcp {

/// Spawns a connection to the server that `options` describes. Nothing is
/// started before the connection is opened, or used. Fails with
/// `config_invalid` if an option is not allowed.
///
/// The connection ends when it is closed, when its owner (the first actor that
/// sends `open_connection`) dies, when its server is lost for good, or with the
/// runtime. Ended, it answers every request with `connection_closed`.
///
/// `logs` gets the server's stderr if the option `stderr` is `capture`, and
/// lines of its stdout that are no messages; may be empty. `answers` holds what
/// the server may ask of this side. Any thread.
caf::expected<connection> spawn_connection(runtime& host,
                                           server_options options,
                                           log_listener logs = {},
                                           handlers answers = {});

} // namespace caf_mcp
