#include "caf_mcp/messages/error_info.hpp"
#include "caf_mcp/messages/methods.hpp"

#include "arguments.hpp"
#include "client.hpp"
#include "command.hpp"
#include "json_text.hpp"
#include "printable.hpp"

#include <CLI/CLI.hpp>
#include <boost/json/array.hpp>

namespace caf_mcp::tool {

namespace {

class complete_command final : public command {
public:
  void declare(CLI::App& app) override {
    app
      .add_option("KIND", kind_,
                  "What to complete: \"prompt\" or "
                  "\"template\".")
      ->required();
    app
      .add_option("NAME", name_, "Name of the prompt, or URI of the template.")
      ->required();
    app
      .add_option("ARGUMENT", words_,
                  "The argument to complete, KEY=BEGINNING, then others that "
                  "are chosen already, KEY=VALUE.")
      ->required();
    app.footer("caf-mcp complete prompt greet style=p -- ./my-server\n"
               "caf-mcp complete template 'demo://item/{id}' id= -- "
               "./my-server");
  }

  caf::error check() override {
    if (kind_ != "prompt" && kind_ != "template")
      return config_error("kind", "is \"" + one_line(kind_)
                                    + "\"; must be \"prompt\" or \"template\"");
    auto read = read_arguments(words_);
    if (!read)
      return std::move(read.error());
    for (const auto& member : *read->if_object())
      if (!member.value().is_string())
        return config_error("arguments", "must be strings: KEY=VALUE");
    if (read->if_object()->empty())
      return config_error("arguments", "must name the argument to complete");
    chosen_ = *read->if_object();
    return {};
  }

  caf::expected<payload> run(client& server) override {
    const auto& wanted = *chosen_.begin();
    auto target = completion_target{
      kind_ == "prompt" ? "ref/prompt" : "ref/resource", name_};
    auto message
      = complete(target, wanted.key(),
                 std::string{text_at(chosen_, wanted.key())}, server.options());
    if (chosen_.size() > 1) {
      // MCP, Completion: the arguments that are resolved already.
      auto others
        = boost::json::object{std::next(chosen_.begin()), chosen_.end()};
      auto params = *message.params.if_object();
      params["context"] = {{"arguments", std::move(others)}};
      message.params = payload{std::move(params)};
    }
    return server.ask(std::move(message));
  }

  void print(const payload& result, text_output& out) const override {
    const auto& found = object_at(as_object(result.value()), "completion");
    for (const auto& value : array_at(found, "values"))
      if (const auto* text = value.if_string())
        out.line(one_line({text->data(), text->size()}));
  }

private:
  std::string kind_;
  std::string name_;
  std::vector<std::string> words_;
  /// The argument to complete is the first.
  boost::json::object chosen_;
};

} // namespace

std::unique_ptr<command> make_complete() {
  return std::make_unique<complete_command>();
}

} // namespace caf_mcp::tool
