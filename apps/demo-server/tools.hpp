// The tools, on one page.
#pragma once

#include "tool_call.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace demo {

struct server;

/// Returns the descriptions of all tools as JSON texts, followed by those of
/// `fillers` tools that do nothing.
std::vector<std::string> list_tools(std::size_t fillers);

// Each but `hold` answers the call, now or in a job, or throws a `bad_argument`
// or a `refusal`.

// tools_basic.cpp
void call_echo(server& srv, const tool_call& call);
void call_add(server& srv, const tool_call& call);
void call_fail(server& srv, const tool_call& call);
void call_big(server& srv, const tool_call& call);
void call_length(server& srv, const tool_call& call);
void call_env(server& srv, const tool_call& call);

// tools_slow.cpp
void call_slow(server& srv, const tool_call& call);
void call_hold(server& srv, const tool_call& call);

// tools_crash.cpp
void call_crash(server& srv, const tool_call& call);

// tools_ask.cpp
void call_ask(server& srv, const tool_call& call);
void call_sample(server& srv, const tool_call& call);
void call_roots(server& srv, const tool_call& call);

// tools_events.cpp
void call_log(server& srv, const tool_call& call);
void call_touch(server& srv, const tool_call& call);
void call_end_subscriptions(server& srv, const tool_call& call);

} // namespace demo
