// Serves well, but leaves neither at the end of stdin nor on SIGTERM: only
// SIGKILL ends it.
#include "mini_server.hpp"

#include <csignal>

int main() {
  std::signal(SIGTERM, SIG_IGN);
  mini::serve();
  mini::hang();
}
