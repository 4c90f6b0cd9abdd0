#pragma once

#include <array>
#include <cstddef>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>

namespace tests {

/// Makes a system call fail with this errno in the calling thread and in what
/// it starts, for good. Returns whether that could be done.
inline bool refuse_call(unsigned number, unsigned error) {
  std::array<sock_filter, 4> code{{
    {BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, nr)},
    {BPF_JMP | BPF_JEQ | BPF_K, 0, 1, number},
    {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | error},
    {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW},
  }};
  sock_fprog program{static_cast<unsigned short>(code.size()), code.data()};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
         && ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

} // namespace tests
