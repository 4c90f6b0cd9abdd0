#include "caf_mcp/messages/error_info.hpp"

#include "caf_mcp/messages/json/utf8.hpp"

#include <caf/exit_reason.hpp>
#include <caf/message.hpp>
#include <caf/sec.hpp>

#include <utility>

namespace caf_mcp {

namespace {

error_info local_info(errc code, std::string message, payload data) {
  return {error_origin::local, std::string{to_string(code)},
          json_rpc_code(code), to_valid_utf8(std::move(message)),
          std::move(data)};
}

/// Describes an error of CAF itself as the error of ours that it amounts to.
error_info describe_foreign(const caf::error& error) {
  if (error == caf::sec::request_timeout)
    return local_info(errc::request_timeout, "the request timed out", {});
  boost::json::object data{{"reason", "actor_down"}};
  return local_info(errc::connection_closed,
                    "the connection actor is gone: " + caf::to_string(error),
                    payload{std::move(data)});
}

} // namespace

std::string_view to_string(error_origin origin) noexcept {
  switch (origin) {
    case error_origin::local:
      return "local";
    case error_origin::peer:
      return "peer";
  }
  return {};
}

caf::error local_error(errc code, std::string message, payload data) {
  return caf::make_error(code,
                         local_info(code, std::move(message), std::move(data)));
}

caf::error peer_error(const rpc_error& error) {
  return caf::make_error(errc::rpc_error,
                         error_info{error_origin::peer,
                                    std::string{to_string(errc::rpc_error)},
                                    error.code, error.message, error.data});
}

caf::error config_error(std::string_view key,
                        std::string_view what_is_allowed) {
  auto message = std::string{key};
  message += ": ";
  message += what_is_allowed;
  boost::json::object data{{"key", to_valid_utf8(std::string{key})}};
  return local_error(errc::config_invalid, std::move(message),
                     payload{std::move(data)});
}

error_info describe(const caf::error& error) {
  const auto& context = error.context();
  if (context.match_elements<error_info>())
    return context.get_as<error_info>(0);
  if (error.category() == caf::type_id_v<errc>) {
    auto code = static_cast<errc>(error.code());
    return local_info(code, std::string{to_string(code)}, {});
  }
  return describe_foreign(error);
}

caf::error to_error(error_info info) {
  if (info.name.empty())
    return {};
  const auto code = enum_from_name<errc>(info.name);
  return caf::make_error(code.value_or(errc::connection_closed),
                         std::move(info));
}

boost::json::object to_json(const error_info& info) {
  boost::json::object result{{"origin", to_string(info.origin)},
                             {"name", info.name},
                             {"code", info.code},
                             {"message", info.message}};
  if (info.data)
    result.emplace("data", info.data.value());
  return result;
}

} // namespace caf_mcp
