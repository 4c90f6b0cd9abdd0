// Shakes hands and never reads again: the pipe to it fills up. It does not see
// the end of stdin either; SIGTERM ends it.
#include "mini_server.hpp"

int main() {
  if (const auto request = mini::serve_until("initialize"))
    mini::answer(*request);
  mini::hang();
}
