// Whether an answered request leaves anything behind.
#pragma once

#include "apps/bench/compare/clients/client.hpp"

#include <cstddef>

namespace bench {

/// Resident memory of this process, in bytes.
struct memory_figures {
  std::size_t requests_first = 0;
  std::size_t requests_all = 0;
  std::size_t bytes_first = 0;
  std::size_t bytes_all = 0;

  /// What came on top after the first requests, in bytes.
  std::ptrdiff_t growth() const noexcept {
    return static_cast<std::ptrdiff_t>(bytes_all)
           - static_cast<std::ptrdiff_t>(bytes_first);
  }
};

/// Makes `work`, and looks after the first tenth of it and at the end.
memory_figures measure_memory(client& caller, const load& work);

} // namespace bench
