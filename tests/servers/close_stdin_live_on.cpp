// Closes its stdin when a tool is called, answers that call all the same and
// lives on. SIGTERM ends it.
#include "mini_server.hpp"

int main() {
  const auto call = mini::serve_until("tools/call");
  ::close(STDIN_FILENO);
  if (call)
    mini::answer(*call);
  mini::hang();
}
