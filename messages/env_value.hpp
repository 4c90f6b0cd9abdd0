#pragma once

#include "caf_mcp/messages/enum_inspect.hpp"
#include "caf_mcp/messages/secret.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace caf_mcp {

/// Marks a variable that the server must not have.
struct unset_variable {
  friend bool operator==(const unset_variable&, const unset_variable&)
    = default;
};

/// Says what an `env_value` holds.
enum class env_kind : std::uint8_t { text, secret, unset };

std::string_view to_string(env_kind kind) noexcept;

template <class Inspector>
bool inspect(Inspector& f, env_kind& x) {
  return enum_inspect(f, x);
}

/// What one variable is to be in the server's environment:
///
///     options.env["LANG"] = "C";
///     options.env["API_KEY"] = secret{key};
///     options.env["DEBUG"] = unset_variable{};
class env_value {
public:
  env_value() = default;

  env_value(std::string text) : content_{std::move(text)} {
    // nop
  }

  env_value(const char* text) : content_{std::string{text}} {
    // nop
  }

  env_value(secret text) : content_{std::move(text)} {
    // nop
  }

  env_value(unset_variable mark) noexcept : content_{mark} {
    // nop
  }

  env_kind kind() const noexcept {
    return static_cast<env_kind>(content_.index());
  }

  /// Returns the text if everybody may see it, else an empty view.
  std::string_view visible_text() const noexcept;

  /// Returns the text for the server, even if it is secret; nullptr if the
  /// variable is to be unset.
  const std::string* reveal() const noexcept;

  friend bool operator==(const env_value&, const env_value&) = default;

private:
  /// In the order of `env_kind`.
  std::variant<std::string, secret, unset_variable> content_;
};

/// Leaves out the text of a secret.
template <class Inspector>
bool inspect(Inspector& f, env_value& x) {
  auto get_kind = [&x] { return x.kind(); };
  auto set_kind = [&x](env_kind kind) {
    if (kind == env_kind::secret)
      x = secret{};
    else if (kind == env_kind::unset)
      x = unset_variable{};
    else
      x = std::string{};
    return true;
  };
  auto get_text = [&x] { return std::string{x.visible_text()}; };
  auto set_text = [&x](std::string text) {
    if (x.kind() == env_kind::text)
      x = std::move(text);
    return true;
  };
  return f.object(x).fields(f.field("kind", get_kind, set_kind),
                            f.field("text", get_text, set_text));
}

} // namespace caf_mcp
