#include "caf_mcp/actors/connection/output_checks.hpp"

#include "caf_mcp/messages/error_info.hpp"
#include "caf_mcp/messages/json/excerpt.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <string_view>

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
  held added{std::move(answered.to), answered.caller, answered.deadline,
             std::move(what), std::string{answered.tool}};
  if (schema != nullptr) {
    const auto checked = check_output(
      *schema, std::get<payload>(added.what).member(structured_key),
      {.steps_max = quick_steps_max});
    if (checked.result != output_check::outcome::over_budget)
      apply(checked, added.tool, added.what, next);
    else if (unchecked_.size() <= waiting_max) // one of them runs
      added.schema = *schema;
    else
      apply({checked.result, "too many checks are waiting"}, added.tool,
            added.what, next);
  }
  if (waits || added.schema)
    hold(std::move(added), next);
  else
    next.answers.push_back({std::move(added.to), std::move(added.what)});
  return next;
}

void output_checks::hold(held&& added, step& next) {
  const auto number = ++last_number_;
  held_for_[added.caller].push_back(number);
  deadlines_.emplace(added.deadline, number);
  if (added.schema)
    unchecked_.push_back(number);
  held_.emplace(number, std::move(added));
  start_next(next);
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
  auto& which = held_.at(number);
  end_check(number);
  apply(checked, which.tool, which.what, next);
  release(which.caller, next);
  start_next(next);
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
  while (!deadlines_.empty() && deadlines_.begin()->first <= now) {
    const auto due = deadlines_.begin()->second;
    const auto* caller = held_.at(due).caller;
    // Those before it go first.
    for (const auto number : held_for_.at(caller)) {
      if (number > due)
        break;
      abandon(number, "the time of its request is up", next);
    }
    release(caller, next);
  }
  start_next(next);
  return next;
}

std::optional<output_checks::clock::time_point>
output_checks::next_deadline() const {
  if (deadlines_.empty())
    return std::nullopt;
  return deadlines_.begin()->first;
}

output_checks::step output_checks::forget(const request_owner* caller) {
  step next;
  const auto found = held_for_.find(caller);
  if (found == held_for_.end())
    return next;
  for (const auto number : found->second) {
    end_check(number);
    deadlines_.erase({held_.at(number).deadline, number});
    held_.erase(number);
  }
  held_for_.erase(found);
  start_next(next);
  return next;
}

output_checks::step output_checks::release_all() {
  step next;
  for (auto& [number, each] : held_) {
    abandon(number, "the connection has ended", next);
    next.answers.push_back({std::move(each.to), std::move(each.what)});
  }
  held_.clear();
  held_for_.clear();
  deadlines_.clear();
  return next;
}

/// A check has ended, or is not wanted any more.
void output_checks::end_check(std::uint64_t number) {
  held_.at(number).schema.reset();
  std::erase(unchecked_, number);
  if (number == running_) {
    running_ = 0;
    runner_ = {};
  }
}

/// Ends the check of an answer, which is to be released unchecked.
void output_checks::abandon(std::uint64_t number, std::string_view why,
                            step& next) {
  auto& which = held_.at(number);
  if (!which.schema)
    return;
  end_check(number);
  apply({output_check::outcome::over_budget, std::string{why}}, which.tool,
        which.what, next);
}

/// Releases the answers of a caller up to the first one whose check has not
/// ended.
void output_checks::release(const request_owner* caller, step& next) {
  const auto found = held_for_.find(caller);
  auto& numbers = found->second;
  while (!numbers.empty()) {
    const auto first = held_.find(numbers.front());
    auto& each = first->second;
    if (each.schema)
      return;
    deadlines_.erase({each.deadline, first->first});
    next.answers.push_back({std::move(each.to), std::move(each.what)});
    held_.erase(first);
    numbers.pop_front();
  }
  held_for_.erase(found);
}

/// Has the next check started unless one runs.
void output_checks::start_next(step& next) {
  if (running_ != 0 || unchecked_.empty())
    return;
  running_ = unchecked_.front();
  const auto& which = held_.at(running_);
  next.start = check{running_, *which.schema,
                     std::get<payload>(which.what).member(structured_key)};
}

} // namespace caf_mcp
