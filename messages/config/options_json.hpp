#pragma once

#include "caf_mcp/messages/config/option_descriptor.hpp"
#include "caf_mcp/messages/server_options.hpp"

#include <boost/json/object.hpp>
#include <caf/error.hpp>
#include <caf/expected.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace caf_mcp {

/// Sets the option `key` from JSON. Fails with `config_invalid` when the key is
/// unknown, naming the nearest known one, or when the value has another shape
/// or is out of bounds. Rules that go beyond one value are `validate`'s.
caf::error set_option(server_options& to, std::string_view key,
                      const boost::json::value& value);

/// Reads the options that `object` holds; all others are as in `defaults`. An
/// unknown key is ignored with a warning that names the nearest known one; keys
/// that other programs put into the same files are ignored without. Does not
/// check what `validate` does. Errors show the values of `written` instead,
/// unless it is null: the same object before variables were expanded, which may
/// be secret.
caf::expected<server_options> options_from_json(
  const boost::json::object& object, std::vector<std::string>& warnings,
  server_options defaults = {}, const boost::json::object* written = nullptr);

/// Returns the known key that `key` most likely stands for.
std::string_view nearest_key(std::string_view key);

} // namespace caf_mcp
