#include "list_command.hpp"

#include "client.hpp"
#include "json_text.hpp"

#include <CLI/CLI.hpp>
#include <boost/json/array.hpp>

namespace caf_mcp::tool {

void list_command::declare(CLI::App& app) {
  app.footer("caf-mcp " + app.get_name()
             + " -- npx -y @modelcontextprotocol/server-everything\n"
               "caf-mcp --config mcp.json --server files "
             + app.get_name() + " --json");
}

caf::expected<payload> list_command::run(client& server) {
  list_all message;
  message.kind = kind_;
  message.options = server.options();
  auto items = server.ask(message);
  if (!items)
    return std::move(items.error());
  return payload{boost::json::value{{to_string(kind_), items->value()}}};
}

void list_command::print(const payload& result, text_output& out) const {
  const auto& items = array_at(as_object(result.value()), to_string(kind_));
  auto is_first = true;
  for (const auto& item : items) {
    if (!is_first)
      out.line("");
    is_first = false;
    print_item(as_object(item), out);
  }
}

} // namespace caf_mcp::tool
