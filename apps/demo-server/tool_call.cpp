#include "tool_call.hpp"

namespace demo {

namespace {

[[noreturn]] void refuse(std::string_view name, std::string_view demand) {
  std::string text = "Invalid arguments: ";
  text += name;
  text += ' ';
  text += demand;
  throw bad_argument{text};
}

} // namespace

std::string_view tool_call::text(std::string_view name) const {
  const auto found = optional_text(name);
  if (!found)
    refuse(name, "is missing");
  return *found;
}

std::optional<std::string_view>
tool_call::optional_text(std::string_view name) const {
  const auto* argument = arguments.if_contains(name);
  if (argument == nullptr)
    return std::nullopt;
  if (!argument->is_string())
    refuse(name, "must be a string");
  return std::string_view{argument->get_string()};
}

std::optional<std::int64_t> tool_call::optional_integer(std::string_view name,
                                                        range bounds) const {
  const auto* argument = arguments.if_contains(name);
  if (argument == nullptr)
    return std::nullopt;
  json::error_code error;
  const auto number = argument->to_number<std::int64_t>(error);
  if (error || number < bounds.least || number > bounds.most)
    refuse(name, "must be a whole number from " + std::to_string(bounds.least)
                   + " to " + std::to_string(bounds.most));
  return number;
}

const json::value& tool_call::number(std::string_view name) const {
  const auto* argument = arguments.if_contains(name);
  if (argument == nullptr || !argument->is_number())
    refuse(name, "must be a number");
  return *argument;
}

} // namespace demo
