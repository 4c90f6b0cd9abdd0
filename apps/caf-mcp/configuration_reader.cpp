#include "configuration_reader.hpp"

#include "caf_mcp/actors/port/background.hpp"
#include "caf_mcp/messages/error_info.hpp"

#include <atomic>
#include <mutex>
#include <system_error>
#include <utility>

namespace caf_mcp::tool {

namespace {

std::atomic<int> running_threads = 0;

configuration no_thread(int error) {
  return {
    local_error(errc::spawn_failed, "no thread to read the configuration: "
                                      + std::generic_category().message(error)),
    {}};
}

} // namespace

struct configuration_reader::shared_state {
  std::function<configuration()> read;
  std::mutex mutex;
  /// Empty once nobody waits any more.
  std::function<void()> on_read;
  std::optional<configuration> result;
  bool is_reading = false;
  bool is_wanted_again = false;

  /// Returns whether to read again.
  bool finish(configuration what) {
    const std::lock_guard guard{mutex};
    if (on_read && std::exchange(is_wanted_again, false))
      return true;
    is_reading = false;
    result.emplace(std::move(what));
    if (on_read)
      on_read();
    return false;
  }
};

configuration_reader::configuration_reader(std::function<configuration()> read,
                                           std::function<void()> on_read)
  : state_{std::make_shared<shared_state>()} {
  state_->read = std::move(read);
  state_->on_read = std::move(on_read);
}

configuration_reader::~configuration_reader() {
  const std::lock_guard guard{state_->mutex};
  state_->on_read = nullptr;
}

void configuration_reader::start() {
  {
    const std::lock_guard guard{state_->mutex};
    state_->is_wanted_again = state_->is_reading;
    if (std::exchange(state_->is_reading, true))
      return;
  }
  ++running_threads;
  const auto error = run_in_background([state = state_]() mutable {
    run(std::move(state));
    --running_threads;
  });
  if (error == 0)
    return;
  --running_threads;
  state_->finish(no_thread(error));
}

std::optional<configuration> configuration_reader::take() {
  const std::lock_guard guard{state_->mutex};
  return std::exchange(state_->result, std::nullopt);
}

bool configuration_reader::is_any_reading() noexcept {
  return running_threads > 0;
}

void configuration_reader::run(std::shared_ptr<shared_state> state) {
  while (state->finish(state->read())) {
    // again
  }
}

} // namespace caf_mcp::tool
