#include "caf_mcp/actors/connection/response_cache.hpp"

#include "caf_mcp/actors/connection/subscriptions/listen_filters.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>

namespace caf_mcp {

namespace {

constexpr std::string_view read_method = "resources/read";

constexpr std::array<std::string_view, 5> methods{
  "tools/list", "prompts/list", "resources/list", "resources/templates/list",
  read_method};

/// Longer times are cut to this, so that no sum overflows.
constexpr std::int64_t ttl_ms_max = std::int64_t{365} * 24 * 3600 * 1000;

std::string key_of(std::string_view method, const payload& params) {
  return std::string{method} + ' ' + params.to_json();
}

/// Returns how long a result is fresh; zero if it must not be kept.
std::chrono::milliseconds time_to_live(const payload& result) {
  const auto type = result.string_member("resultType");
  const auto ttl = result.member("ttlMs");
  if ((!type.empty() && type != "complete") || !ttl.value().is_int64())
    return std::chrono::milliseconds{0};
  return std::chrono::milliseconds{
    std::clamp(ttl.value().get_int64(), std::int64_t{0}, ttl_ms_max)};
}

/// Returns whether results of this method are lists that the event speaks of.
bool lists_what_changed(std::string_view method, event_kind kind) {
  switch (kind) {
    case event_kind::tools_changed:
      return method == "tools/list";
    case event_kind::prompts_changed:
      return method == "prompts/list";
    case event_kind::resources_changed:
      return method == "resources/list" || method == "resources/templates/list";
    case event_kind::resource_updated:
    case event_kind::log_message:
      return false;
  }
  return false;
}

} // namespace

payload response_cache::find(std::string_view method, const payload& params,
                             clock::time_point now) {
  if (entries_.empty() || !can_keep(method, params))
    return {};
  auto found = by_key_.find(key_of(method, params));
  if (found == by_key_.end())
    return {};
  if (now < found->second->fresh_until)
    return found->second->result;
  erase(found->second);
  return {};
}

void response_cache::add(std::string_view method, const payload& params,
                         const payload& result, clock::time_point now) {
  if (!can_keep(method, params))
    return;
  const auto ttl = time_to_live(result);
  if (ttl.count() == 0)
    return;
  auto key = key_of(method, params);
  if (auto found = by_key_.find(key); found != by_key_.end())
    erase(found->second);
  else if (entries_.size() >= results_max_)
    erase(entries_.begin());
  entries_.push_back({key, std::string{method},
                      std::string{params.string_member("uri")}, result,
                      now + ttl});
  by_key_.emplace(std::move(key), std::prev(entries_.end()));
}

void response_cache::on_event(const server_event& event) {
  if (event.kind == event_kind::log_message)
    return;
  ++changes_;
  for (auto next = entries_.begin(); next != entries_.end();) {
    const auto which = next++;
    const auto is_read_again = event.kind == event_kind::resource_updated
                               && which->method == read_method
                               && is_within(event.uri, which->uri);
    if (is_read_again || lists_what_changed(which->method, event.kind))
      erase(which);
  }
}

void response_cache::clear() noexcept {
  entries_.clear();
  by_key_.clear();
}

bool response_cache::can_keep(std::string_view method,
                              const payload& params) const {
  return results_max_ > 0
         && std::find(methods.begin(), methods.end(), method) != methods.end()
         && !params.member("_meta") && !params.member("inputResponses")
         && !params.member("requestState");
}

void response_cache::erase(entry_list::iterator which) {
  by_key_.erase(which->key);
  entries_.erase(which);
}

} // namespace caf_mcp
