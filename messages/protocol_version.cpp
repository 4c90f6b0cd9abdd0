#include "caf_mcp/messages/protocol_version.hpp"

namespace caf_mcp {

std::string_view to_string(era value) noexcept {
  switch (value) {
    case era::legacy:
      return "legacy";
    case era::modern:
      return "modern";
  }
  return {};
}

std::optional<era> era_of(std::string_view version) noexcept {
  for (const auto& revision : known_revisions)
    if (revision.version == version)
      return revision.era;
  return std::nullopt;
}

bool is_known(std::string_view version) noexcept {
  return era_of(version).has_value();
}

bool is_modern(std::string_view version) noexcept {
  return era_of(version) == era::modern;
}

} // namespace caf_mcp
