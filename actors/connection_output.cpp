#include "caf_mcp/actors/connection_actor.hpp"
#include "caf_mcp/messages/error_info.hpp"
#include "caf_mcp/messages/excerpt.hpp"
#include "caf_mcp/messages/output_schema.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <string_view>
#include <utility>

namespace caf_mcp {

namespace {

constexpr std::string_view structured_key = "structuredContent";

bool is_structured(const pending_request& request, const payload& result) {
  const auto* object = result.if_object();
  return request.method == "tools/call" && object != nullptr
         && object->contains(structured_key);
}

/// Checks on CAF's scheduler: a loop must not wait for what a server makes
/// large. Answers with the obstacle, if there is one.
handler_function checker(payload schema, const std::string& tool) {
  return [schema = std::move(schema),
          tool](const server_request& output) -> caf::expected<payload> {
    auto verdict = check_output(schema, output.params);
    if (!verdict.problem.empty())
      return local_error(errc::invalid_response,
                         "tools/call: the structuredContent of " + excerpt(tool)
                           + " does not fit its outputSchema: "
                           + verdict.problem);
    boost::json::object result;
    result["obstacle"] = verdict.obstacle;
    return payload{boost::json::value(std::move(result))};
  };
}

} // namespace

void connection_actor::remember_output_schemas(const pending_request& request,
                                               const payload& result) {
  if (options_->allow_invalid_output || request.method != "tools/list")
    return;
  const auto tools = result.member("tools");
  const auto* items = tools.value().if_array();
  if (items == nullptr)
    return;
  for (const auto& item : *items) {
    const payload tool{item};
    const auto schema = tool.member("outputSchema");
    auto name = std::string{tool.string_member("name")};
    if (schema)
      output_schemas_.insert_or_assign(std::move(name), schema);
    else
      output_schemas_.erase(name);
  }
}

/// MCP, Tools, Output schema: clients should validate. The answered request
/// waits in the table, under an id that is never sent.
void connection_actor::finish(pending_request&& request, payload result) {
  if (output_schemas_.empty() || !is_structured(request, result)) {
    request.reply.deliver(std::move(result));
    return;
  }
  const auto tool = std::string{request.params.string_member("name")};
  const auto known = output_schemas_.find(tool);
  if (known == output_schemas_.end()) {
    request.reply.deliver(std::move(result));
    return;
  }
  const auto output = result.member(structured_key);
  request.written_as = 0;
  request.task.reset();
  request.last_deadline = request.total_deadline;
  request.deadline = request.last_deadline;
  auto* owner = request.owner;
  auto& added = requests_.add(std::move(request), owner);
  added.check.emplace(
    run_handler(checker(known->second, tool), server_request{"", output},
                [this, id = added.id, result](const handler_outcome& outcome) {
                  on_output_checked(id, result, outcome);
                }));
  arm_timer();
}

void connection_actor::on_output_checked(std::int64_t id, payload result,
                                         const handler_outcome& outcome) {
  auto request = requests_.take(id);
  if (!request)
    return; // it is over, and this handler was told so
  if (!outcome) {
    fail(*request, outcome.error());
  } else {
    if (const auto why = outcome->string_member("obstacle"); !why.empty()) {
      const auto tool = std::string{request->params.string_member("name")};
      output_schemas_.erase(tool); // once is enough
      remark("the outputSchema of the tool " + excerpt(tool)
             + " is not checked: " + std::string{why});
    }
    request->reply.deliver(std::move(result));
  }
  end_if_drained();
}

void connection_actor::remark(std::string what) {
  if (!logs_)
    return;
  server_output output;
  output.remarks.push_back(std::move(what));
  caf_version::tell(this, logs_, std::move(output));
}

void connection_actor::note_oddity(oddity which, const std::string& what) {
  if (auto count = oddities_.add(which))
    remark("the server " + what + "; " + std::to_string(*count) + " so far");
}

} // namespace caf_mcp
