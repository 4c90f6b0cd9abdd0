// An actor that makes the requests of one load.
#pragma once

#include "caf_mcp/actors/client.hpp"
#include "caf_mcp/actors/loop/pinned_actor.hpp"
#include "caf_mcp/actors/pipeline.hpp"

#include "client.hpp"
#include "request.hpp"

#include <future>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

namespace bench {

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

} // namespace bench
