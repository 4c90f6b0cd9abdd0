#include "caf_mcp/actors/connection/output_checker.hpp"

#include <string>
#include <utility>

namespace caf_mcp {

blocking_handler_function output_checker(output_checks::check wanted) {
  return [wanted = std::move(wanted)](
           const server_request&,
           const std::stop_token& stop) -> caf::expected<payload> {
    check_budget budget;
    budget.stop = stop;
    const auto checked = check_output(wanted.schema, wanted.content, budget);
    return payload{boost::json::value{
      {"result", static_cast<int>(checked.result)}, {"why", checked.why}}};
  };
}

output_check read_check(const caf::expected<payload>& outcome) {
  if (!outcome) // as when there is no thread to be had
    return {output_check::outcome::over_budget, to_string(outcome.error())};
  const auto result = outcome->member("result").value().get_int64();
  return {static_cast<output_check::outcome>(result),
          std::string{outcome->string_member("why")}};
}

} // namespace caf_mcp
