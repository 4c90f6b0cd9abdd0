#pragma once

#include "caf_mcp/messages/json/object_members.hpp"
#include "caf_mcp/messages/requests.hpp"

#include <boost/json/object.hpp>

#include <string>
#include <string_view>

/// @file
/// The requests that MCP defines for clients, as messages to a connection. All
/// are answered with the result object of the protocol's schema.

namespace caf_mcp {

/// `tools/call`. A tool's own failure is a result with `isError: true`. Braced
/// arguments are copied; an object that is moved in is not if it is large.
send_request call_tool(std::string_view name, object_members arguments = {},
                       const request_options& options = {});
send_request call_tool(std::string_view name, boost::json::object arguments,
                       const request_options& options = {});

/// `resources/read`.
send_request read_resource(std::string_view uri,
                           const request_options& options = {});

/// `prompts/get`. Arguments are strings.
send_request get_prompt(std::string_view name, object_members arguments = {},
                        const request_options& options = {});
send_request get_prompt(std::string_view name, boost::json::object arguments,
                        const request_options& options = {});

/// What `completion/complete` completes: an argument of a prompt, or a variable
/// of a resource template.
struct completion_target {
  /// `ref/prompt` or `ref/resource`.
  std::string type;
  /// The prompt's name, or the template's URI.
  std::string name;
};

/// `completion/complete`: suggests values of `argument` that go on from
/// `value`.
send_request complete(const completion_target& target,
                      std::string_view argument, std::string_view value,
                      const request_options& options = {});

/// `notifications/roots/list_changed`: the handler for roots would answer
/// differently now. Legacy era only; not sent in the modern one, where the
/// server asks whenever it needs them.
send_notification roots_changed();

/// `ping`; legacy era only.
send_request ping(const request_options& options = {});

} // namespace caf_mcp
