#pragma once

#include <boost/json/string_view.hpp>
#include <boost/json/value_ref.hpp>

#include <initializer_list>
#include <utility>

namespace caf_mcp {

/// The members of an object as braces list them: `{{"a", 1}, {"b", text}}`.
/// Refers to its values: not to be kept.
using object_members = std::initializer_list<
  std::pair<boost::json::string_view, boost::json::value_ref>>;

} // namespace caf_mcp
