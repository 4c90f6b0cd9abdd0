#include "caf_mcp/actors/connection/output_checks.hpp"

#include "caf_mcp/messages/error_info.hpp"
#include "caf_mcp/messages/json/excerpt.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <algorithm>
#include <string_view>
#include <unordered_set>

namespace caf_mcp {

namespace {

constexpr std::string_view structured_key = "structuredContent";

/// MCP, Tools, Error handling: what a tool says of its failure is no result.
bool is_failure(const payload& result) {
  const auto flag = result.member("isError");
  return flag.value().is_bool() && flag.value().get_bool();
}

} // namespace

void output_checks::learn(const payload& page) {
  const auto tools = page.member("tools");
  const auto* items = tools.value().if_array();
  if (items == nullptr)
    return;
  for (const auto& item : *items) {
    const auto tool = tools.part(&item);
    auto name = std::string{tool.string_member("name")};
    if (auto schema = tool.member("outputSchema"))
      schemas_.insert_or_assign(std::move(name), std::move(schema));
    else
      schemas_.erase(name);
  }
}

/// Returns what the result must fit, or nullptr.
const payload* output_checks::schema_of(std::string_view tool,
                                        const outcome& what) const {
  const auto* result = std::get_if<payload>(&what);
  if (schemas_.empty() || tool.empty() || result == nullptr)
    return nullptr;
  const auto found = schemas_.find(std::string{tool});
  return found == schemas_.end() || !result->member(structured_key)
             || is_failure(*result)
           ? nullptr
           : &found->second;
}

output_checks::step output_checks::add(request answered, outcome what) {
  step next;
  const auto waits = !held_.empty() && held_for_.contains(answered.caller);
  const auto* schema = schema_of(answered.tool, what);
  if (schema == nullptr && !waits) {
    next.answers.push_back({std::move(answered.to), std::move(what)});
    return next;
  }
  held added{++last_number_,  std::move(answered.to),
             answered.caller, answered.deadline,
             std::move(what), std::string{answered.tool}};
  if (schema != nullptr) {
    const auto checked = check_output(
      *schema, std::get<payload>(added.what).member(structured_key),
      {.steps_max = quick_steps_max});
    if (checked.result != output_check::outcome::over_budget)
      apply(checked, added.tool, added.what, next);
    else if (waiting() <= waiting_max)
      added.schema = *schema;
    else
      apply({checked.result, "too many checks are waiting"}, added.tool,
            added.what, next);
  }
  if (!waits && !added.schema) {
    next.answers.push_back({std::move(added.to), std::move(added.what)});
    return next;
  }
  ++held_for_[added.caller];
  held_.push_back(std::move(added));
  release_and_go_on(next);
  return next;
}

/// Returns how many checks have not ended, of which one runs.
std::size_t output_checks::waiting() const {
  return static_cast<std::size_t>(
    std::count_if(held_.begin(), held_.end(),
                  [](const held& each) { return each.schema.has_value(); }));
}

void output_checks::attach(std::uint64_t number, running_handler runner) {
  if (number == running_)
    runner_ = std::move(runner);
}

output_checks::step output_checks::on_checked(std::uint64_t number,
                                              const output_check& checked) {
  step next;
  if (number != running_)
    return next; // it was given up: its answer has been released or dropped
  const auto found
    = std::find_if(held_.begin(), held_.end(), [number](const held& each) {
        return each.number == number;
      });
  found->schema.reset();
  apply(checked, found->tool, found->what, next);
  running_ = 0;
  release_and_go_on(next);
  return next;
}

void output_checks::apply(const output_check& checked, const std::string& tool,
                          outcome& what, step& next) {
  using result = output_check::outcome;
  if (checked.result == result::misfits) {
    what = local_error(errc::invalid_response,
                       "tools/call: the structuredContent of " + excerpt(tool)
                         + " does not fit its outputSchema: " + checked.why);
  } else if (checked.result == result::unsupported) {
    if (schemas_.erase(tool) > 0) // told once
      next.remarks.push_back("the outputSchema of the tool " + excerpt(tool)
                             + " is not checked: " + checked.why);
  } else if (checked.result == result::over_budget) {
    next.remarks.push_back("a result of the tool " + excerpt(tool)
                           + " was not checked against its outputSchema: "
                           + checked.why);
  }
}

output_checks::step output_checks::on_deadline(clock::time_point now) {
  step next;
  // From the last to the first: an answer that is due releases those before
  // it that go to the same caller.
  std::unordered_set<const request_owner*> due;
  for (auto each = held_.rbegin(); each != held_.rend(); ++each) {
    if (each->deadline <= now)
      due.insert(each->caller);
    if (due.contains(each->caller))
      abandon(*each, "the time of its request is up", next);
  }
  if (!due.empty())
    release_and_go_on(next);
  return next;
}

std::optional<output_checks::clock::time_point>
output_checks::next_deadline() const {
  if (held_.empty())
    return std::nullopt;
  return std::min_element(
           held_.begin(), held_.end(),
           [](const held& a, const held& b) { return a.deadline < b.deadline; })
    ->deadline;
}

output_checks::step output_checks::forget(const request_owner* caller) {
  step next;
  if (held_for_.erase(caller) == 0)
    return next;
  for (auto each = held_.begin(); each != held_.end();) {
    if (each->caller != caller) {
      ++each;
      continue;
    }
    if (each->number == running_) {
      running_ = 0;
      runner_ = {};
    }
    each = held_.erase(each);
  }
  release_and_go_on(next);
  return next;
}

output_checks::step output_checks::release_all() {
  step next;
  for (auto& each : held_)
    abandon(each, "the connection has ended", next);
  release_and_go_on(next);
  return next;
}

/// Ends the check of an answer, which is released unchecked.
void output_checks::abandon(held& which, std::string_view why, step& next) {
  if (!which.schema)
    return;
  which.schema.reset();
  if (which.number == running_) {
    running_ = 0;
    runner_ = {};
  }
  apply({output_check::outcome::over_budget, std::string{why}}, which.tool,
        which.what, next);
}

/// Releases what no check holds up, and has the next check started.
void output_checks::release_and_go_on(step& next) {
  std::unordered_set<const request_owner*> blocked;
  for (auto each = held_.begin(); each != held_.end();) {
    if (each->schema && running_ == 0) {
      running_ = each->number;
      next.start = check{each->number, *each->schema,
                         std::get<payload>(each->what).member(structured_key)};
    }
    if (each->schema || blocked.contains(each->caller)) {
      blocked.insert(each->caller);
      ++each;
      continue;
    }
    next.answers.push_back({std::move(each->to), std::move(each->what)});
    if (auto count = held_for_.find(each->caller); --count->second == 0)
      held_for_.erase(count);
    each = held_.erase(each);
  }
}

} // namespace caf_mcp
