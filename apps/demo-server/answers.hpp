// The usual shapes of results.
#pragma once

#include "request.hpp"

#include <string_view>
#include <vector>

namespace demo {

struct server;

/// Answers a tool call with one text.
void answer_text(server& srv, const reply_address& to, std::string_view text);

/// Answers a tool call that failed: `isError`, and the text says why.
void answer_failure(server& srv, const reply_address& to,
                    std::string_view text);

/// Answers a tool call with a value: `json_text` as `structuredContent` and,
/// for clients that do not know that, as text.
void answer_structured(server& srv, const reply_address& to,
                       std::string_view json_text);

/// Answers a list request with one page of `items`, which are JSON texts.
/// @param name the member that holds them.
/// @throws refusal with -32602 for a cursor that is not one of ours.
void answer_page(server& srv, const request& req, std::string_view name,
                 const std::vector<std::string>& items);

/// Appends the cache hints that the modern era requires on lists and reads
/// (2026-07-28, schema, CacheableResult), with a leading comma.
void put_cache_hints(std::string& out, era spoken);

} // namespace demo
