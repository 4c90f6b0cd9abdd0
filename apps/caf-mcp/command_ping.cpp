#include "caf_mcp/messages/session_info.hpp"

#include "client.hpp"
#include "command.hpp"
#include "json_text.hpp"

#include <CLI/CLI.hpp>

#include <chrono>
#include <cmath>

namespace caf_mcp::tool {

namespace {

/// MCP 2026-07-28, Key changes: there is no `ping`; the cheapest request that
/// every modern server answers is the one that probes it.
std::string_view cheapest_method(const session_info& session) {
  return session.era == era::modern ? "server/discover" : "ping";
}

class ping_command final : public command {
public:
  void declare(CLI::App& app) override {
    app.footer("caf-mcp ping -- ./my-server");
  }

  caf::expected<payload> run(client& server) override {
    auto session = server.ask(get_session{});
    if (!session)
      return std::move(session.error());
    send_request message;
    message.method = cheapest_method(*session);
    message.options = server.options();
    const auto begin = std::chrono::steady_clock::now();
    auto answer = server.ask(message);
    const auto time = std::chrono::steady_clock::now() - begin;
    if (!answer)
      return std::move(answer.error());
    using microseconds = std::chrono::duration<double, std::micro>;
    auto time_us = std::round(microseconds{time}.count());
    boost::json::object result{{"method", message.method},
                               {"roundTripMs", time_us / 1000}};
    return payload{std::move(result)};
  }

  void print(const payload& result, text_output& out) const override {
    const auto& facts = as_object(result.value());
    out.line("answered " + std::string{text_at(facts, "method")} + " in "
             + compact_json(facts.at("roundTripMs")) + " ms");
  }
};

} // namespace

std::unique_ptr<command> make_ping() {
  return std::make_unique<ping_command>();
}

} // namespace caf_mcp::tool
