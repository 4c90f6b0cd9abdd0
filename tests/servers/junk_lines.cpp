// Prints lines that are not JSON-RPC, then serves well.
//
//   test-junk_lines [COUNT [TEXT]]     3 lines of a banner by default
//
// A tool call is answered after as many lines again.
#include "mini_server.hpp"

int main(int argc, char** argv) {
  const auto count = mini::number_argument(argc, argv, 1, 3);
  const std::string text = argc > 2 ? argv[2] : "\x1b[33mWelcome!\x1b[0m";
  const auto print_junk = [&] {
    for (long i = 0; i < count; ++i)
      mini::send_line(text);
  };
  print_junk();
  while (const auto call = mini::serve_until("tools/call")) {
    print_junk();
    mini::answer(*call);
  }
}
