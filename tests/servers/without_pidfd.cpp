// Runs a program for which pidfd_open(2) does not exist, as on an old kernel,
// in a sandbox or under Valgrind: test-without-pidfd PROGRAM [ARGUMENT...]
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

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

} // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fputs("usage: test-without-pidfd PROGRAM [ARGUMENT...]\n", stderr);
    return 2;
  }
  if (!forbid_pidfd_open()) {
    std::perror("seccomp");
    return 1;
  }
  execvp(argv[1], argv + 1);
  std::perror(argv[1]);
  return 1;
}
