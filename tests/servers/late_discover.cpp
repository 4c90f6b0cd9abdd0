// A modern server that is slow to start: it answers `server/discover` late,
// when the client may have sent `initialize` already, and refuses that.
//
//   test-late_discover [MS]     500 by default
#include "mini_server.hpp"

#include <chrono>
#include <thread>

namespace {

constexpr const char* discover_result
  = R"({"resultType":"complete","supportedVersions":["2026-07-28"],)"
    R"("capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private",)"
    R"("_meta":{"io.modelcontextprotocol/serverInfo":)"
    R"({"name":"late-server","version":"1"}}})";

constexpr const char* list_result
  = R"({"resultType":"complete","ttlMs":0,"cacheScope":"private",)"
    R"("tools":[{"name":"t","inputSchema":{"type":"object"}}]})";

constexpr const char* call_result
  = R"({"resultType":"complete","content":[{"type":"text","text":"done"}]})";

void answer_modern(const mini::message& got) {
  if (got.method == "server/discover")
    mini::reply(got, discover_result);
  else if (got.method == "tools/list")
    mini::reply(got, list_result);
  else if (got.method == "tools/call")
    mini::reply(got, call_result);
  else
    mini::reply_error(got, -32601, "Method not found");
}

} // namespace

int main(int argc, char** argv) {
  auto first = mini::receive();
  std::this_thread::sleep_for(
    std::chrono::milliseconds{mini::number_argument(argc, argv, 1, 500)});
  for (auto got = std::move(first); got; got = mini::receive())
    if (got->is_request())
      answer_modern(*got);
}
