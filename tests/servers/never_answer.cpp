// Reads everything and answers nothing.
//
//   test-never_answer [--after-initialize]
//
// --after-initialize shakes hands first.
#include "mini_server.hpp"

int main(int argc, char** argv) {
  const bool shakes_hands = mini::has_flag(argc, argv, "--after-initialize");
  while (const auto got = mini::receive())
    if (shakes_hands && got->method == "initialize")
      mini::answer(*got);
}
