// Takes its time to leave after stdin has ended, as one that saves its work.
//
//   test-slow_exit [MS [STATUS]]     500 ms and status 0 by default
#include "mini_server.hpp"

#include <chrono>
#include <thread>

int main(int argc, char** argv) {
  mini::serve();
  std::this_thread::sleep_for(
    std::chrono::milliseconds{mini::number_argument(argc, argv, 1, 500)});
  return static_cast<int>(mini::number_argument(argc, argv, 2, 0));
}
