// Answers `initialize` and exits at once: what the client writes next fails.
//
//   test-exit_after_initialize_response [STATUS]     0 by default
#include "mini_server.hpp"

int main(int argc, char** argv) {
  if (const auto request = mini::serve_until("initialize"))
    mini::answer(*request);
  return static_cast<int>(mini::number_argument(argc, argv, 1, 0));
}
