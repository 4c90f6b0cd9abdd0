#include "caf_mcp/actors/state/server_requests.hpp"

#include <utility>

namespace caf_mcp {

namespace {

/// Returns one spelling for all JSON texts of one string. Numbers keep theirs,
/// for their values may be rounded.
std::string spelling(const std::string& id_json) {
  return id_json.starts_with('"') ? parse_payload(id_json).to_json() : id_json;
}

} // namespace

bool server_requests::contains(const std::string& id_json) const {
  return numbers_.contains(spelling(id_json));
}

std::uint64_t server_requests::add(std::string id_json) {
  const auto number = ++last_number_;
  numbers_.emplace(spelling(id_json), number);
  requests_.emplace(number, entry{std::move(id_json), {}});
  return number;
}

void server_requests::attach(std::uint64_t number, running_handler handler) {
  if (auto found = requests_.find(number); found != requests_.end())
    found->second.handler = std::move(handler);
}

std::optional<std::string> server_requests::finish(std::uint64_t number) {
  auto found = requests_.find(number);
  if (found == requests_.end())
    return std::nullopt;
  auto id_json = std::move(found->second.id_json);
  numbers_.erase(spelling(id_json));
  requests_.erase(found);
  return id_json;
}

void server_requests::cancel(const payload& id) {
  if (auto found = numbers_.find(id.to_json()); found != numbers_.end())
    finish(found->second);
}

void server_requests::clear() {
  requests_.clear();
  numbers_.clear();
}

} // namespace caf_mcp
