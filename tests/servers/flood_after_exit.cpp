// A call of the tool `leave` makes it exit with status 3, without an answer,
// and leaves a process behind that goes on writing.
//
//   test-flood-after-exit [messages|junk|bytes]
//
// What is written: notifications, lines that are no messages, or bytes without
// any line end.
#include "mini_server.hpp"

namespace {

[[noreturn]] void flood(std::string_view how) {
  ::alarm(60); // so that a failing test leaves nothing behind for ever
  std::string some;
  while (some.size() < 16'384)
    some += how == "junk"    ? "junk\n"
            : how == "bytes" ? "x"
                             : "{\"jsonrpc\":\"2.0\",\"method\":\"flood\"}\n";
  for (;;)
    mini::write_bytes(STDOUT_FILENO, some);
}

bool is_leave(const mini::message& call) {
  const auto* name = call.params.if_contains("name");
  return name != nullptr && *name == "leave";
}

} // namespace

int main(int argc, char** argv) {
  const std::string_view how = argc > 1 ? argv[1] : "messages";
  while (const auto call = mini::serve_until("tools/call")) {
    if (is_leave(*call)) {
      if (::fork() == 0)
        flood(how);
      return 3;
    }
    mini::reply(*call, mini::text_result("done"));
  }
}
