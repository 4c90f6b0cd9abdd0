#include "caf_mcp/actors/client.hpp"

#include "library_host.hpp"
#include "request.hpp"

#include <caf/event_based_actor.hpp>

#include <future>
#include <stdexcept>

namespace bench {

namespace {

/// Makes the requests of one load, and ends.
class event_caller final : public caf::event_based_actor {
public:
  event_caller(caf::actor_config& cfg, caf_mcp::connection server, load work,
               std::promise<outcome> done)
    : caf::event_based_actor{cfg},
      server_{std::move(server)},
      work_{work},
      done_{std::move(done)} {
    if (work_.in_flight == 1)
      result_.latencies.reserve(work_.requests);
  }

protected:
  caf::behavior make_behavior() override {
    start_ = clock::now();
    sent_ = start_;
    while (requests_ < work_.in_flight && requests_ < work_.requests)
      send_next();
    return {}; // lives on until its last answer
  }

private:
  void send_next() {
    ++requests_;
    ask(this, server_, make_request())
      .then([this](const caf_mcp::payload& result) { on_answer(result); },
            [this](const caf::error& error) { on_error(error); });
  }

  void on_answer(const caf_mcp::payload& result) {
    if (++answers_ == 1)
      check_result(result.value());
    if (work_.in_flight == 1) {
      auto now = clock::now();
      result_.latencies.push_back(now - sent_);
      sent_ = now;
    }
    if (requests_ < work_.requests)
      send_next();
    else if (answers_ == work_.requests)
      finish();
  }

  void finish() {
    result_.wall = clock::now() - start_;
    done_.set_value(std::move(result_));
  }

  void on_error(const caf::error& error) {
    done_.set_exception(std::make_exception_ptr(
      std::runtime_error{caf_mcp::describe(error).message}));
    quit();
  }

  caf_mcp::connection server_;
  load work_;
  std::promise<outcome> done_;
  outcome result_;
  clock::time_point start_;
  clock::time_point sent_;
  std::size_t requests_ = 0;
  std::size_t answers_ = 0;
};

class event_client final : public client {
public:
  explicit event_client(const client_options& options) : host_{options} {
    // nop
  }

  outcome run(const load& work) override {
    std::promise<outcome> done;
    auto result = done.get_future();
    host_.system().spawn<event_caller>(host_.server(), work, std::move(done));
    return result.get();
  }

private:
  library_host host_;
};

} // namespace

std::unique_ptr<client> make_event_client(const client_options& options) {
  return std::make_unique<event_client>(options);
}

} // namespace bench
