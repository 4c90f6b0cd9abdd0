#include "tests/support/paths.hpp"
#include "tests/support/scratch_directory.hpp"
#include "tests/support/shell.hpp"

#include <catch2/catch_test_macros.hpp>

#include <fstream>
#include <iterator>
#include <string>

namespace {

/// What the started tool has open as 0, 1 and 2: its server, whose parent it
/// is, looks and exits.
constexpr const char* server = R"(for fd in 0 1 2
  do readlink /proc/$PPID/fd/$fd || echo none; done > "$1")";

std::string text_of(const std::string& path) {
  std::ifstream file{path};
  return {std::istreambuf_iterator<char>{file}, {}};
}

} // namespace

TEST_CASE(
  "started with 0, 1 or 2 closed, the tool lets nothing of its own take "
  "their place") {
  tests::scratch_directory there;
  for (auto closed = 0; closed < 8; ++closed) {
    CAPTURE(closed);
    const auto seen = there.path() + "/seen" + std::to_string(closed);
    auto command = "'" + tests::binary("caf-mcp")
                   + "' --mode legacy --probe-timeout 100 ping -- /bin/sh -c '"
                   + server + "' sh " + seen;
    std::string expected;
    for (auto fd = 0; fd < 3; ++fd) {
      const auto number = std::to_string(fd);
      const auto other = there.path() + "/other" + number;
      std::ofstream{other}.close();
      const auto is_closed = (closed & (1 << fd)) != 0;
      command
        += ' ' + number + (fd == 0 ? "<" : ">") + (is_closed ? "&-" : other);
      expected += (is_closed ? "/dev/null" : other) + '\n';
    }
    tests::run_shell(command);
    CHECK(text_of(seen) == expected);
  }
}
