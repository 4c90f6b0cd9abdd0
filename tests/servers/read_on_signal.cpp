// Reads nothing until SIGUSR1, then stdin up to its end, and writes to a file
// how many lines that were.
//
//   test-read_on_signal FILE
//
// Tells with a notification that it waits.
#include "mini_server.hpp"

#include <csignal>
#include <fstream>

int main(int argc, char** argv) {
  if (argc < 2)
    return 2;
  sigset_t wanted;
  sigemptyset(&wanted);
  sigaddset(&wanted, SIGUSR1);
  ::sigprocmask(SIG_BLOCK, &wanted, nullptr);
  mini::send_line(R"({"jsonrpc":"2.0","method":"notifications/waiting"})");
  int signal = 0;
  sigwait(&wanted, &signal);
  long count = 0;
  for (std::string line; std::getline(std::cin, line);)
    ++count;
  std::ofstream{argv[1]} << count;
}
