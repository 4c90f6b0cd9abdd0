#include "caf_mcp/actors/runtime.hpp"

#include "caf_mcp/actors/interfaces.hpp"
#include "caf_mcp/actors/loop/io_loop.hpp"
#include "caf_mcp/messages/server_options.hpp"

#include <caf/init_global_meta_objects.hpp>

#include <algorithm>
#include <atomic>

namespace caf_mcp {

struct runtime::turn_counter {
  std::atomic<std::size_t> value = 0;
};

runtime::runtime(caf::actor_system& system, std::size_t loops)
  : system_{system}, turn_{std::make_unique<turn_counter>()} {
  for (std::size_t i = 0; i < std::max<std::size_t>(loops, 1); ++i)
    loops_.push_back(std::make_shared<io_loop>(system));
  try {
    for (auto& loop : loops_)
      loop->start();
  } catch (...) {
    stop();
    throw;
  }
}

runtime::~runtime() {
  stop();
}

void runtime::stop() {
  for (auto& loop : loops_)
    loop->begin_stop(); // side by side: each may wait for its servers
  for (auto& loop : loops_)
    loop->stop();
}

std::shared_ptr<io_loop> runtime::next_loop() noexcept {
  auto turn = turn_->value.fetch_add(1, std::memory_order_relaxed);
  return loops_[turn % loops_.size()];
}

void init_global_meta_objects() {
  caf::init_global_meta_objects<caf::id_block::caf_mcp>();
  caf::core::init_global_meta_objects();
}

} // namespace caf_mcp
