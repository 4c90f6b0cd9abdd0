#include "caf_mcp/actors/hub/dependencies.hpp"

#include "caf_mcp/messages/error_info.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

namespace caf_mcp {

namespace {

const server_entry* find(const std::vector<server_entry>& all,
                         std::string_view name) {
  const auto found
    = std::find_if(all.begin(), all.end(),
                   [name](const server_entry& x) { return x.name == name; });
  return found != all.end() ? &*found : nullptr;
}

/// Returns whether `from` needs the server `name`, be it by way of others.
bool leads_to(const std::vector<server_entry>& all, const server_entry& from,
              std::string_view name, std::set<std::string_view>& seen) {
  for (const auto& each : from.policy.depends_on) {
    if (each == name)
      return true;
    const auto* next = find(all, each);
    if (next != nullptr && seen.insert(next->name).second
        && leads_to(all, *next, name, seen))
      return true;
  }
  return false;
}

caf::error depends_on_error(const server_entry& entry, std::string_view what) {
  return config_error("depends_on",
                      "of \"" + entry.name + "\" " + std::string{what});
}

} // namespace

caf::error dependency_error(const std::vector<server_entry>& all,
                            const server_entry& entry) {
  for (const auto& name : entry.policy.depends_on)
    if (find(all, name) == nullptr)
      return depends_on_error(entry, "has \"" + name
                                       + "\", which is no server of this hub");
  std::set<std::string_view> seen;
  if (leads_to(all, entry, entry.name, seen))
    return depends_on_error(entry, "leads back to the server itself; none may "
                                   "need itself");
  return {};
}

std::vector<server_entry> with_dependencies(std::vector<server_entry> all) {
  const auto known = all;
  for (auto& entry : all)
    if (auto error = dependency_error(known, entry);
        error && entry.state == server_entry_state::usable) {
      entry.state = server_entry_state::broken;
      entry.error = std::move(error);
    }
  return all;
}

} // namespace caf_mcp
