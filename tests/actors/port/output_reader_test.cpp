#include "caf_mcp/actors/port/output_reader.hpp"

#include "caf_mcp/actors/port/unique_fd.hpp"

#include <catch2/catch_test_macros.hpp>

#include <array>
#include <fcntl.h>
#include <string>
#include <string_view>

using namespace caf_mcp;

using state = output_reader::state;

namespace {

/// A pipe as a server and its port owner have it.
struct test_pipe {
  test_pipe() {
    std::array<int, 2> fds{-1, -1};
    REQUIRE(::pipe2(fds.data(), O_NONBLOCK | O_CLOEXEC) == 0);
    out = unique_fd{fds[0]};
    in = unique_fd{fds[1]};
    ::fcntl(in.get(), F_SETPIPE_SZ, 1 << 20);
  }

  void write(std::string_view text) const {
    REQUIRE(::write(in.get(), text.data(), text.size())
            == static_cast<ssize_t>(text.size()));
  }

  unique_fd out;
  unique_fd in;
};

std::string lines(std::size_t count, std::size_t bytes = 10) {
  std::string result;
  for (std::size_t i = 0; i < count; ++i)
    result
      += R"({"jsonrpc":"2.0","method":")" + std::string(bytes, 'm') + "\"}\n";
  return result;
}

} // namespace

TEST_CASE("a reader reads what is there") {
  test_pipe pipe;
  output_reader reader{server_options{}};
  output_reader::messages out;
  read_turn turn;
  pipe.write(lines(3));
  CHECK(reader.read(pipe.out.get(), out, turn) == state::open);
  CHECK(out.size() == 3);
}

TEST_CASE("a reader that finds the end takes a last line without a newline") {
  test_pipe pipe;
  output_reader reader{server_options{}};
  output_reader::messages out;
  read_turn turn;
  pipe.write(R"({"jsonrpc":"2.0","method":"last"})");
  pipe.in.reset();
  reader.read(pipe.out.get(), out, turn);
  CHECK(reader.read(pipe.out.get(), out, turn) == state::ended);
  CHECK(out.size() == 1);
}

TEST_CASE("a reader stops at the end of its turn, and loses nothing") {
  test_pipe pipe;
  output_reader reader{server_options{}};
  output_reader::messages out;
  std::size_t count = 0;
  SECTION("with many small messages") {
    count = 1000;
    pipe.write(lines(count));
  }
  SECTION("with some large ones") {
    count = 9;
    pipe.write(lines(count, 100'000));
  }
  auto turns = 0;
  for (auto more = true; more; ++turns) {
    read_turn turn;
    more = reader.read(pipe.out.get(), out, turn) == state::full;
  }
  // A turn that ends because of what it has read is followed by a look.
  read_turn last;
  reader.read(pipe.out.get(), out, last);
  CHECK(turns > 1);
  CHECK(out.size() == count);
}

TEST_CASE("a reader says what is not to be borne") {
  test_pipe pipe;
  server_options options;
  options.max_junk_lines = 0;
  output_reader reader{options};
  output_reader::messages out;
  read_turn turn;
  pipe.write("junk\n");
  reader.read(pipe.out.get(), out, turn);
  REQUIRE(reader.fatal());
  CHECK(reader.fatal()->cause == close_cause::junk_output);
  CHECK(reader.take_junk().size() == 1);
}

TEST_CASE("the rest is what the pipe holds, though others write on") {
  test_pipe pipe;
  output_reader reader{server_options{}};
  pipe.write(lines(1000));
  std::size_t count = 0;
  reader.read_rest(pipe.out.get(), [&](const output_reader::messages& out) {
    count += out.size();
    pipe.write(lines(100)); // for ever, if it were read
  });
  CHECK(count >= 1000);
  CHECK(count < 2000);
}

TEST_CASE("the rest may end in a line without a newline") {
  test_pipe pipe;
  output_reader reader{server_options{}};
  pipe.write(lines(1) + R"({"jsonrpc":"2.0","method":"last"})");
  std::size_t count = 0;
  reader.read_rest(pipe.out.get(), [&](const output_reader::messages& out) {
    count += out.size();
  });
  CHECK(count == 2);
}
