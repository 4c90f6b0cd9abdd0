// demo-server: an MCP server to try and to test clients with.
#include "options.hpp"
#include "server.hpp"

#include <csignal>
#include <utility>

int main(int argc, char** argv) {
  // A client that goes away is noticed by the failing write.
  std::signal(SIGPIPE, SIG_IGN);
  int status = 0;
  auto opts = demo::parse_options(argc, argv, status);
  if (!opts)
    return status;
  demo::server server{std::move(*opts)};
  return server.run();
}
