#include "subscriptions.hpp"

#include "apps/bench/compare/clients/library_host.hpp"
#include "event_owner.hpp"
#include "floor_listener.hpp"

#include <limits>
#include <optional>
#include <stdexcept>

namespace bench {

namespace {

/// More than wait for an owner, so that some are dropped.
constexpr std::size_t many = 150;

/// Reported at a time, of one resource.
constexpr std::size_t events_per_call = 100;

constexpr owner_habits eager{std::numeric_limits<std::uint64_t>::max(), 0, {}};
constexpr owner_habits with_credit{1000, 100, {}};
constexpr owner_habits slow{1, 1, std::chrono::milliseconds{1}};

std::vector<std::string> make_uris(std::size_t count) {
  std::vector<std::string> result;
  for (std::size_t i = 0; i < count; ++i)
    result.push_back("demo://item/" + std::to_string(i));
  return result;
}

/// What became of the events of a round.
struct findings {
  double events_per_second = 0;
  double delivered = 0;
  double merged = 0;
  double dropped = 0;
};

findings make_findings(std::size_t events, const owner_tally& tally,
                       clock::duration time) {
  const auto all = static_cast<double>(events);
  const auto delivered = static_cast<double>(tally.events);
  const auto dropped = static_cast<double>(tally.dropped);
  return {all / std::chrono::duration<double>(time).count(), delivered,
          all - delivered - dropped, dropped};
}

/// The library, and one owner that is looked at.
class library_listener {
public:
  library_listener(const options& chosen, std::size_t resources)
    : host_{chosen.client}, uris_{make_uris(resources)} {
    // nop
  }

  /// `beside` owns a second subscription, unless it is null.
  findings run(std::size_t calls, const owner_habits& habits,
               const owner_habits* beside) {
    std::optional<owned_subscription> other;
    if (beside != nullptr)
      other.emplace(host_.system(), host_.server(), filter(), *beside);
    owned_subscription mine{host_.system(), host_.server(), filter(), habits};
    const auto start = clock::now();
    touch(calls);
    const auto tally = mine.end();
    const auto time = clock::now() - start;
    if (other)
      other->end();
    return make_findings(calls * events_per_call, tally, time);
  }

private:
  caf_mcp::listen_filter filter() const {
    caf_mcp::listen_filter result;
    result.uris = uris_;
    return result;
  }

  /// Has the server report changes, of one resource after the other.
  void touch(std::size_t calls) {
    caf::scoped_actor self{host_.system()};
    auto send = [&](std::size_t number) {
      return ask(
        self.ptr(), host_.server(),
        caf_mcp::call_tool("touch", {{"uri", uris_[number % uris_.size()]},
                                     {"count", events_per_call}}));
    };
    std::vector<decltype(send(0))> answers;
    for (std::size_t i = 0; i < calls; ++i)
      answers.push_back(send(i));
    for (auto& each : answers)
      std::move(each).receive([](const caf_mcp::payload&) {},
                              [](const caf::error& error) {
                                throw std::runtime_error{
                                  caf_mcp::describe(error).message};
                              });
  }

  library_host host_;
  std::vector<std::string> uris_;
};

/// Rounds of one row.
struct rounds {
  std::string name;
  std::vector<findings> all = {};

  spread of(double findings::*figure) const {
    std::vector<double> values;
    for (const auto& each : all)
      values.push_back(each.*figure);
    return spread_of(std::move(values));
  }

  /// Returns events a second by those of `base`, round by round.
  spread speed_of(const rounds& base) const {
    std::vector<double> values;
    for (std::size_t i = 0; i < all.size(); ++i)
      values.push_back(all[i].events_per_second
                       / base.all[i].events_per_second);
    return spread_of(std::move(values));
  }
};

} // namespace

table measure_subscriptions(const options& chosen) {
  const auto calls = chosen.pipelined_requests / events_per_call + 1;
  floor_listener floor{chosen.client, make_uris(1).front()};
  library_listener of_one{chosen, 1};
  library_listener of_many{chosen, many};
  rounds found[] = {{"floor"}, {"eager"},  {"credit"},
                    {"slow"},  {"beside"}, {"slow, " + std::to_string(many)}};
  for (std::size_t round = 0; round < chosen.rounds; ++round) {
    const auto events = calls * events_per_call;
    found[0].all.push_back(
      make_findings(events, {events, 0}, floor.run(calls, events_per_call)));
    found[1].all.push_back(of_one.run(calls, eager, nullptr));
    found[2].all.push_back(of_one.run(calls, with_credit, nullptr));
    found[3].all.push_back(of_one.run(calls, slow, nullptr));
    found[4].all.push_back(of_one.run(calls, eager, &slow));
    found[5].all.push_back(of_many.run(calls, slow, nullptr));
  }
  table result{"events of one server, by their owner",
               {"events/s", "of the floor", "delivered", "merged", "dropped"},
               {},
               {}};
  for (const auto& each : found)
    result.rows.push_back(
      {each.name,
       {each.of(&findings::events_per_second), each.speed_of(found[0]),
        each.of(&findings::delivered), each.of(&findings::merged),
        each.of(&findings::dropped)}});
  return result;
}

} // namespace bench
