#include "library_fleet.hpp"

#include "caf_mcp/actors/client.hpp"

#include "apps/bench/compare/clients/event_caller.hpp"
#include "apps/bench/compare/clients/request.hpp"

#include <caf/event_based_actor.hpp>
#include <caf/scoped_actor.hpp>

#include <future>
#include <stdexcept>
#include <utility>

namespace bench {

namespace {

std::runtime_error failure(const caf::error& error) {
  return std::runtime_error{caf_mcp::describe(error).message};
}

/// Goes round, and ends.
class traveller final : public caf::event_based_actor {
public:
  traveller(caf::actor_config& cfg,
            const std::vector<caf_mcp::connection>& servers,
            const std::vector<std::size_t>& order,
            std::promise<std::vector<clock::duration>> done)
    : event_based_actor{cfg},
      servers_{servers},
      order_{order},
      done_{std::move(done)} {
    latencies_.reserve(order.size());
  }

protected:
  caf::behavior make_behavior() override {
    sent_ = clock::now();
    send_next();
    return {}; // lives on until its last answer
  }

private:
  void send_next() {
    const auto& server = servers_[order_[latencies_.size()]];
    ask(static_cast<caf::event_based_actor*>(this), server, make_request())
      .then([this](const caf_mcp::payload& result) { on_answer(result); },
            [this](const caf::error& error) {
              done_.set_exception(std::make_exception_ptr(failure(error)));
            });
  }

  void on_answer(const caf_mcp::payload& result) {
    if (latencies_.empty())
      check_result(result.value());
    const auto now = clock::now();
    latencies_.push_back(now - sent_);
    sent_ = now;
    if (latencies_.size() < order_.size())
      send_next();
    else
      done_.set_value(std::move(latencies_));
  }

  const std::vector<caf_mcp::connection>& servers_;
  const std::vector<std::size_t>& order_;
  std::promise<std::vector<clock::duration>> done_;
  std::vector<clock::duration> latencies_;
  clock::time_point sent_;
};

} // namespace

library_fleet::library_fleet(const client_options& options, std::size_t count)
  : system_{set_up(config_, options)}, runtime_{system_} {
  for (std::size_t i = 0; i < count; ++i) {
    auto started = caf_mcp::spawn_connection(runtime_, start_options(options));
    if (!started)
      throw failure(started.error());
    servers_.push_back(*started);
  }
  // Not `open_connection`, which would make this short-lived actor the owner.
  caf::scoped_actor self{system_};
  auto list = [&self](const caf_mcp::connection& server) {
    return ask(self.ptr(), server, caf_mcp::list_all{});
  };
  std::vector<decltype(list(servers_.front()))> answers;
  for (const auto& each : servers_)
    answers.push_back(list(each));
  for (auto& each : answers)
    std::move(each).receive(
      [](const caf_mcp::payload&) {},
      [](const caf::error& error) { throw failure(error); });
}

std::vector<clock::duration>
library_fleet::tour(const std::vector<std::size_t>& order) {
  std::promise<std::vector<clock::duration>> done;
  auto result = done.get_future();
  system_.spawn<traveller>(servers_, order, std::move(done));
  return result.get();
}

clock::duration library_fleet::run(const load& each) {
  std::vector<std::future<outcome>> results;
  const auto start = clock::now();
  for (const auto& server : servers_) {
    std::promise<outcome> done;
    results.push_back(done.get_future());
    system_.spawn<event_caller<caf::event_based_actor>>(
      assignment{server, each, std::move(done), true});
  }
  for (auto& result : results)
    result.get();
  return clock::now() - start;
}

} // namespace bench
