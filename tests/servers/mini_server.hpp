// The little of MCP that a test program with one fault needs: it reads lines,
// and answers like a correct legacy server wherever its fault does not show.
#pragma once

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <cerrno>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <unistd.h>

namespace mini {

namespace json = boost::json;

/// A message from the client.
struct message {
  std::string line;
  std::string method; // Empty for a response and for what is not a message.
  std::string id;     // As JSON text; empty for a notification.
  json::object params;

  bool is_request() const {
    return !method.empty() && !id.empty();
  }
};

inline message read_message(std::string line) {
  message result;
  json::error_code error;
  const auto value = json::parse(line, error);
  result.line = std::move(line);
  if (error || !value.is_object())
    return result;
  const auto& object = value.get_object();
  const auto* method = object.if_contains("method");
  if (method != nullptr && method->is_string())
    result.method = method->get_string();
  if (const auto* id = object.if_contains("id"))
    result.id = json::serialize(*id);
  const auto* params = object.if_contains("params");
  if (params != nullptr && params->is_object())
    result.params = params->get_object();
  return result;
}

/// Waits for the next line. Returns nothing at the end of stdin.
inline std::optional<message> receive() {
  std::string line;
  if (!std::getline(std::cin, line))
    return std::nullopt;
  return read_message(std::move(line));
}

/// Writes exactly these bytes to a descriptor, unbuffered.
inline void write_bytes(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto count = ::write(fd, bytes.data(), bytes.size());
    if (count >= 0)
      bytes.remove_prefix(static_cast<std::size_t>(count));
    else if (errno != EINTR)
      std::exit(1);
  }
}

inline void send_line(const std::string& line) {
  write_bytes(STDOUT_FILENO, line + '\n');
}

/// Makes a response line without its newline. `result` is JSON text.
inline std::string response(const message& to, std::string_view result) {
  return R"({"jsonrpc":"2.0","id":)" + to.id + R"(,"result":)"
         + std::string{result} + '}';
}

inline void reply(const message& to, std::string_view result) {
  send_line(response(to, result));
}

inline void reply_error(const message& to, int code, std::string_view text) {
  send_line(R"({"jsonrpc":"2.0","id":)" + to.id + R"(,"error":{"code":)"
            + std::to_string(code) + R"(,"message":)" + json::serialize(text)
            + "}}");
}

/// Makes the result of a tool call: one text.
inline std::string text_result(std::string_view text) {
  return R"({"content":[{"type":"text","text":)" + json::serialize(text)
         + "}]}";
}

/// Makes the result of `initialize`, with the version that was asked for.
inline std::string initialize_result(const message& request) {
  const auto* version = request.params.if_contains("protocolVersion");
  return R"({"protocolVersion":)"
         + (version == nullptr ? R"("2025-11-25")" : json::serialize(*version))
         + R"(,"capabilities":{"tools":{}},)"
           R"("serverInfo":{"name":"test-server","version":"1"}})";
}

/// Answers a message as a correct legacy server with one tool would.
inline void answer(const message& got) {
  if (!got.is_request())
    return;
  if (got.method == "initialize")
    reply(got, initialize_result(got));
  else if (got.method == "ping")
    reply(got, "{}");
  else if (got.method == "tools/list")
    reply(got, R"({"tools":[{"name":"t","inputSchema":{"type":"object"}}]})");
  else if (got.method == "tools/call")
    reply(got, text_result("done"));
  else
    reply_error(got, -32601, "Method not found");
}

/// Answers messages until a request of this method arrives.
/// @returns that request, or nothing at the end of stdin.
inline std::optional<message> serve_until(std::string_view method) {
  while (auto got = receive()) {
    if (got->is_request() && got->method == method)
      return got;
    answer(*got);
  }
  return std::nullopt;
}

/// Answers messages until stdin ends.
inline void serve() {
  serve_until({});
}

/// Does nothing, for ever: neither reads nor leaves.
[[noreturn]] inline void hang() {
  for (;;)
    ::pause();
}

/// Returns argument `index` as a number, or `fallback` without it.
inline long number_argument(int argc, char** argv, int index, long fallback) {
  return argc > index ? std::atol(argv[index]) : fallback;
}

/// Says whether `flag` is among the arguments.
inline bool has_flag(int argc, char** argv, std::string_view flag) {
  for (int i = 1; i < argc; ++i)
    if (argv[i] == flag)
      return true;
  return false;
}

} // namespace mini
