#include "caf_mcp/messages/methods.hpp"

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

class prompt_command final : public command {
public:
  void declare(CLI::App& app) override {
    app
      .add_option("NAME", name_,
                  "Name of the prompt; SERVER/NAME if no server is named "
                  "otherwise.")
      ->required();
    declare_arguments(app, "ARGUMENT", words_);
    app.footer("caf-mcp prompt greet name=Ada -- ./my-server");
  }

  caf::error check() override {
    auto read = read_text_arguments(words_);
    if (!read)
      return std::move(read.error());
    arguments_ = *read->if_object();
    return {};
  }

  std::optional<std::string> take_server() override {
    return take_server_name(name_);
  }

  caf::expected<payload> run(client& server) override {
    return server.ask(get_prompt(name_, arguments_, server.options()));
  }

  void print(const payload& result, text_output& out) const override {
    const auto& prompt = as_object(result.value());
    for (const auto& each : array_at(prompt, "messages")) {
      const auto& message = as_object(each);
      out.line('[' + one_line(text_at(message, "role")) + ']');
      print_block(object_at(message, "content"), out);
    }
  }

private:
  std::string name_;
  std::vector<std::string> words_;
  boost::json::object arguments_;
};

} // namespace

std::unique_ptr<command> make_prompt() {
  return std::make_unique<prompt_command>();
}

} // namespace caf_mcp::tool
