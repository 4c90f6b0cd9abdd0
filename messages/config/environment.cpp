#include "caf_mcp/messages/config/environment.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace caf_mcp {

namespace {

constexpr std::array<std::string_view, 6> posix_names{
  "HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER",
};

constexpr std::array<std::string_view, 13> windows_names{
  "APPDATA",
  "HOMEDRIVE",
  "HOMEPATH",
  "LOCALAPPDATA",
  "PATH",
  "PATHEXT",
  "PROCESSOR_ARCHITECTURE",
  "SYSTEMDRIVE",
  "SYSTEMROOT",
  "TEMP",
  "USERNAME",
  "USERPROFILE",
  "PROGRAMFILES",
};

char upper(char c) noexcept {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

/// Orders names as the platform tells them apart.
struct name_less {
  platform where;

  bool operator()(std::string_view lhs, std::string_view rhs) const noexcept {
    if (where == platform::posix)
      return lhs < rhs;
    return std::lexicographical_compare(
      lhs.begin(), lhs.end(), rhs.begin(), rhs.end(),
      [](char x, char y) { return upper(x) < upper(y); });
  }
};

bool is_same(std::string_view lhs, std::string_view rhs, platform where) {
  auto less = name_less{where};
  return !less(lhs, rhs) && !less(rhs, lhs);
}

using variables = std::map<std::string_view, std::string_view, name_less>;

/// Splits `NAME=value`. A name may start with `=`: Windows keeps the working
/// directory of each drive in variables such as `=C:`.
std::optional<std::pair<std::string_view, std::string_view>>
split(std::string_view entry) {
  auto separator = entry.find('=', 1);
  if (separator == std::string_view::npos)
    return std::nullopt;
  return std::pair{entry.substr(0, separator), entry.substr(separator + 1)};
}

bool is_inherited(std::string_view name, const inherited_variables& which,
                  platform where) {
  if (which.policy == inherit_policy::all)
    return true;
  auto matches
    = [&](std::string_view other) { return is_same(name, other, where); };
  return std::ranges::any_of(inheritable_names(where), matches)
         || std::ranges::any_of(which.extra_names, matches);
}

/// Bash exports a function as a variable of this form, and a shell that starts
/// with one runs what it holds (CVE-2014-6271).
bool is_shell_function(std::string_view value) noexcept {
  return value.starts_with("()");
}

variables inherited(const environment_block& host,
                    const inherited_variables& which, platform where) {
  auto result = variables{name_less{where}};
  for (const auto& entry : host)
    if (auto variable = split(entry))
      if (is_inherited(variable->first, which, where)
          && !is_shell_function(variable->second))
        result.insert(*variable);
  return result;
}

} // namespace

std::span<const std::string_view> inheritable_names(platform where) noexcept {
  if (where == platform::windows)
    return windows_names;
  return posix_names;
}

environment_block server_environment(const environment_block& host,
                                     const server_options& options,
                                     platform where) {
  auto result = inherited(host, options.inherit_env, where);
  for (const auto& [name, value] : options.env) {
    result.erase(name);
    if (const auto* text = value.reveal())
      result.emplace(name, *text);
  }
  environment_block block;
  block.reserve(result.size());
  for (const auto& [name, value] : result) {
    auto& entry = block.emplace_back(name);
    entry += '=';
    entry += value;
  }
  return block;
}

std::optional<std::string_view> find_variable(const environment_block& block,
                                              std::string_view name,
                                              platform where) {
  for (const auto& entry : block)
    if (auto variable = split(entry))
      if (is_same(variable->first, name, where))
        return variable->second;
  return std::nullopt;
}

} // namespace caf_mcp
