// Writes to stdout without end and without a newline when a tool is called.
//
//   test-no_newline_flood [--at-once]
//
// --at-once does so before anything is answered. SIGPIPE or a signal ends it.
#include "mini_server.hpp"

int main(int argc, char** argv) {
  if (!mini::has_flag(argc, argv, "--at-once")
      && !mini::serve_until("tools/call"))
    return 0;
  const std::string chunk(65'536, 'x');
  for (;;)
    mini::write_bytes(STDOUT_FILENO, chunk);
}
