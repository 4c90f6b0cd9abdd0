#include "caf_mcp/messages/json/compose.hpp"
#include "caf_mcp/messages/session_info.hpp"

#include "client.hpp"
#include "command.hpp"
#include "json_text.hpp"
#include "printable.hpp"

#include <CLI/CLI.hpp>

namespace caf_mcp::tool {

namespace {

boost::json::value text_or_null(std::string_view text) {
  return text.empty() ? boost::json::value{} : boost::json::value(text);
}

/// Returns the members that `key` holds, separated by commas.
std::string names_in(const boost::json::object& info, std::string_view key) {
  std::string result;
  for (const auto& member : object_at(info, key))
    result += (result.empty() ? "" : ", ") + one_line(member.key());
  return result.empty() ? "none" : result;
}

class info_command final : public command {
public:
  void declare(CLI::App& app) override {
    app.footer("caf-mcp info -- uvx mcp-server-git\n"
               "caf-mcp info --json --mode legacy -- ./my-server --stdio");
  }

  caf::expected<payload> run(client& server) override {
    auto info = server.ask(get_session{});
    if (!info)
      return std::move(info.error());
    boost::json::object result;
    result["era"] = text_or_null(info->era ? to_string(*info->era) : "");
    result["protocolVersion"] = text_or_null(info->protocol_version);
    result["serverInfo"] = nullptr;
    result["capabilities"] = nullptr;
    result["instructions"] = text_or_null(info->instructions);
    result["pid"] = info->pid;
    auto document = payload{std::move(result)};
    if (info->server_info)
      document = with_member(document, "serverInfo", info->server_info);
    if (info->capabilities)
      document = with_member(document, "capabilities", info->capabilities);
    return document;
  }

  void print(const payload& result, text_output& out) const override {
    const auto& info = as_object(result.value());
    const auto& about = object_at(info, "serverInfo");
    auto heading = one_line(text_at(about, "name")) + ' '
                   + one_line(text_at(about, "version"));
    if (auto title = text_at(about, "title"); !title.empty())
      heading += " - " + one_line(title);
    out.line(about.empty() ? "a server without a name" : heading);
    out.indented("    ", text_at(about, "description"));
    out.table("", {{"era", one_line(text_at(info, "era"))},
                   {"protocol", one_line(text_at(info, "protocolVersion"))},
                   {"pid", compact_json(info.at("pid"))},
                   {"capabilities", names_in(info, "capabilities")}});
    if (auto text = text_at(info, "instructions"); !text.empty()) {
      out.line("instructions");
      out.indented("    ", text);
    }
  }
};

} // namespace

std::unique_ptr<command> make_info() {
  return std::make_unique<info_command>();
}

} // namespace caf_mcp::tool
