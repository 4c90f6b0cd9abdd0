#include "caf_mcp/messages/error_payload.hpp"

#include "caf_mcp/messages/json/compose.hpp"

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <utility>

namespace caf_mcp {

namespace {

payload composed(boost::json::object members, std::string_view key,
                 const payload& part) {
  payload rest{boost::json::value(std::move(members))};
  return part ? with_member(rest, key, part) : rest;
}

} // namespace

payload to_payload(const error_info& info) {
  auto rest = info;
  rest.data = {};
  return composed(to_json(rest), "data", info.data);
}

payload to_payload(const rpc_error& error) {
  return composed({{"code", error.code}, {"message", error.message}}, "data",
                  error.data);
}

payload to_payload(const close_reason& reason) {
  auto rest = reason;
  rest.server_error = {};
  return composed(to_json(rest), "server_error", reason.server_error);
}

payload to_payload(const server_status& status) {
  const auto error
    = status.last_error ? to_payload(describe(status.last_error)) : payload{};
  return composed(to_json(status), "error", error);
}

} // namespace caf_mcp
