#include "caf_mcp/actors/client.hpp"
#include "caf_mcp/actors/io/pinned_actor.hpp"
#include "caf_mcp/actors/pipeline.hpp"

#include "library_host.hpp"
#include "request.hpp"

#include <caf/event_based_actor.hpp>

#include <algorithm>
#include <array>
#include <future>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>

namespace bench {

namespace {

/// Workers that look for messages without sleeping, for some hundred
/// microseconds after the last. See docs/performance.md.
constexpr std::array polling_workers
  = {"--caf.scheduler.policy=stealing",
     "--caf.work-stealing.aggressive-poll-attempts=10000"};

/// What a caller is to do, and how.
struct assignment {
  caf_mcp::connection server;
  load work;
  std::promise<outcome> done;
  bool has_pipeline;
};

/// Makes the requests of one load, and ends.
template <class Base>
class event_caller final : public Base {
public:
  event_caller(caf::actor_config& cfg, assignment what)
    : Base{cfg}, what_{std::move(what)} {
    prepare();
  }

  event_caller(caf::actor_config& cfg, std::shared_ptr<caf_mcp::io_loop> loop,
               assignment what)
    : Base{cfg, std::move(loop)}, what_{std::move(what)} {
    prepare();
  }

protected:
  caf::behavior make_behavior() override {
    start_ = clock::now();
    sent_ = start_;
    while (requests_ < what_.work.in_flight && requests_ < what_.work.requests)
      send_next();
    return {}; // lives on until its last answer
  }

private:
  void prepare() {
    if (what_.has_pipeline)
      pipeline_.emplace(this, what_.server);
    if (what_.work.in_flight == 1)
      result_.latencies.reserve(what_.work.requests);
  }

  void send_next() {
    ++requests_;
    auto on_result
      = [this](const caf_mcp::payload& result) { on_answer(result); };
    auto on_error = [this](const caf::error& error) { on_failure(error); };
    if (pipeline_)
      pipeline_->ask(make_request(), on_result, on_error);
    else
      ask(static_cast<Base*>(this), what_.server, make_request())
        .then(on_result, on_error);
  }

  void on_answer(const caf_mcp::payload& result) {
    if (++answers_ == 1)
      check_result(result.value());
    if (what_.work.in_flight == 1) {
      auto now = clock::now();
      result_.latencies.push_back(now - sent_);
      sent_ = now;
    }
    if (requests_ < what_.work.requests)
      send_next();
    else if (answers_ == what_.work.requests)
      finish();
  }

  void finish() {
    result_.wall = clock::now() - start_;
    what_.done.set_value(std::move(result_));
  }

  void on_failure(const caf::error& error) {
    what_.done.set_exception(std::make_exception_ptr(
      std::runtime_error{caf_mcp::describe(error).message}));
    this->quit();
  }

  assignment what_;
  std::optional<caf_mcp::pipeline<>> pipeline_;
  outcome result_;
  clock::time_point start_;
  clock::time_point sent_;
  std::size_t requests_ = 0;
  std::size_t answers_ = 0;
};

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
