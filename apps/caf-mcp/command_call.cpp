#include "caf_mcp/messages/error_info.hpp"
#include "caf_mcp/messages/json/compose.hpp"
#include "caf_mcp/messages/json/json_writer.hpp"
#include "caf_mcp/messages/json/payload.hpp"

#include "arguments.hpp"
#include "client.hpp"
#include "command.hpp"
#include "content.hpp"
#include "json_text.hpp"
#include "printable.hpp"

#include <CLI/CLI.hpp>
#include <boost/json/array.hpp>

namespace caf_mcp::tool {

namespace {

bool is_text(const boost::json::value& block) {
  return text_at(as_object(block), "type") == "text";
}

/// Returns whether the server did answer, but not with a list.
bool is_answer(const caf::error& error) {
  return error == errc::rpc_error || error == errc::capability_missing
         || error == errc::invalid_response || error == errc::repeated_cursor
         || error == errc::too_many_pages;
}

/// Asks until the answer fits. Returns an error at the end of the input.
caf::error ask_argument(payload& object, const std::string& key,
                        const value_schema& schema, client& server) {
  const auto about = schema_of_key(schema, key);
  auto question = "  " + one_line(key);
  if (!about.description().empty())
    question += " - " + one_line(about.description());
  if (const auto type = about.type_text(); !type.empty())
    question += " (" + one_line(type) + ')';
  auto& person = server.person();
  for (;;) {
    auto text = person.ask(question + ": ", server.stop());
    if (!text && server.stop().stop_requested())
      return local_error(errc::cancelled, "interrupted");
    if (!text)
      return config_error(key, "is required, and was not answered");
    typed_argument argument{typed_argument::form::text, key, *text, *text, {}};
    auto error = text->empty() ? config_error(key, "is required")
                               : add_argument(object, argument, schema);
    if (!error)
      return {};
    person.tell("    " + one_line(describe(error).message));
  }
}

/// Has a person add what the schema requires and `object` lacks; without one,
/// returns an error with all of it.
caf::error add_missing(payload& object, const value_schema& schema,
                       client& server) {
  auto missing = missing_keys(object, schema);
  if (missing.empty())
    return {};
  if (!terminal::is_there()) {
    std::string list;
    for (const auto& key : missing) {
      const auto type = schema_of_key(schema, key).type_text();
      list += (list.empty() ? "" : ", ") + key;
      list += type.empty() ? "" : " (" + type + ')';
    }
    return config_error("arguments", "required and missing: " + list);
  }
  const auto dialog = server.person().begin_dialog();
  for (; !missing.empty(); missing = missing_keys(object, schema))
    if (auto error = ask_argument(object, missing.front(), schema, server))
      return error;
  return {};
}

class call_command final : public command {
public:
  void declare(CLI::App& app) override {
    app
      .add_option("TOOL", tool_,
                  "Name of the tool; SERVER/TOOL if no server is named "
                  "otherwise.")
      ->required();
    declare_arguments(app, "ARGUMENT", words_,
                      "for a value as the tool's inputSchema has it");
    app.add_flag("--no-list", is_list_left_out_,
                 "Do not list the tools before: each VALUE is a string, and "
                 "the result is not checked.");
    app.footer("caf-mcp call echo message=hello -- ./my-server\n"
               "caf-mcp call add a=2 b=40 --json -- ./my-server\n"
               "caf-mcp --config mcp.json call demo/echo message=hello\n"
               "caf-mcp call add '{\"a\": 2, \"b\": 40}' -- ./my-server");
  }

  caf::error check() override {
    auto typed = split_arguments(words_);
    if (!typed)
      return std::move(typed.error());
    typed_ = std::move(*typed);
    return {};
  }

  std::optional<std::string> take_server() override {
    return take_server_name(tool_);
  }

  caf::expected<payload> run(client& server) override {
    auto schema = input_schema(server);
    if (!schema)
      return std::move(schema.error());
    auto arguments = compose_arguments(typed_, *schema);
    if (!arguments)
      return arguments;
    if (auto error = add_missing(*arguments, *schema, server))
      return error;
    const std::vector<payload_member> params{{"name", to_payload(tool_)},
                                             {"arguments", *arguments}};
    return server.ask(
      send_request{"tools/call", compose_object(params), server.options()});
  }

  void print(const payload& result, text_output& out) const override {
    const auto& answer = as_object(result.value());
    auto has_text = false;
    for (const auto& block : array_at(answer, "content")) {
      has_text = has_text || is_text(block);
      print_block(as_object(block), out);
    }
    // MCP, Tools, Structured content: a text block says the same, if any.
    if (const auto* value = answer.if_contains("structuredContent");
        value != nullptr && !has_text)
      out.foreign(result.part(value).to_json(json_layout::indented));
  }

  exit_status status(const payload& result) const override {
    const auto* flag = as_object(result.value()).if_contains("isError");
    const auto has_failed
      = flag != nullptr && flag->is_bool() && flag->get_bool();
    return has_failed ? exit_status::tool_failed : exit_status::done;
  }

private:
  /// Lists the tools, and returns what the called one says of its arguments;
  /// says nothing for one that is not listed.
  caf::expected<value_schema> input_schema(client& server) const {
    if (is_list_left_out_)
      return value_schema{};
    list_all message;
    message.options = server.options();
    auto tools = server.ask(message);
    if (!tools && !is_answer(tools.error()))
      return std::move(tools.error());
    if (!tools) {
      server.console().warn("the tools cannot be listed, so each VALUE is sent "
                            "as a string: "
                            + describe(tools.error()).message);
      return value_schema{};
    }
    if (const auto* items = tools->value().if_array())
      for (const auto& each : *items)
        if (text_at(as_object(each), "name") == tool_)
          return value_schema{tools->part(&each).member("inputSchema")};
    return value_schema{};
  }

  std::string tool_;
  std::vector<std::string> words_;
  bool is_list_left_out_ = false;
  std::vector<typed_argument> typed_;
};

} // namespace

std::unique_ptr<command> make_call() {
  return std::make_unique<call_command>();
}

} // namespace caf_mcp::tool
