#include "caf_mcp/actors/connection/request_table.hpp"

#include <algorithm>
#include <utility>

namespace caf_mcp {

namespace {

using clock = request_table::clock;

/// Nodes kept for requests to come, at most.
constexpr std::size_t spare_max = 1024;

/// Which of its two lists a request is to join or to leave.
using links_member = request_links pending_request::*;

void push_front(pending_request*& first, pending_request& request,
                links_member links) {
  request.*links = {nullptr, first};
  if (first != nullptr)
    (first->*links).previous = &request;
  first = &request;
}

void remove(pending_request*& first, pending_request& request,
            links_member links) {
  const auto [previous, next] = request.*links;
  if (previous != nullptr)
    (previous->*links).next = next;
  else
    first = next;
  if (next != nullptr)
    (next->*links).previous = previous;
}

/// Returns `deadline` in whole milliseconds; never earlier.
clock::time_point to_whole(clock::time_point deadline) {
  using std::chrono::milliseconds;
  constexpr auto none = clock::time_point::max();
  if (deadline > std::chrono::floor<milliseconds>(none))
    return none;
  return std::chrono::ceil<milliseconds>(deadline);
}

} // namespace

pending_request& request_table::add(pending_request&& request,
                                    request_owner* owner) {
  request.id = ++last_id_;
  auto& added = insert(std::move(request));
  added.owner = owner;
  if (owner != nullptr)
    push_front(owner->first, added, &pending_request::of_owner);
  arm(added);
  return added;
}

pending_request& request_table::insert(pending_request&& request) {
  if (spare_.empty())
    return requests_.emplace(request.id, std::move(request)).first->second;
  auto node = std::move(spare_.back());
  spare_.pop_back();
  node.key() = request.id;
  node.mapped() = std::move(request);
  return requests_.insert(std::move(node)).position->second;
}

pending_request* request_table::find(std::int64_t id) {
  auto found = requests_.find(id);
  return found == requests_.end() ? nullptr : &found->second;
}

const pending_request* request_table::find(std::int64_t id) const {
  auto found = requests_.find(id);
  return found == requests_.end() ? nullptr : &found->second;
}

std::optional<pending_request> request_table::take(std::int64_t id) {
  auto* request = find(id);
  if (request == nullptr)
    return std::nullopt;
  return take(*request);
}

pending_request request_table::take(pending_request& request) {
  if (request.owner != nullptr)
    remove(request.owner->first, request, &pending_request::of_owner);
  disarm(request);
  auto node = requests_.extract(request.id);
  auto result = std::move(node.mapped());
  if (spare_.size() < spare_max)
    spare_.push_back(std::move(node));
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
  disarm(request);
  request.deadline = deadline;
  arm(request);
}

void request_table::arm(pending_request& request) {
  // Most requests have the same time-out, so the newest deadline is the latest.
  request.due = deadlines_.try_emplace(deadlines_.end(),
                                       to_whole(request.due_at()), nullptr);
  push_front(request.due->second, request, &pending_request::of_deadline);
}

void request_table::disarm(pending_request& request) {
  remove(request.due->second, request, &pending_request::of_deadline);
  if (request.due->second == nullptr)
    deadlines_.erase(request.due);
}

std::optional<clock::time_point> request_table::next_deadline() const {
  if (deadlines_.empty())
    return std::nullopt;
  return deadlines_.begin()->first;
}

std::vector<std::int64_t> request_table::overdue(clock::time_point now) const {
  std::vector<std::int64_t> result;
  for (const auto& [deadline, first] : deadlines_) {
    if (deadline > now)
      break;
    const auto size_before = static_cast<std::ptrdiff_t>(result.size());
    for (const auto* each = first; each != nullptr;
         each = each->of_deadline.next)
      result.push_back(each->id);
    std::reverse(result.begin() + size_before, result.end());
  }
  return result;
}

std::vector<std::int64_t> request_table::ids_of(const request_owner& owner) {
  std::vector<std::int64_t> result;
  for (const auto* each = owner.first; each != nullptr;
       each = each->of_owner.next)
    result.push_back(each->id);
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

} // namespace caf_mcp
