// A legacy server that does not survive `server/discover`.
//
//   test-die-of-probe [error|slow|bytes]
//
// error: answers with an error, and exits with status 1. slow: takes a while,
// and exits without a word. bytes: answers with what is no UTF-8, and exits.
#include "mini_server.hpp"

#include <chrono>
#include <thread>

int main(int argc, char** argv) {
  const std::string_view how = argc > 1 ? argv[1] : "error";
  const auto first = mini::receive();
  if (!first)
    return 0;
  if (first->method != "server/discover") {
    mini::answer(*first);
    mini::serve();
    return 0;
  }
  if (how == "slow")
    std::this_thread::sleep_for(std::chrono::milliseconds{100});
  else if (how == "bytes")
    mini::send_line(R"({"jsonrpc":"2.0","id":)" + first->id
                    + ",\"error\":{\"code\":-32601,\"message\":\"\xb8\xae\"}}");
  else
    mini::reply_error(*first, -32601, "Method not found");
  return 1;
}
