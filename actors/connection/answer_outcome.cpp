#include "caf_mcp/actors/connection/answer_outcome.hpp"

#include "caf_mcp/actors/connection/call_errors.hpp"

#include <string>
#include <utility>

namespace caf_mcp {

answer_outcome read_answer(const pending_request& request,
                           incoming_response&& message) {
  if (message.result && message.error)
    return invalid_answer(request,
                          "the response has both a result and an error");
  if (message.result)
    return std::move(message.result);
  if (!message.error)
    return invalid_answer(request,
                          "the response has neither a result nor an error");
  if (auto error = read_error(message.error))
    return std::move(*error);
  return invalid_answer(request,
                        "the error of the response has no integer code");
}

std::optional<rpc_error> read_error(const payload& error) {
  const auto* object = error.if_object();
  if (object == nullptr)
    return std::nullopt;
  const auto* code = object->if_contains("code");
  if (code == nullptr || !code->is_int64())
    return std::nullopt;
  return rpc_error{code->get_int64(),
                   std::string{error.string_member("message")},
                   error.member("data")};
}

} // namespace caf_mcp
