// Writes a lot to stdout when stdin ends, and leaves only when all of it has
// been read.
//
//   test-write_on_eof [BYTES]     4 MiB by default
#include "mini_server.hpp"

int main(int argc, char** argv) {
  mini::serve();
  const auto bytes = mini::number_argument(argc, argv, 1, 4'194'304);
  mini::send_line(
    R"({"jsonrpc":"2.0","method":"notifications/x","params":{"x":")"
    + std::string(static_cast<std::size_t>(bytes), 'x') + "\"}}");
}
