#include "caf_mcp/actors/connection/subscriptions/uri_refs.hpp"

namespace caf_mcp {

uri_refs::standing uri_refs::add(const std::string& uri,
                                 std::uint64_t listener) {
  auto [found, is_new] = entries_.try_emplace(uri);
  found->second.listeners.insert(listener);
  if (is_new)
    return standing::unknown;
  return found->second.is_confirmed ? standing::confirmed : standing::asked;
}

void uri_refs::asked(const std::string& uri, std::uint64_t number) {
  entries_[uri].number = number;
}

std::vector<std::uint64_t> uri_refs::confirm(const std::string& uri,
                                             std::uint64_t number) {
  auto found = entries_.find(uri);
  if (found == entries_.end() || found->second.number != number)
    return {};
  found->second.is_confirmed = true;
  const auto& listeners = found->second.listeners;
  return {listeners.begin(), listeners.end()};
}

std::vector<std::uint64_t> uri_refs::refuse(const std::string& uri,
                                            std::uint64_t number) {
  auto result = confirm(uri, number);
  if (!result.empty())
    entries_.erase(uri);
  return result;
}

std::vector<std::string> uri_refs::remove(std::uint64_t listener) {
  std::vector<std::string> result;
  for (auto i = entries_.begin(); i != entries_.end();) {
    auto& [uri, known] = *i;
    if (known.listeners.erase(listener) > 0 && known.listeners.empty()) {
      result.push_back(uri);
      i = entries_.erase(i);
    } else {
      ++i;
    }
  }
  return result;
}

} // namespace caf_mcp
