// One request, as handlers see it.
#pragma once

#include "outbox.hpp"

#include <boost/json/object.hpp>

#include <string>
#include <string_view>

namespace demo {

/// A request being served. Everything but `from` lives in the arena of the
/// message, which the next message overwrites: what is needed later is copied.
struct request {
  reply_address from;
  std::string_view method;
  const json::object& params;
  /// `params._meta`, or an empty object.
  const json::object& meta;
};

/// Thrown by a handler that will not serve a request: becomes its error answer.
struct refusal {
  int code;
  std::string message;
  /// JSON text, or empty.
  std::string data = {};
};

/// An object without members, to stand for one that is absent.
const json::object& no_members();

/// Returns the member `name` if it is an object, an empty object otherwise.
const json::object& object_member(const json::object& in,
                                  std::string_view name);

/// Returns the member `name` if it is a string, nullptr otherwise.
const json::string* string_member(const json::object& in,
                                  std::string_view name);

/// Returns the string member `name` of the params.
/// @throws refusal with -32602 when it is missing or not a string.
std::string_view required_text(const request& req, std::string_view name);

/// What a client said it can do. Declared once in the legacy era, in every
/// request in the modern one.
struct client_abilities {
  bool elicitation = false;
  bool sampling = false;
  bool roots = false;
};

client_abilities read_abilities(const json::object& capabilities);

} // namespace demo
