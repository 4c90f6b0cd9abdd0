#pragma once

#include "caf_mcp/messages/server_options.hpp"

#include <caf/error.hpp>

namespace caf_mcp {

/// Checks all options before anything is started. Returns an error that is
/// false if they are fine, else `config_invalid`, which names the key, what was
/// found and what is allowed. Looks at the file system: `cd` must exist, and so
/// must an absolute `command` that holds white space.
caf::error validate(const server_options& options);

/// The same; errors show what `written` has instead: the options before
/// variables, whose values may be secret, were expanded.
caf::error validate(const server_options& options,
                    const server_options& written);

} // namespace caf_mcp
