#include "pending.hpp"

#include "caf_mcp/actors/client.hpp"
#include "caf_mcp/actors/pipeline.hpp"

#include "library_fleet.hpp"

#include <caf/event_based_actor.hpp>
#include <caf/scoped_actor.hpp>

#include <algorithm>
#include <future>
#include <stdexcept>
#include <utility>

namespace bench {

namespace {

/// With the most requests pending, in that with one.
constexpr double pending_growth_max = 1.3;

/// Makes a request that is never answered. Its deadline is one of many, all
/// later than what is measured takes.
caf_mcp::send_request held_request(std::uint64_t number) {
  caf_mcp::request_options options;
  options.timeout = std::chrono::minutes{1} + std::chrono::milliseconds{1}
                    + std::chrono::milliseconds{number * 7919 % 540'000};
  options.tag = 1;
  return caf_mcp::call_tool("hold", {}, options);
}

/// Has requests that wait. Not the actor that is measured: CAF looks through
/// all pending responses of an actor for each answer to it.
class holder final : public caf::event_based_actor {
public:
  holder(caf::actor_config& cfg, caf_mcp::connection server)
    : event_based_actor{cfg}, pipeline_{this, std::move(server)} {
    // nop
  }

protected:
  caf::behavior make_behavior() override {
    return {[this](std::uint64_t total) {
      for (; held_ < total; ++held_)
        pipeline_.ask(
          held_request(held_), [](const caf_mcp::payload&) {},
          [](const caf::error&) {}); // the end of the connection
      return held_;
    }};
  }

private:
  caf_mcp::pipeline<> pipeline_;
  std::uint64_t held_ = 0;
};

/// Sends and cancels requests, one at a time, and ends.
class canceller final : public caf::event_based_actor {
public:
  canceller(caf::actor_config& cfg, caf_mcp::connection server,
            std::size_t requests,
            std::promise<std::vector<clock::duration>> done)
    : event_based_actor{cfg},
      server_{std::move(server)},
      requests_{requests},
      done_{std::move(done)} {
    times_.reserve(requests);
  }

protected:
  caf::behavior make_behavior() override {
    send_next();
    return {}; // lives on until its last answer
  }

private:
  void send_next() {
    auto* self = static_cast<caf::event_based_actor*>(this);
    sent_ = clock::now();
    ask(self, server_, held_request(times_.size()))
      .then([](const caf_mcp::payload&) {},
            [this](const caf::error& error) { on_failure(error); });
    caf_mcp::tell(self, server_, caf_mcp::cancel_request{1, ""});
  }

  void on_failure(const caf::error& error) {
    times_.push_back(clock::now() - sent_);
    if (error != caf_mcp::errc::cancelled)
      done_.set_exception(std::make_exception_ptr(
        std::runtime_error{caf_mcp::describe(error).message}));
    else if (times_.size() < requests_)
      send_next();
    else
      done_.set_value(std::move(times_));
  }

  caf_mcp::connection server_;
  std::size_t requests_;
  std::promise<std::vector<clock::duration>> done_;
  std::vector<clock::duration> times_;
  clock::time_point sent_;
};

/// One server, and requests that it does not answer.
class busy_host {
public:
  explicit busy_host(const options& chosen)
    : fleet_{chosen.client, 1},
      holder_{fleet_.system().spawn<holder>(fleet_.servers().front())} {
    // nop
  }

  /// Sees to it that so many requests are pending.
  void hold(std::uint64_t total) {
    constexpr std::uint64_t step = 1000;
    caf::scoped_actor self{fleet_.system()};
    for (std::uint64_t held = 0; held < total;)
      caf_mcp::ask(self.ptr(), holder_, std::min(total, held + step))
        .receive([&held](std::uint64_t now) { held = now; },
                 [](const caf::error& error) {
                   throw std::runtime_error{caf::to_string(error)};
                 });
  }

  /// Throws unless so many requests are pending.
  void check(std::uint64_t total) {
    caf::scoped_actor self{fleet_.system()};
    const auto session
      = ask(self, fleet_.servers().front(), caf_mcp::get_session{});
    if (!session || session->in_flight != total)
      throw std::runtime_error{"not all requests are pending"};
  }

  double echo_us(std::size_t requests) {
    const std::vector<std::size_t> order(requests);
    return to_us(quantile(fleet_.tour(order), 0.5));
  }

  double cancel_us(std::size_t requests) {
    std::promise<std::vector<clock::duration>> done;
    auto times = done.get_future();
    fleet_.system().spawn<canceller>(fleet_.servers().front(), requests,
                                     std::move(done));
    return to_us(quantile(times.get(), 0.5));
  }

private:
  library_fleet fleet_;
  caf::actor holder_;
};

/// Rounds of one number of pending requests.
struct costs {
  std::vector<double> echo_us;
  std::vector<double> echo_growth;
  std::vector<double> cancel_us;
  std::vector<double> cancel_growth;
};

/// Adds a round of each number to `found`.
void measure_round(const options& chosen,
                   const std::vector<std::size_t>& numbers,
                   std::vector<costs>& found) {
  const auto requests = chosen.sequential_requests / 5 + 1;
  busy_host host{chosen};
  host.echo_us(requests); // warms up
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    host.hold(numbers[i]);
    host.echo_us(requests / 10 + 1); // the server has read the others
    host.check(numbers[i]);
    auto& into = found[i];
    const auto& one = found.front();
    into.echo_us.push_back(host.echo_us(requests));
    into.echo_growth.push_back(into.echo_us.back() / one.echo_us.back());
    into.cancel_us.push_back(host.cancel_us(requests));
    into.cancel_growth.push_back(into.cancel_us.back() / one.cancel_us.back());
  }
}

} // namespace

table measure_pending(const options& chosen) {
  std::vector<std::size_t> numbers;
  for (std::size_t number = 1; number <= chosen.pending_max; number *= 10)
    numbers.push_back(number);
  std::vector<costs> found(numbers.size());
  for (std::size_t round = 0; round < chosen.rounds; ++round)
    measure_round(chosen, numbers, found);
  table result{"one request at a time while others are pending, p50",
               {"echo us", "echo, of one", "cancel us", "cancel, of one"},
               {},
               {},
               {{"pending", "requests pending", "us", {0, 2}}}};
  for (std::size_t i = 0; i < numbers.size(); ++i)
    result.rows.push_back(
      {std::to_string(numbers[i]),
       {spread_of(found[i].echo_us), spread_of(found[i].echo_growth),
        spread_of(found[i].cancel_us), spread_of(found[i].cancel_growth)}});
  const auto& most = result.rows.back();
  result.targets
    = {at_most("echo with " + most.name + " requests pending, in that with one",
               most.cells[1].median, pending_growth_max),
       at_most("cancelled request with " + most.name
                 + " pending, in that with one",
               most.cells[3].median, pending_growth_max)};
  return result;
}

} // namespace bench
