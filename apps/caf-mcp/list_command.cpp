#include "list_command.hpp"

#include "client.hpp"
#include "json_text.hpp"
#include "tree.hpp"

#include <CLI/CLI.hpp>
#include <boost/json/array.hpp>

namespace caf_mcp::tool {

void list_command::declare(CLI::App& app) {
  app.footer("caf-mcp " + app.get_name()
             + " -- npx -y @modelcontextprotocol/server-everything\n"
               "caf-mcp --config mcp.json --server files "
             + app.get_name() + " --json\ncaf-mcp --config mcp.json "
             + app.get_name());
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

caf::expected<payload> list_command::run_tree(tree& servers,
                                              caf::timespan limit) {
  servers.settle(limit);
  auto all = servers.ask(get_catalogue{});
  if (!all)
    return std::move(all.error());
  auto about = all->member("servers");
  for (const auto& each : as_object(about.value())) {
    const auto& status = as_object(each.value());
    if (auto why = text_at(object_at(status, "error"), "message"); !why.empty())
      servers.warn(std::string{each.key()} + " is "
                   + std::string{text_at(status, "state")} + ": "
                   + std::string{why});
  }
  auto kind = to_string(kind_);
  return payload{boost::json::value{{kind, all->member(kind).value()},
                                    {"servers", about.value()}}};
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
