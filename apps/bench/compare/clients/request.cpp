#include "request.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include <array>
#include <charconv>
#include <stdexcept>

namespace bench {

caf_mcp::send_request make_request() {
  caf_mcp::request_options options;
  options.timeout = std::chrono::minutes{1};
  return caf_mcp::call_tool("echo", {{"message", echoed_text}}, options);
}

void check_result(const boost::json::value& result) {
  static const auto expected
    = boost::json::parse(R"({"content":[{"type":"text","text":"hello"}]})");
  if (result != expected)
    throw std::runtime_error{"unexpected result: "
                             + boost::json::serialize(result)};
}

void append_line(std::int64_t id, std::string& out) {
  std::array<char, 20> digits;
  auto [end, _]
    = std::to_chars(digits.data(), digits.data() + digits.size(), id);
  out += R"({"jsonrpc":"2.0","id":)";
  out.append(digits.data(), end);
  out += R"(,"method":"tools/call","params":{"name":"echo","arguments":)"
         R"({"message":"hello"}}})"
         "\n";
}

std::string initialize_line() {
  return R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{)"
         R"("protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{)"
         R"("name":"caf-mcp-bench","version":"1"}}})"
         "\n";
}

std::string initialized_line() {
  return R"({"jsonrpc":"2.0","method":"notifications/initialized"})"
         "\n";
}

} // namespace bench
