// Room for many servers at a time.
#pragma once

#include <cstddef>

namespace bench {

/// Lets this process have the descriptors that so many servers need, as far as
/// the system allows it.
void allow_descriptors(std::size_t servers);

} // namespace bench
