#include "caf_mcp/messages/option_choices.hpp"

namespace caf_mcp {

std::string_view to_string(inherit_policy policy) noexcept {
  switch (policy) {
    case inherit_policy::allowlist:
      return "allowlist";
    case inherit_policy::all:
      return "all";
  }
  return {};
}

std::string_view to_string(stderr_kind kind) noexcept {
  switch (kind) {
    case stderr_kind::inherit:
      return "inherit";
    case stderr_kind::discard:
      return "discard";
    case stderr_kind::file:
      return "file";
    case stderr_kind::capture:
      return "capture";
  }
  return {};
}

std::string_view to_string(oversize_policy policy) noexcept {
  switch (policy) {
    case oversize_policy::close:
      return "close";
    case oversize_policy::discard:
      return "discard";
  }
  return {};
}

std::string_view to_string(stop_policy policy) noexcept {
  switch (policy) {
    case stop_policy::escalate:
      return "escalate";
    case stop_policy::close_stdin_only:
      return "close_stdin_only";
  }
  return {};
}

std::string_view to_string(host_death_policy policy) noexcept {
  switch (policy) {
    case host_death_policy::eof:
      return "eof";
    case host_death_policy::term:
      return "term";
    case host_death_policy::kill:
      return "kill";
  }
  return {};
}

std::string_view to_string(era_mode mode) noexcept {
  switch (mode) {
    case era_mode::automatic:
      return "auto";
    case era_mode::legacy:
      return "legacy";
    case era_mode::modern:
      return "modern";
  }
  return {};
}

} // namespace caf_mcp
