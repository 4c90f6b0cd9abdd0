// Answers a tool call without the newline at its end, and exits.
//
//   test-partial_last_line [--cut]
//
// --cut leaves out the last ten bytes, too, so that it is not JSON.
#include "mini_server.hpp"

int main(int argc, char** argv) {
  const auto call = mini::serve_until("tools/call");
  if (!call)
    return 0;
  auto line = mini::response(*call, mini::text_result("last words"));
  if (mini::has_flag(argc, argv, "--cut"))
    line.resize(line.size() - 10);
  mini::write_bytes(STDOUT_FILENO, line);
}
