#include "caf_mcp/actors/port/log_forwarder.hpp"

#include "caf_mcp/actors/port/unique_fd.hpp"

#include <catch2/catch_test_macros.hpp>

#include <fcntl.h>
#include <string_view>
#include <unistd.h>

using namespace caf_mcp;

namespace {

using receiver = log_forwarder::receiver;
using lines = std::vector<std::string>;

/// The stderr of a server: a pipe whose read end does not block.
class stderr_pipe {
public:
  stderr_pipe() {
    int ends[2];
    REQUIRE(::pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0);
    read_ = unique_fd{ends[0]};
    write_ = unique_fd{ends[1]};
  }

  void write(std::string_view text) {
    REQUIRE(::write(write_.get(), text.data(), text.size())
            == static_cast<ssize_t>(text.size()));
  }

  void close() {
    write_.reset();
  }

  /// Writes until the pipe is full; returns how many bytes it took.
  std::size_t fill() {
    const std::string text(1023, 'x');
    std::size_t result = 0;
    while (::write(write_.get(), (text + '\n').data(), 1024) == 1024)
      result += 1024;
    return result;
  }

  int fd() const {
    return read_.get();
  }

private:
  unique_fd read_;
  unique_fd write_;
};

lines stderr_of(const std::optional<server_output>& batch) {
  REQUIRE(batch);
  return batch->stderr_lines;
}

} // namespace

TEST_CASE("lines of stderr are handed out as soon as they are complete") {
  stderr_pipe pipe;
  log_forwarder self{receiver::idle};
  pipe.write("one\ntw");
  CHECK(self.read_stderr(pipe.fd()));
  CHECK(stderr_of(self.next()) == lines{"one"});
  self.on_answer();
  CHECK_FALSE(self.next());
  pipe.write("o\n");
  CHECK(self.read_stderr(pipe.fd()));
  CHECK(stderr_of(self.next()) == lines{"two"});
}

TEST_CASE("the end of stderr completes its last line") {
  stderr_pipe pipe;
  log_forwarder self{receiver::idle};
  pipe.write("last words");
  pipe.close();
  CHECK_FALSE(self.read_stderr(pipe.fd()));
  CHECK_FALSE(self.next());
  self.end_stderr();
  CHECK(stderr_of(self.next()) == lines{"last words"});
}

TEST_CASE("a pipe for stderr that cannot be read is at its end") {
  log_forwarder self{receiver::idle};
  CHECK_FALSE(self.read_stderr(-1));
}

TEST_CASE("a busy log actor gets the next batch when it has answered") {
  log_forwarder self{receiver::idle};
  self.add_junk({"a"});
  REQUIRE(self.next());
  self.add_junk({"b"});
  self.add_junk({"c"});
  CHECK_FALSE(self.next());
  self.on_answer();
  auto batch = self.next();
  REQUIRE(batch);
  CHECK(batch->junk_lines == lines{"b", "c"});
}

TEST_CASE("the last words of a server do not wait for a busy log actor") {
  log_forwarder self{receiver::idle};
  self.add_junk({"a"});
  REQUIRE(self.next());
  CHECK_FALSE(self.last());
  self.add_junk({"b"});
  auto batch = self.last();
  REQUIRE(batch);
  CHECK(batch->junk_lines == lines{"b"});
  CHECK_FALSE(self.last());
}

TEST_CASE("without a log actor only the end of stderr is kept") {
  stderr_pipe pipe;
  auto self = log_forwarder{receiver::gone};
  SECTION("there never was one") {
  }
  SECTION("it was lost, and does not come back") {
    self = log_forwarder{receiver::idle};
    self.add_junk({"a"});
    REQUIRE(self.next());
    self.add_junk({"b"});
    self.on_lost();
  }
  pipe.write("words\n");
  CHECK(self.read_stderr(pipe.fd()));
  self.add_junk({"c"});
  CHECK_FALSE(self.next());
  CHECK_FALSE(self.last());
  CHECK(self.tail() == "words\n");
}

TEST_CASE("a server that floods its stderr is not read for ever at a time") {
  stderr_pipe pipe;
  log_forwarder self{receiver::idle};
  ::fcntl(pipe.fd(), F_SETPIPE_SZ, 1 << 20);
  const auto written = pipe.fill();
  REQUIRE(written > 300'000);
  CHECK(self.read_stderr(pipe.fd()));
  CHECK(pipe.fill() > 0);
  CHECK(pipe.fill() < written);
  // What the log actor cannot take is dropped and counted.
  auto batch = self.next();
  REQUIRE(batch);
  CHECK(batch->dropped > 0);
}
