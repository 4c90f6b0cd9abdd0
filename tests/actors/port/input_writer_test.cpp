#include "caf_mcp/actors/port/input_writer.hpp"

#include "caf_mcp/actors/port/unique_fd.hpp"

#include <catch2/catch_test_macros.hpp>

#include <csignal>
#include <fcntl.h>
#include <string>
#include <unistd.h>

using namespace caf_mcp;
using namespace std::chrono_literals;

namespace {

using state = input_writer::state;
using ids = std::vector<std::int64_t>;

/// The stdin of a server: a pipe whose write end does not block.
class stdin_pipe {
public:
  stdin_pipe() {
    int ends[2];
    REQUIRE(::pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0);
    read_ = unique_fd{ends[0]};
    write_ = unique_fd{ends[1]};
  }

  /// Returns what the server finds now.
  std::string read() {
    std::string result(1 << 20, '\0');
    const auto count = ::read(read_.get(), result.data(), result.size());
    result.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
    return result;
  }

  void close_read_end() {
    read_.reset();
  }

  int fd() const {
    return write_.get();
  }

private:
  unique_fd read_;
  unique_fd write_;
};

/// A request with `bytes` bytes of text.
port_write request(std::int64_t id, std::size_t bytes = 1) {
  outgoing_request message;
  message.id = id;
  message.method = "m";
  message.params = payload{boost::json::value{{"t", std::string(bytes, 'x')}}};
  return {{message}};
}

server_options with_limit(std::uint64_t bytes,
                          std::chrono::milliseconds stall = 10s) {
  server_options result;
  result.max_unwritten_bytes = bytes;
  result.write_stall = stall;
  return result;
}

} // namespace

TEST_CASE("what is pushed is written in order, as lines") {
  stdin_pipe pipe;
  input_writer self{server_options{}};
  CHECK(self.write(pipe.fd()) == state::drained);
  self.push(request(1));
  self.push(request(2));
  CHECK(self.unsent() == ids{1, 2});
  CHECK(self.write(pipe.fd()) == state::drained);
  const auto text = pipe.read();
  CHECK(text.ends_with('\n'));
  CHECK(text.find("\"id\":1") < text.find("\"id\":2"));
  CHECK(self.unsent().empty());
  CHECK(self.messages_taken() == 2);
}

TEST_CASE("a full pipe is waited for, and goes on where it stopped") {
  stdin_pipe pipe;
  input_writer self{server_options{}};
  for (auto id = 1; id <= 8; ++id)
    self.push(request(id, 50'000));
  CHECK(self.write(pipe.fd()) == state::waiting);
  std::string text;
  auto last = state::waiting;
  while (last == state::waiting) {
    text += pipe.read();
    last = self.write(pipe.fd());
  }
  text += pipe.read();
  CHECK(last == state::drained);
  for (auto id = 1; id <= 8; ++id)
    CHECK(text.find("\"id\":" + std::to_string(id)) != std::string::npos);
}

TEST_CASE("a pipe that nobody reads is lost") {
  stdin_pipe pipe;
  input_writer self{server_options{}};
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGPIPE);
  sigset_t before;
  ::pthread_sigmask(SIG_BLOCK, &signals, &before);
  pipe.close_read_end();
  self.push(request(1));
  CHECK(self.write(pipe.fd()) == state::lost);
  CHECK(self.unsent() == ids{1});
  const timespec now{};
  ::sigtimedwait(&signals, nullptr, &now); // the signal that was blocked
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

TEST_CASE("a server is watched once while too much waits for it") {
  stdin_pipe pipe;
  input_writer self{with_limit(100'000)};
  self.push(request(1));
  CHECK_FALSE(self.watch());
  CHECK_FALSE(self.is_watching());
  for (auto id = 2; id <= 8; ++id)
    self.push(request(id, 50'000));
  CHECK(self.watch());
  CHECK_FALSE(self.watch()); // somebody is to look already
  CHECK(self.is_watching());
  while (self.write(pipe.fd()) != state::drained)
    pipe.read();
  CHECK_FALSE(self.watch());
  CHECK_FALSE(self.is_watching());
  CHECK_FALSE(self.has_stalled());
}

TEST_CASE("a server has stalled when it takes nothing within write_stall") {
  stdin_pipe pipe;
  input_writer self{with_limit(100'000, 0ms)};
  for (auto id = 1; id <= 8; ++id)
    self.push(request(id, 50'000));
  CHECK_FALSE(self.has_stalled()); // nobody watches it
  REQUIRE(self.watch());
  CHECK(self.has_stalled());
}

TEST_CASE("each byte that a watched server takes puts its stall off") {
  stdin_pipe pipe;
  input_writer self{with_limit(100'000)};
  for (auto id = 1; id <= 8; ++id)
    self.push(request(id, 50'000));
  const auto first = self.watch();
  REQUIRE(first);
  REQUIRE(self.write(pipe.fd()) == state::waiting);
  const auto second = self.next_look();
  CHECK(second > *first);
  CHECK(self.write(pipe.fd()) == state::waiting); // it takes none
  CHECK(self.next_look() == second);
}

TEST_CASE("a request that cannot be encoded is refused, the others written") {
  stdin_pipe pipe;
  input_writer self{with_limit(1000)};
  self.push(request(1, 5000));
  self.push(request(2));
  auto refused = self.take_refused();
  REQUIRE(refused.size() == 1);
  CHECK(refused.front().id == 1);
  CHECK(self.take_refused().empty());
  CHECK(self.write(pipe.fd()) == state::drained);
  CHECK(pipe.read().find("\"id\":2") != std::string::npos);
}
