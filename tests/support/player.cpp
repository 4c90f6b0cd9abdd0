#include "tests/support/player.hpp"

#include "tests/support/paths.hpp"

#include <boost/json/parse.hpp>

#include <algorithm>
#include <fstream>
#include <utility>

namespace tests {

std::vector<std::string> script_command(std::string_view name) {
  return {"python3", test_file("servers/scripted_server.py"),
          test_file("cases/" + std::string{name} + ".json")};
}

player::player(std::string_view name) : name_{name} {
  // nop
}

caf_mcp::server_options player::options() const {
  caf_mcp::server_options options;
  options.command = "python3";
  options.args = {test_file("servers/scripted_server.py"),
                  "--log",
                  directory_.path() + "/log",
                  "--state",
                  directory_.path() + "/state",
                  test_file("cases/" + name_ + ".json")};
  options.stdin_grace = std::chrono::milliseconds{2000};
  options.term_grace = std::chrono::milliseconds{300};
  options.max_reconnects = 0;
  return options;
}

std::vector<boost::json::object> player::log() const {
  std::vector<boost::json::object> events;
  std::ifstream file{directory_.path() + "/log"};
  for (std::string line; std::getline(file, line);)
    events.push_back(boost::json::parse(line).as_object());
  return events;
}

std::size_t player::count(std::string_view event) const {
  auto events = log();
  return static_cast<std::size_t>(
    std::count_if(events.begin(), events.end(), [&](const auto& each) {
      return each.at("ev").as_string() == event;
    }));
}

bool player::marked(std::string_view mark) const {
  auto events = log();
  return std::any_of(events.begin(), events.end(), [&](const auto& each) {
    return each.at("ev").as_string() == "mark"
           && each.at("name").as_string() == mark;
  });
}

bool player::checks_hold() const {
  auto events = log();
  std::erase_if(events, [](const auto& each) {
    return each.at("ev").as_string() != "check";
  });
  return !events.empty()
         && std::all_of(events.begin(), events.end(), [](const auto& each) {
              return each.at("ok").as_bool();
            });
}

std::size_t player::received(std::string_view method) const {
  auto events = log();
  return static_cast<std::size_t>(
    std::count_if(events.begin(), events.end(), [&](const auto& each) {
      const auto* name = each.if_contains("method");
      return each.at("ev").as_string() == "recv" && name != nullptr
             && name->is_string() && name->get_string() == method;
    }));
}

std::int64_t player::spawned_pid() const {
  std::int64_t result = 0;
  for (const auto& each : log())
    if (each.at("ev").as_string() == "spawned")
      result = each.at("pid_spawned").as_int64();
  return result;
}

caf::expected<caf_mcp::payload> call_t(host& app,
                                       const caf_mcp::connection& server,
                                       caf_mcp::request_options options,
                                       boost::json::object arguments) {
  return ask(*app.self, server,
             caf_mcp::call_tool("t", std::move(arguments), std::move(options)));
}

} // namespace tests
