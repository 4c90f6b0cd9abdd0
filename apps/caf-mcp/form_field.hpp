#pragma once

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <caf/expected.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace caf_mcp::tool {

/// One field of a form that a server wants filled in (MCP, Elicitation,
/// Requested schema): a string, a number, a yes or no, or choices.
class form_field {
public:
  /// `schema` must outlive this.
  form_field(std::string_view name, const boost::json::object& schema,
             bool is_required);

  std::string_view name() const noexcept {
    return name_;
  }

  bool is_required() const noexcept {
    return is_required_;
  }

  bool has_default() const noexcept {
    return schema_.contains("default");
  }

  /// Returns what to ask: name, type or choices, and default.
  std::string question() const;

  /// Reads what a person typed; an error says what is allowed.
  caf::expected<boost::json::value> read(const std::string& text) const;

private:
  struct choice {
    std::string value;
    std::string title;
  };

  std::string_view type() const noexcept;
  caf::expected<boost::json::value> read_number(const std::string& text) const;
  caf::expected<boost::json::value> read_text(const std::string& text) const;
  caf::expected<boost::json::value> read_choices(const std::string& text) const;
  const choice* find_choice(std::string_view text) const noexcept;
  std::string choice_list() const;

  std::string_view name_;
  const boost::json::object& schema_;
  bool is_required_;
  std::vector<choice> choices_;
};

/// Returns the fields of a `requestedSchema`, in its order.
std::vector<form_field> form_fields(const boost::json::object& schema);

} // namespace caf_mcp::tool
