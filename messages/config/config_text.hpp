#pragma once

#include <boost/json/value.hpp>
#include <caf/error.hpp>
#include <caf/expected.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace caf_mcp {

/// Parses JSON as people write it into configuration files: with comments,
/// trailing commas and a byte order mark. Fails with a `config_invalid` that
/// names `file`, line and column, both counted from 1.
caf::expected<boost::json::value> parse_config_text(std::string_view text,
                                                    std::string_view file);

/// Returns where a key stands in its object more than once: the keys on the way
/// to it, and it. Of the values, the last one counts. `text` is one that
/// `parse_config_text` takes.
std::vector<std::vector<std::string>> repeated_keys(std::string_view text);

/// Reads a whole file of at most 16 MiB. Fails with `not_found` if there is
/// none, else with `config_invalid`.
caf::expected<std::string> read_config_file(const std::string& path);

} // namespace caf_mcp
