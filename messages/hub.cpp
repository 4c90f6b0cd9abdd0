#include "caf_mcp/messages/hub.hpp"

#include "caf_mcp/messages/error_info.hpp"

namespace caf_mcp {

namespace {

boost::json::value text_or_null(std::string_view text) {
  return text.empty() ? boost::json::value{} : boost::json::value(text);
}

} // namespace

std::string_view to_string(server_state state) noexcept {
  switch (state) {
    case server_state::idle:
      return "idle";
    case server_state::starting:
      return "starting";
    case server_state::ready:
      return "ready";
    case server_state::waiting:
      return "waiting";
    case server_state::failed:
      return "failed";
    case server_state::stopped:
      return "stopped";
    case server_state::disabled:
      return "disabled";
    case server_state::unsupported:
      return "unsupported";
    case server_state::broken:
      return "broken";
  }
  return {};
}

std::string_view to_string(dependencies_state state) noexcept {
  switch (state) {
    case dependencies_state::ready:
      return "ready";
    case dependencies_state::awaited:
      return "awaited";
    case dependencies_state::lost:
      return "lost";
    case dependencies_state::down:
      return "down";
  }
  return {};
}

bool is_settled(server_state state) noexcept {
  return state != server_state::starting && state != server_state::waiting;
}

boost::json::object to_json(const server_status& status) {
  boost::json::object result;
  result["name"] = status.name;
  result["state"] = to_string(status.state);
  result["era"] = text_or_null(status.era ? to_string(*status.era) : "");
  result["protocolVersion"] = text_or_null(status.protocol_version);
  result["pid"]
    = status.pid > 0 ? boost::json::value(status.pid) : boost::json::value{};
  result["restarts"] = status.restarts;
  result["requests"] = status.requests;
  result["inFlight"] = status.in_flight;
  result["error"] = status.last_error
                      ? boost::json::value(to_json(describe(status.last_error)))
                      : boost::json::value{};
  return result;
}

} // namespace caf_mcp
