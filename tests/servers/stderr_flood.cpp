// Writes a lot to stderr before it serves, and as much before it answers a tool
// call. Nobody may make it wait.
//
//   test-stderr_flood [BYTES] [--no-newline]     1 MiB by default
#include "mini_server.hpp"

int main(int argc, char** argv) {
  const auto bytes = mini::number_argument(argc, argv, 1, 1'048'576);
  const auto* end = mini::has_flag(argc, argv, "--no-newline") ? "\r" : "\n";
  const auto line = std::string(99, 'e') + end;
  const auto flood = [&] {
    for (long written = 0; written < bytes; written += 100)
      mini::write_bytes(STDERR_FILENO, line);
  };
  flood();
  while (const auto call = mini::serve_until("tools/call")) {
    flood();
    mini::answer(*call);
  }
}
