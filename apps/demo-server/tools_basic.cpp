// Tools that answer at once and have no effects.
#include "answers.hpp"
#include "server.hpp"
#include "tools.hpp"

#include <cmath>
#include <cstdlib>
#include <unistd.h>

namespace demo {

namespace {

/// Largest text `big` returns, in bytes.
constexpr std::int64_t big_bytes_max = 268'435'456;

/// Adds as whole numbers where both are and the sum is one, too.
/// @returns the sum as JSON text.
std::string sum_text(const json::value& a, const json::value& b) {
  std::string text;
  const auto* whole_a = a.if_int64();
  const auto* whole_b = b.if_int64();
  std::int64_t whole_sum = 0;
  if (whole_a != nullptr && whole_b != nullptr
      && !__builtin_add_overflow(*whole_a, *whole_b, &whole_sum)) {
    put_integer(text, whole_sum);
    return text;
  }
  const auto sum = a.to_number<double>() + b.to_number<double>();
  if (!std::isfinite(sum))
    throw bad_argument{"The sum is not a finite number"};
  put_number(text, sum);
  return text;
}

void put_variable(json::object& variables, std::string_view entry) {
  const auto split = entry.find('=');
  if (split != std::string_view::npos)
    variables[entry.substr(0, split)] = entry.substr(split + 1);
}

} // namespace

void call_echo(server& srv, const tool_call& call) {
  answer_text(srv, call.req.from, call.text("message"));
}

void call_add(server& srv, const tool_call& call) {
  const auto& a = call.number("a");
  const auto& b = call.number("b");
  const auto sum = sum_text(a, b);
  srv.out.result(call.req.from, [&sum](std::string& out) {
    out += R"("content":[{"type":"text","text":")" + sum
           + R"("}],"structuredContent":{"sum":)" + sum + '}';
  });
}

void call_fail(server& srv, const tool_call& call) {
  answer_failure(srv, call.req.from,
                 call.optional_text("message").value_or("It failed."));
}

void call_big(server& srv, const tool_call& call) {
  const auto bytes = call.optional_integer("bytes", {0, big_bytes_max});
  if (!bytes)
    throw bad_argument{"Invalid arguments: bytes is missing"};
  srv.out.result(call.req.from, [bytes](std::string& out) {
    out += R"("content":[{"type":"text","text":")";
    out.append(static_cast<std::size_t>(*bytes), 'x');
    out += R"("}])";
  });
}

void call_length(server& srv, const tool_call& call) {
  answer_text(srv, call.req.from, std::to_string(call.text("text").size()));
}

void call_env(server& srv, const tool_call& call) {
  json::object variables;
  if (const auto name = call.optional_text("name")) {
    const auto* value = std::getenv(std::string{*name}.c_str());
    variables[*name] = value == nullptr ? json::value{} : json::value(value);
  } else {
    for (auto** entry = ::environ; *entry != nullptr; ++entry)
      put_variable(variables, *entry);
  }
  answer_structured(srv, call.req.from, to_text(variables));
}

} // namespace demo
