#include "caf_mcp/messages/subscriptions.hpp"

namespace caf_mcp {

std::string_view to_string(log_level level) noexcept {
  switch (level) {
    case log_level::debug:
      return "debug";
    case log_level::info:
      return "info";
    case log_level::notice:
      return "notice";
    case log_level::warning:
      return "warning";
    case log_level::error:
      return "error";
    case log_level::critical:
      return "critical";
    case log_level::alert:
      return "alert";
    case log_level::emergency:
      return "emergency";
  }
  return {};
}

std::string_view to_string(overflow_policy policy) noexcept {
  switch (policy) {
    case overflow_policy::drop_oldest:
      return "drop_oldest";
    case overflow_policy::drop_newest:
      return "drop_newest";
    case overflow_policy::close:
      return "close";
  }
  return {};
}

std::string_view to_string(reconnect_choice choice) noexcept {
  switch (choice) {
    case reconnect_choice::resume:
      return "resume";
    case reconnect_choice::end:
      return "end";
  }
  return {};
}

std::string_view to_string(event_kind kind) noexcept {
  switch (kind) {
    case event_kind::tools_changed:
      return "tools_changed";
    case event_kind::prompts_changed:
      return "prompts_changed";
    case event_kind::resources_changed:
      return "resources_changed";
    case event_kind::resource_updated:
      return "resource_updated";
    case event_kind::log_message:
      return "log_message";
  }
  return {};
}

std::string_view to_string(subscription_end end) noexcept {
  switch (end) {
    case subscription_end::finished:
      return "finished";
    case subscription_end::withdrawn:
      return "withdrawn";
    case subscription_end::cancelled:
      return "cancelled";
    case subscription_end::failed:
      return "failed";
  }
  return {};
}

} // namespace caf_mcp
