// Closes its stdout when a tool is called, and lives on until stdin ends.
//
//   test-close_stdout_live_on [--at-once]
//
// --at-once closes it before anything is answered.
#include "mini_server.hpp"

int main(int argc, char** argv) {
  if (!mini::has_flag(argc, argv, "--at-once"))
    mini::serve_until("tools/call");
  ::close(STDOUT_FILENO);
  while (mini::receive()) {
  }
}
