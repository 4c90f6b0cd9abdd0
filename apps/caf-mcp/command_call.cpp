#include "caf_mcp/messages/json/json_writer.hpp"
#include "caf_mcp/messages/json/payload.hpp"

#include "arguments.hpp"
#include "client.hpp"
#include "command.hpp"
#include "content.hpp"
#include "json_text.hpp"

#include <CLI/CLI.hpp>
#include <boost/json/array.hpp>

namespace caf_mcp::tool {

namespace {

bool is_text(const boost::json::value& block) {
  return text_at(as_object(block), "type") == "text";
}

class call_command final : public command {
public:
  void declare(CLI::App& app) override {
    app
      .add_option("TOOL", tool_,
                  "Name of the tool; SERVER/TOOL if no server is named "
                  "otherwise.")
      ->required();
    app.add_option("ARGUMENT", words_, std::string{arguments_help});
    app.footer("caf-mcp call echo message=hello -- ./my-server\n"
               "caf-mcp call add a:=2 b:=40 --json -- ./my-server\n"
               "caf-mcp --config mcp.json call demo/echo message=hello\n"
               "caf-mcp call add '{\"a\": 2, \"b\": 40}' -- ./my-server");
  }

  caf::error check() override {
    auto read = read_arguments(words_);
    if (!read)
      return std::move(read.error());
    arguments_ = std::move(*read);
    return {};
  }

  std::optional<std::string> take_server() override {
    return take_server_name(tool_);
  }

  caf::expected<payload> run(client& server) override {
    const std::vector<payload_member> params{
      {"name", payload{boost::json::value(tool_)}}, {"arguments", arguments_}};
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
  std::string tool_;
  std::vector<std::string> words_;
  payload arguments_;
};

} // namespace

std::unique_ptr<command> make_call() {
  return std::make_unique<call_command>();
}

} // namespace caf_mcp::tool
