#include "caf_mcp/actors/state/request_table.hpp"

#include <algorithm>
#include <utility>

namespace caf_mcp {

namespace {

/// Nodes kept for requests to come, at most.
constexpr std::size_t spare_max = 1024;

} // namespace

pending_request& request_table::add(pending_request&& request,
                                    request_owner* owner) {
  request.id = next_id();
  auto& added = insert(std::move(request));
  link(added, owner);
  return added;
}

pending_request& request_table::insert(pending_request&& request) {
  if (spare_.empty()) {
    auto& added
      = requests_.emplace(request.id, std::move(request)).first->second;
    // Most requests have the same time-out, so the newest deadline is the
    // latest.
    added.deadline_entry
      = deadlines_.emplace_hint(deadlines_.end(), added.deadline, added.id);
    return added;
  }
  auto nodes = std::move(spare_.back());
  spare_.pop_back();
  nodes.deadline.key() = request.deadline;
  nodes.deadline.mapped() = request.id;
  nodes.request.key() = request.id;
  nodes.request.mapped() = std::move(request);
  auto& added = requests_.insert(std::move(nodes.request)).position->second;
  added.deadline_entry
    = deadlines_.insert(deadlines_.end(), std::move(nodes.deadline));
  return added;
}

pending_request* request_table::find(std::int64_t id) {
  auto found = requests_.find(id);
  return found == requests_.end() ? nullptr : &found->second;
}

std::optional<pending_request> request_table::take(std::int64_t id) {
  auto found = requests_.find(id);
  if (found == requests_.end())
    return std::nullopt;
  unlink(found->second);
  std::optional<pending_request> result{std::move(found->second)};
  auto deadline = deadlines_.extract(result->deadline_entry);
  auto request = requests_.extract(found);
  if (spare_.size() < spare_max)
    spare_.push_back({std::move(request), std::move(deadline)});
  return result;
}

std::vector<pending_request> request_table::take_all() {
  std::vector<pending_request> result;
  result.reserve(requests_.size());
  for (auto id : ids())
    result.push_back(*take(id));
  return result;
}

void request_table::set_deadline(pending_request& request,
                                 clock::time_point deadline) {
  deadlines_.erase(request.deadline_entry);
  request.deadline = deadline;
  request.deadline_entry
    = deadlines_.emplace_hint(deadlines_.end(), deadline, request.id);
}

std::optional<request_table::clock::time_point>
request_table::next_deadline() const {
  if (deadlines_.empty())
    return std::nullopt;
  return deadlines_.begin()->first;
}

std::vector<std::int64_t> request_table::overdue(clock::time_point now) const {
  std::vector<std::int64_t> result;
  for (const auto& [deadline, id] : deadlines_) {
    if (deadline > now)
      break;
    result.push_back(id);
  }
  return result;
}

std::vector<std::int64_t> request_table::ids_of(const request_owner& owner) {
  std::vector<std::int64_t> result;
  for (auto* request = owner.first; request != nullptr;
       request = request->owner_next)
    result.push_back(request->id);
  return result;
}

std::vector<std::int64_t> request_table::ids() const {
  std::vector<std::int64_t> result;
  result.reserve(requests_.size());
  for (const auto& [id, _] : requests_)
    result.push_back(id);
  std::sort(result.begin(), result.end());
  return result;
}

void request_table::link(pending_request& request, request_owner* owner) {
  request.owner = owner;
  request.owner_previous = nullptr;
  request.owner_next = nullptr;
  if (owner == nullptr)
    return;
  request.owner_next = owner->first;
  if (owner->first != nullptr)
    owner->first->owner_previous = &request;
  owner->first = &request;
}

void request_table::unlink(pending_request& request) {
  if (request.owner == nullptr)
    return;
  if (request.owner_previous != nullptr)
    request.owner_previous->owner_next = request.owner_next;
  else
    request.owner->first = request.owner_next;
  if (request.owner_next != nullptr)
    request.owner_next->owner_previous = request.owner_previous;
}

} // namespace caf_mcp
