// Runs tests for which pidfd_open(2) does not exist, as on an old kernel, in a
// sandbox or under Valgrind: test-without-pidfd SHARDS PROGRAM [ARGUMENT...]
//
// The program, made with Catch2, is run SHARDS times side by side, each time
// with another part of the tests: most of them wait for processes to end.
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <string>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace {

bool forbid_pidfd_open() {
  sock_filter rules[] = {
    {BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, nr)},
    {BPF_JMP | BPF_JEQ | BPF_K, 0, 1, SYS_pidfd_open},
    {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | ENOSYS},
    {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW},
  };
  sock_fprog program{sizeof(rules) / sizeof(rules[0]), rules};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
         && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0
         && syscall(SYS_pidfd_open, getpid(), 0) < 0 && errno == ENOSYS;
}

/// Becomes the program, with a part of its tests.
[[noreturn]] void run_shard(char** command, int shard, int shards) {
  auto count = std::to_string(shards);
  auto index = std::to_string(shard);
  char count_option[] = "--shard-count";
  char index_option[] = "--shard-index";
  std::vector<char*> args;
  for (; *command != nullptr; ++command)
    args.push_back(*command);
  args.insert(args.end(), {count_option, count.data(), index_option,
                           index.data(), nullptr});
  ::execvp(args.front(), args.data());
  std::perror(args.front());
  ::_exit(1);
}

/// Returns whether all parts of the tests have passed.
bool run_all(char** command, int shards) {
  for (auto shard = 0; shard < shards; ++shard)
    if (::fork() == 0)
      run_shard(command, shard, shards);
  auto all_passed = true;
  auto status = 0;
  for (auto ended = 0; ended < shards; ++ended)
    if (::wait(&status) < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
      all_passed = false;
  return all_passed;
}

} // namespace

int main(int argc, char** argv) {
  const auto shards = argc > 2 ? std::atoi(argv[1]) : 0;
  if (shards <= 0) {
    std::fputs("usage: test-without-pidfd SHARDS PROGRAM [ARGUMENT...]\n",
               stderr);
    return 2;
  }
  if (!forbid_pidfd_open()) {
    std::perror("seccomp");
    return 1;
  }
  return run_all(argv + 2, shards) ? 0 : 1;
}
