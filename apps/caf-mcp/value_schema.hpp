#pragma once

#include "caf_mcp/messages/json/payload.hpp"

#include <caf/expected.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace caf_mcp::tool {

/// What a JSON Schema says about one value: how a text that a person typed is
/// to be read. Follows `$ref` within the schema's own document, and unions in
/// their order. Reads types, `enum` and `const`; whatever else a schema demands
/// is for the server to check.
class value_schema {
public:
  /// What a schema says about a member of an object.
  enum class membership {
    /// It names the member.
    known,
    /// It allows more members than it names.
    allowed,
    /// It names others, and does not say whether there may be more.
    unnamed,
    forbidden,
  };

  /// Says nothing: each text is a string.
  value_schema() = default;

  explicit value_schema(payload document);

  /// Reads `text` as the first of the types that it fits, numbers with their
  /// digits. Fails with what is allowed: `must be an integer or null`.
  caf::expected<payload> read(std::string_view text) const;

  /// Returns what is allowed, such as `an integer or null`; empty if anything.
  std::string type_text() const;

  /// Returns whether a value may be an object with members of its own.
  bool can_be_object() const;

  bool has_default() const;

  /// Returns what the schema says the value is for; may be empty.
  std::string_view description() const noexcept;

  membership find(std::string_view key) const;

  /// Returns the schema of a member; says nothing if none is named.
  value_schema member(std::string_view key) const;

  /// Returns the names of the members it names, in its order.
  std::vector<std::string_view> member_names() const;

  /// Returns the members that every object must have.
  std::vector<std::string_view> required() const;

private:
  using node = const boost::json::value*;

  value_schema(payload document, std::vector<node> nodes);

  /// Returns what the value is one of, in order: schemas without a reference or
  /// a union at their top.
  std::vector<node> alternatives() const;

  /// Returns all that says something about members: the schema, and what it
  /// refers to and is composed of.
  std::vector<const boost::json::object*> parts(bool with_unions) const;

  payload document_;
  /// Any one of them is to hold. Empty: says nothing.
  std::vector<node> nodes_;
};

} // namespace caf_mcp::tool
