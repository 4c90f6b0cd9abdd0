// Serves well, but does not leave when stdin ends: SIGTERM ends it.
#include "mini_server.hpp"

int main() {
  mini::serve();
  mini::hang();
}
