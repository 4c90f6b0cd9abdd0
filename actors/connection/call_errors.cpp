#include "caf_mcp/actors/connection/call_errors.hpp"

#include "caf_mcp/messages/error_payload.hpp"
#include "caf_mcp/messages/json/compose.hpp"

#include <utility>

namespace caf_mcp {

namespace {

std::int64_t to_ms(std::chrono::steady_clock::duration time) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(time).count();
}

} // namespace

caf::error lost_error(const close_reason& reason, std::string_view outcome) {
  auto error = describe(to_error(reason));
  return local_error(
    *enum_from_name<errc>(error.name), std::move(error.message),
    with_member(to_payload(reason), "outcome", to_payload(outcome)));
}

/// MCP, Lifecycle, Timeouts: a request that runs out of time.
caf::error timeout_error(const pending_request& request,
                         std::chrono::steady_clock::duration total) {
  if (request.deadline >= request.last_deadline)
    return local_error(
      errc::max_total_timeout, "Maximum total timeout exceeded",
      payload{boost::json::value{{"method", request.method},
                                 {"maxTotalTimeoutMs", to_ms(total)}}});
  const auto limit = to_ms(request.timeout);
  return local_error(
    errc::request_timeout,
    request.method + ": no answer within " + std::to_string(limit) + " ms",
    payload{boost::json::value{
      {"method", request.method},
      {"timeoutMs", limit},
      {"outcome", request.was_sent() ? "unknown" : "not_sent"}}});
}

caf::error unmet_error(const std::string& method,
                       const capability_gate::need& unmet) {
  if (unmet.capability.empty())
    return legacy_only_error(method);
  return local_error(errc::capability_missing,
                     method + ": the server does not declare the capability "
                       + std::string{unmet.capability},
                     payload{boost::json::value{
                       {"method", method}, {"capability", unmet.capability}}});
}

caf::error legacy_only_error(const std::string& method) {
  return local_error(
    errc::capability_missing,
    method
      + ": the server speaks MCP 2026-07-28, which does not "
        "have it; only servers of earlier versions are sent it",
    payload{boost::json::value{{"method", method}}});
}

caf::error held_too_much_error(const std::string& method,
                               std::size_t bytes_held, std::size_t bytes_max) {
  return local_error(
    errc::write_queue_full,
    method + ": " + std::to_string(bytes_held)
      + " bytes of notifications wait for the server to be ready; "
        "max_unwritten_bytes allows "
      + std::to_string(bytes_max),
    payload{boost::json::value{{"method", method},
                               {"maxUnwrittenBytes", bytes_max}}});
}

caf::error invalid_answer(const pending_request& request,
                          std::string_view what) {
  return local_error(errc::invalid_response,
                     request.method + ": " + std::string{what});
}

caf::error input_error(errc code, const pending_request& request,
                       const input_request& asked, const std::string& why) {
  boost::json::object data{{"method", request.method},
                           {"inputMethod", asked.request.method},
                           {"inputKey", asked.key}};
  return local_error(code,
                     request.method + ": the server asks for "
                       + asked.request.method + ": " + why,
                     payload{std::move(data)});
}

} // namespace caf_mcp
