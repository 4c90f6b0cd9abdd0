#include "floor_server.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <spawn.h>
#include <stdexcept>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

extern char** environ;

namespace bench {

namespace {

/// As the library's.
constexpr int pipe_bytes = 256 * 1024;

[[noreturn]] void fail(const char* what, int error) {
  throw std::system_error{error, std::generic_category(), what};
}

std::array<int, 2> make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    fail("pipe2", errno);
  if (::fcntl(ends[0], F_SETPIPE_SZ, pipe_bytes) < pipe_bytes)
    fail("F_SETPIPE_SZ", errno);
  return ends;
}

} // namespace

floor_server::floor_server(const std::string& path,
                           std::vector<std::string> arguments) {
  auto input = make_pipe();
  auto output = make_pipe();
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, input[0], STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, output[1], STDOUT_FILENO);
  arguments.insert(arguments.begin(), path);
  std::vector<char*> words(arguments.size() + 1); // ends with a null pointer
  std::transform(arguments.begin(), arguments.end(), words.begin(),
                 [](std::string& word) { return word.data(); });
  auto error = ::posix_spawn(&pid_, path.c_str(), &actions, nullptr,
                             words.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(input[0]);
  ::close(output[1]);
  stdin_ = input[1];
  stdout_ = output[0];
  if (error != 0)
    fail(path.c_str(), error);
}

floor_server::~floor_server() {
  ::close(stdin_);
  ::close(stdout_);
  ::waitpid(pid_, nullptr, 0);
}

void floor_server::write(std::string_view bytes) const {
  while (!bytes.empty()) {
    auto count = ::write(stdin_, bytes.data(), bytes.size());
    if (count < 0)
      fail("write", errno);
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

std::size_t floor_server::read(char* into, std::size_t room) const {
  auto count = ::read(stdout_, into, room);
  if (count < 0)
    fail("read", errno);
  if (count == 0)
    throw std::runtime_error{"the server has closed its stdout"};
  return static_cast<std::size_t>(count);
}

} // namespace bench
