#pragma once

#include "caf_mcp/messages/fwd.hpp"

#include <string>
#include <string_view>
#include <utility>

namespace caf_mcp {

/// A text that is never printed, logged or sent to another node: whatever
/// renders or serialises one gets `secret_mask` instead, and one that comes
/// from another node is empty.
class secret {
public:
  secret() = default;

  explicit secret(std::string value) : value_{std::move(value)} {
    // nop
  }

  /// Returns the text itself. For the moment the server is spawned.
  const std::string& reveal() const noexcept {
    return value_;
  }

  friend bool operator==(const secret&, const secret&) = default;

private:
  std::string value_;
};

/// What stands in for the text of every secret.
inline constexpr std::string_view secret_mask = "<secret>";

/// Returns `secret_mask`.
std::string to_string(const secret& x);

/// Writes `secret_mask`; reads any text as an empty secret.
template <class Inspector>
bool inspect(Inspector& f, secret& x) {
  auto get = [] { return std::string{secret_mask}; };
  auto set = [&x](const std::string&) {
    x = secret{};
    return true;
  };
  return f.apply(get, set);
}

} // namespace caf_mcp
