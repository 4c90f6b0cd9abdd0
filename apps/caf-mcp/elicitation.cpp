#include "elicitation.hpp"

#include "form_field.hpp"
#include "json_text.hpp"
#include "printable.hpp"

#include <optional>
#include <string>
#include <utility>

namespace caf_mcp::tool {

namespace {

payload action(std::string_view name) {
  return payload{boost::json::value{{"action", name}}};
}

/// Asks until the answer is yes or no; nothing at the end of the input.
std::optional<bool> ask_yes_or_no(terminal& person, std::string_view question,
                                  const std::stop_token& stop) {
  for (;;) {
    auto text = person.ask(question, stop);
    if (!text)
      return std::nullopt;
    if (*text == "y" || *text == "yes")
      return true;
    if (*text == "n" || *text == "no")
      return false;
  }
}

/// Asks until the answer fits; adds it. Returns false at the end of the input.
bool ask_field(terminal& person, const form_field& field,
               boost::json::object& content, const std::stop_token& stop) {
  const auto question = field.question();
  for (;;) {
    auto text = person.ask(question, stop);
    if (!text)
      return false;
    if (text->empty() && (field.has_default() || !field.is_required()))
      return true; // the default is filled in later
    auto value = field.read(*text);
    if (value && !text->empty()) {
      content[field.name()] = std::move(*value);
      return true;
    }
    person.tell("    "
                + (value ? "is required" : describe(value.error()).message));
  }
}

payload answer_form(terminal& person, const payload& params,
                    const std::stop_token& stop) {
  const auto dialog = person.begin_dialog();
  if (stop.stop_requested())
    return action("cancel"); // while another dialog was under way
  person.tell("The server asks: " + printable(params.string_member("message"))
              + "\n(Ctrl-D cancels.)");
  boost::json::object content;
  const auto schema = params.member("requestedSchema");
  for (const auto& field : form_fields(as_object(schema.value())))
    if (!ask_field(person, field, content, stop))
      return action("cancel");
  auto is_sent
    = ask_yes_or_no(person, "Send this to the server (yes or no)? ", stop);
  if (!is_sent)
    return action("cancel");
  if (!*is_sent)
    return action("decline");
  return payload{
    boost::json::value{{"action", "accept"}, {"content", std::move(content)}}};
}

payload answer_url(terminal& person, const payload& params,
                   const std::stop_token& stop) {
  const auto dialog = person.begin_dialog();
  if (stop.stop_requested())
    return action("cancel"); // while another dialog was under way
  person.tell("The server asks you to visit a page: "
              + printable(params.string_member("message")) + "\n  "
              + one_line(params.string_member("url"))
              + "\nOpen it yourself if you trust it. (Ctrl-D cancels.)");
  auto agreed = ask_yes_or_no(person, "Go on (yes or no)? ", stop);
  if (!agreed)
    return action("cancel");
  return action(*agreed ? "accept" : "decline");
}

} // namespace

blocking_handler_function form_dialog(std::shared_ptr<terminal> person) {
  return [person = std::move(person)](
           const server_request& request,
           const std::stop_token& stop) -> caf::expected<payload> {
    if (!terminal::is_there())
      return action("decline");
    return answer_form(*person, request.params, stop);
  };
}

blocking_handler_function url_dialog(std::shared_ptr<terminal> person) {
  return [person = std::move(person)](
           const server_request& request,
           const std::stop_token& stop) -> caf::expected<payload> {
    if (!terminal::is_there())
      return action("decline");
    return answer_url(*person, request.params, stop);
  };
}

} // namespace caf_mcp::tool
