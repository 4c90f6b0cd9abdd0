// Tells what a process inherits: a tool call answers with what this one was
// born with, as `structuredContent` and as text.
#include "mini_server.hpp"

#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/prctl.h>

namespace {

namespace json = mini::json;

json::array open_descriptors() {
  json::array open;
  for (int fd = 0; fd < 4096; ++fd)
    if (::fcntl(fd, F_GETFD) != -1)
      open.emplace_back(fd);
  return open;
}

json::array blocked_signals() {
  sigset_t mask;
  ::sigprocmask(SIG_BLOCK, nullptr, &mask);
  json::array blocked;
  for (int signal = 1; signal < NSIG; ++signal)
    if (sigismember(&mask, signal) == 1)
      blocked.emplace_back(signal);
  return blocked;
}

json::array ignored_signals() {
  json::array ignored;
  for (int signal = 1; signal < NSIG; ++signal) {
    struct sigaction action;
    if (::sigaction(signal, nullptr, &action) == 0
        && action.sa_handler == SIG_IGN)
      ignored.emplace_back(signal);
  }
  return ignored;
}

json::array environment_names() {
  json::array names;
  for (auto** entry = ::environ; *entry != nullptr; ++entry)
    names.emplace_back(std::string_view{*entry, std::strcspn(*entry, "=")});
  return names;
}

std::string working_directory() {
  char path[4096];
  return ::getcwd(path, sizeof path) == nullptr ? std::string{} : path;
}

json::object birth_certificate(int argc, char** argv) {
  json::object facts;
  facts["fds"] = open_descriptors();
  facts["blocked_signals"] = blocked_signals();
  facts["ignored_signals"] = ignored_signals();
  facts["pid"] = ::getpid();
  facts["ppid"] = ::getppid();
  facts["pgid"] = ::getpgrp();
  facts["sid"] = ::getsid(0);
  int death_signal = 0;
  ::prctl(PR_GET_PDEATHSIG, &death_signal);
  facts["parent_death_signal"] = death_signal;
  facts["cwd"] = working_directory();
  facts["argv"] = json::array(argv, argv + argc);
  facts["env_names"] = environment_names();
  return facts;
}

} // namespace

int main(int argc, char** argv) {
  // First of all, before anything opens a descriptor.
  const auto facts = json::serialize(birth_certificate(argc, argv));
  auto result = mini::text_result(facts);
  result.pop_back();
  result.append(R"(,"structuredContent":)").append(facts).append("}");
  while (const auto call = mini::serve_until("tools/call"))
    mini::reply(*call, result);
}
