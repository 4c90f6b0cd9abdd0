#pragma once

#include "caf_mcp/messages/server_options.hpp"

#include <boost/json/value.hpp>
#include <caf/error.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace caf_mcp {

/// The shape of an option's value.
enum class option_kind : std::uint8_t {
  text,
  text_list,
  flag,
  /// An integer.
  count,
  /// An integer, bytes.
  bytes,
  /// An integer, milliseconds.
  milliseconds,
  /// One of a few words.
  choice,
  /// A string, or null for the default.
  nullable_text,
  /// The object of `env`.
  environment,
  /// A word or a list of names, of `inherit_env`.
  inherited_variables,
  /// A word or the object that names a file, of `stderr`.
  stderr_target,
  /// The object of `client_info`.
  implementation,
};

/// One key of a server's configuration. All that is known of it stands here:
/// the JSON reader, `validate`, the options of the tool and
/// docs/configuration.md come from this one table.
struct option_descriptor {
  std::string_view key;
  option_kind kind = option_kind::text;
  /// Completes the sentence "must be ...".
  std::string allowed;
  /// As JSON, or `required`.
  std::string default_value;
  /// One sentence.
  std::string_view help;
  /// Sets the member from JSON. The error names the key, what was found and
  /// what is allowed; the options are unchanged then.
  caf::error (*read)(server_options&, const option_descriptor&,
                     const boost::json::value&)
    = nullptr;
  /// Returns the member, for the three kinds of integers; else nullptr.
  std::int64_t (*number)(const server_options&) = nullptr;
  /// Bounds of an integer, both allowed.
  std::int64_t number_min = 0;
  std::int64_t number_max = 0;
};

/// Returns all options in the order of the documentation.
const std::vector<option_descriptor>& option_descriptors();

/// Returns the option called `key`, or nullptr. `cwd` is an alias of `cd`.
const option_descriptor* find_option(std::string_view key);

/// Makes the error for an integer that is out of bounds.
caf::error out_of_bounds(const option_descriptor& option, std::int64_t value);

} // namespace caf_mcp
