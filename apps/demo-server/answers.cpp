#include "answers.hpp"

#include "server.hpp"

#include <algorithm>
#include <charconv>

namespace demo {

namespace {

constexpr std::string_view cursor_prefix = "entry-";

/// Reads the cursor of a list request: the index of the first entry wanted.
std::size_t first_entry(const request& req, std::size_t entries) {
  const auto* cursor = req.params.if_contains("cursor");
  if (cursor == nullptr)
    return 0;
  std::size_t index = 0;
  if (const auto* text = cursor->if_string();
      text != nullptr && text->starts_with(cursor_prefix)) {
    const auto* end = text->data() + text->size();
    const auto [rest, error]
      = std::from_chars(text->data() + cursor_prefix.size(), end, index);
    if (error == std::errc{} && rest == end && index < entries)
      return index;
  }
  throw refusal{code::invalid_params, "Invalid cursor"};
}

} // namespace

void answer_text(server& srv, const reply_address& to, std::string_view text) {
  srv.out.result(to, [text](std::string& out) {
    out += R"("content":[{"type":"text","text":)";
    put_quoted(out, text);
    out += "}]";
  });
}

void answer_failure(server& srv, const reply_address& to,
                    std::string_view text) {
  srv.out.result(to, [text](std::string& out) {
    out += R"("content":[{"type":"text","text":)";
    put_quoted(out, text);
    out += R"(}],"isError":true)";
  });
}

void answer_structured(server& srv, const reply_address& to,
                       std::string_view json_text) {
  srv.out.result(to, [json_text](std::string& out) {
    out += R"("content":[{"type":"text","text":)";
    put_quoted(out, json_text);
    out += R"(}],"structuredContent":)";
    out += json_text;
  });
}

void answer_page(server& srv, const request& req, std::string_view name,
                 const std::vector<std::string>& items) {
  const auto first = first_entry(req, items.size());
  const auto page_size
    = srv.opts.page_size == 0 ? items.size() : srv.opts.page_size;
  const auto last = std::min(items.size(), first + page_size);
  srv.out.result(req.from, [&](std::string& out) {
    out += '"';
    out += name;
    out += R"(":[)";
    for (auto i = first; i < last; ++i) {
      if (i > first)
        out += ',';
      out += items[i];
    }
    out += ']';
    if (last < items.size()) {
      out += R"(,"nextCursor":")";
      out += cursor_prefix;
      put_integer(out, static_cast<std::int64_t>(last));
      out += '"';
    }
    put_cache_hints(out, req.from.spoken);
  });
}

void put_cache_hints(std::string& out, era spoken) {
  if (spoken == era::modern)
    out += R"(,"ttlMs":60000,"cacheScope":"public")";
}

} // namespace demo
