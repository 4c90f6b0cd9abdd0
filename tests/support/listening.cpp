#include "tests/support/listening.hpp"

#include <caf/after.hpp>

namespace tests {

namespace {

std::string words(const caf_mcp::listen_filter& filter) {
  std::string result;
  if (filter.tools)
    result += " tools";
  if (filter.prompts)
    result += " prompts";
  if (filter.resources)
    result += " resources";
  for (const auto& uri : filter.uris)
    result += ' ' + uri;
  if (filter.log)
    result += " log=" + std::string{to_string(*filter.log)};
  return result;
}

std::string words(const caf_mcp::server_event& event) {
  std::string result{to_string(event.kind)};
  if (!event.uri.empty())
    result += ' ' + event.uri;
  if (event.kind == caf_mcp::event_kind::log_message)
    result += ' ' + std::string{event.params.string_member("level")} + ": "
              + std::string{event.params.string_member("data")};
  return result;
}

std::string words(const caf_mcp::subscription_closed& x) {
  std::string result{to_string(x.how)};
  if (x.error)
    result += ": " + caf_mcp::describe(x.error).name;
  return result;
}

} // namespace

std::string heard(caf::scoped_actor& self, std::chrono::milliseconds patience) {
  using namespace caf_mcp;
  std::string result = "silence";
  self->receive(
    [&](const subscription_accepted& x) {
      result = "accepted" + words(x.filter);
    },
    [&](const subscription_event& x) { result = "event " + words(x.event); },
    [&](const events_dropped& x) {
      result = "dropped " + std::to_string(x.count);
    },
    [&](const subscription_resumed& x) {
      result = "resumed" + words(x.filter);
    },
    [&](const subscription_closed& x) { result = "closed " + words(x); },
    caf::after(patience) >> [] {});
  return result;
}

} // namespace tests
