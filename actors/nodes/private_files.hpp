#pragma once

#include <caf/error.hpp>
#include <caf/expected.hpp>

#include <optional>
#include <string>

namespace caf_mcp {

/// Makes `path` and the folders above it, for this user alone (0700); what is
/// there stays as it is. Fails with `config_invalid`, which names the folder:
/// somebody else owns or may read it, or it cannot be made.
caf::error make_private_folder(const std::string& path);

/// Reads a file that this user alone may read and write. Returns nothing if it
/// is not there. Fails with `config_invalid`: somebody else owns or may read
/// it, it is no regular file, or it cannot be read.
caf::expected<std::optional<std::string>>
read_private_file(const std::string& path);

/// What becomes of a file that is there.
enum class existing_file : bool { kept, replaced };

/// Writes a file that this user alone may read and write (0600), all of it or
/// none. Returns whether it was written: one that is there may be kept.
caf::expected<bool> write_private_file(const std::string& path,
                                       const std::string& text,
                                       existing_file existing);

} // namespace caf_mcp
