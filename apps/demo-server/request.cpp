#include "request.hpp"

namespace demo {

const json::object& no_members() {
  static const json::object empty;
  return empty;
}

const json::object& object_member(const json::object& in,
                                  std::string_view name) {
  const auto* member = in.if_contains(name);
  const auto* object = member == nullptr ? nullptr : member->if_object();
  return object == nullptr ? no_members() : *object;
}

const json::string* string_member(const json::object& in,
                                  std::string_view name) {
  const auto* member = in.if_contains(name);
  return member == nullptr ? nullptr : member->if_string();
}

std::string_view required_text(const request& req, std::string_view name) {
  const auto* text = string_member(req.params, name);
  if (text == nullptr)
    throw refusal{code::invalid_params,
                  "params." + std::string{name} + " must be a string"};
  return *text;
}

client_abilities read_abilities(const json::object& capabilities) {
  client_abilities abilities;
  if (const auto* elicitation = capabilities.if_contains("elicitation")) {
    // An empty object means form mode: the only one there was at first.
    const auto* modes = elicitation->if_object();
    abilities.elicitation
      = modes != nullptr && (modes->empty() || modes->contains("form"));
  }
  abilities.sampling = capabilities.contains("sampling");
  abilities.roots = capabilities.contains("roots");
  return abilities;
}

} // namespace demo
