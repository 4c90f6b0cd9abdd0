// Exits before it reads anything, like a server without its API key.
//
//   test-exit_at_once [STATUS [STDERR-TEXT]]     status 1 by default
#include "mini_server.hpp"

int main(int argc, char** argv) {
  if (argc > 2)
    std::cerr << argv[2] << '\n';
  return static_cast<int>(mini::number_argument(argc, argv, 1, 1));
}
