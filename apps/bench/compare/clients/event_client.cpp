#include "caf_mcp/actors/loop/pinned_actor.hpp"

#include "event_caller.hpp"
#include "library_host.hpp"

#include <caf/event_based_actor.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <thread>
#include <utility>

namespace bench {

namespace {

/// Workers that look for messages without sleeping, for some hundred
/// microseconds after the last. See docs/performance.md.
constexpr std::array polling_workers
  = {"--caf.scheduler.policy=stealing",
     "--caf.work-stealing.aggressive-poll-attempts=10000"};

/// Where the caller runs, and what it sends its requests with.
enum class caller_kind { plain, with_pipeline, pinned };

class event_client final : public client {
public:
  event_client(const client_options& options, caller_kind kind)
    : host_{options}, kind_{kind} {
    // nop
  }

  outcome run(const load& work) override {
    std::promise<outcome> done;
    auto result = done.get_future();
    assignment what{host_.server(), work, std::move(done),
                    kind_ != caller_kind::plain};
    if (kind_ == caller_kind::pinned) {
      using caller
        = event_caller<caf_mcp::pinned_actor<caf::event_based_actor>>;
      caf_mcp::spawn_pinned<caller>(host_.system(), host_.loop(),
                                    std::move(what));
    } else {
      host_.system().spawn<event_caller<caf::event_based_actor>>(
        std::move(what));
    }
    return result.get();
  }

private:
  library_host host_;
  caller_kind kind_;
};

} // namespace

std::unique_ptr<client> make_event_client(const client_options& options) {
  return std::make_unique<event_client>(options, caller_kind::plain);
}

std::unique_ptr<client> make_polling_client(const client_options& options) {
  auto mine = options;
  for (const auto* setting : polling_workers)
    mine.caf_arguments.emplace_back(setting);
  mine.caf_arguments.push_back(
    "--caf.scheduler.max-threads="
    + std::to_string(std::max(2U, std::thread::hardware_concurrency()) - 1));
  return make_event_client(mine);
}

std::unique_ptr<client> make_pipeline_client(const client_options& options) {
  return std::make_unique<event_client>(options, caller_kind::with_pipeline);
}

std::unique_ptr<client> make_pinned_client(const client_options& options) {
  return std::make_unique<event_client>(options, caller_kind::pinned);
}

} // namespace bench
