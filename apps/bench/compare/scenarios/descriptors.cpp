#include "descriptors.hpp"

#include <algorithm>
#include <sys/resource.h>

namespace bench {

namespace {

/// Three pipes, a pidfd and some for the process itself.
constexpr rlim_t descriptors_per_server = 5;

} // namespace

void allow_descriptors(std::size_t servers) {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  const auto wanted = servers * descriptors_per_server + 100;
  limit.rlim_cur = std::min<rlim_t>(std::max<rlim_t>(limit.rlim_cur, wanted),
                                    limit.rlim_max);
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

} // namespace bench
