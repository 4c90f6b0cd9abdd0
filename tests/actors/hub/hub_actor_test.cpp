// A hub whose connections are played by the test: no process, and no waiting.
#include "caf_mcp/actors/hub/hub_actor.hpp"

#include "caf_mcp/messages/json/compose.hpp"

#include "tests/support/host.hpp"
#include "tests/support/wait_until.hpp"

#include <caf/actor_cast.hpp>
#include <caf/event_based_actor.hpp>
#include <caf/exit_reason.hpp>
#include <caf/send.hpp>
#include <caf/typed_event_based_actor.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <atomic>
#include <map>
#include <mutex>
#include <set>

using namespace caf_mcp;
using namespace std::chrono_literals;
using Catch::Matchers::ContainsSubstring;
using tests::failure;
using tests::host;
using tests::value;

namespace {

/// One connection of the hub. Used by its actor alone, but for what is guarded.
struct role {
  std::string command;
  connection handle;
  session_info session;
  caf::strong_actor_ptr watcher;
  caf::strong_actor_ptr listener;
  std::uint64_t subscription = 0;
  /// What lists are answered with; absent: they are not yet.
  payload answer;
  std::vector<std::pair<list_kind, caf::typed_response_promise<payload>>> lists;
};

/// All connections that the hub has spawned, oldest first.
class stage {
public:
  void add(const std::string& command, const connection& which) {
    const std::lock_guard guard{mutex_};
    all_[command].push_back(which);
  }

  void on_list(const list_all& message) {
    const std::lock_guard guard{mutex_};
    listing_options_.push_back(message.options);
  }

  /// Returns how lists were asked for.
  std::vector<request_options> listing_options() {
    const std::lock_guard guard{mutex_};
    return listing_options_;
  }

  void on_cancel() {
    is_cancelled_ = true;
  }

  /// Returns whether a subscription was cancelled.
  bool is_cancelled() const {
    return is_cancelled_;
  }

  void on_close(const connection& which, caf::timespan drain) {
    const std::lock_guard guard{mutex_};
    drains_.emplace_back(which, drain);
  }

  std::vector<connection> of(const std::string& command) {
    const std::lock_guard guard{mutex_};
    return all_[command];
  }

  /// Returns the drain that a connection was closed with, once it is.
  caf::timespan drain_of(const connection& which) {
    caf::timespan result{-1};
    CHECK(tests::wait_until([&] {
      const std::lock_guard guard{mutex_};
      for (const auto& [closed, drain] : drains_)
        if (closed == which)
          result = drain;
      return result.count() >= 0;
    }));
    return result;
  }

private:
  std::mutex mutex_;
  std::map<std::string, std::vector<connection>> all_;
  std::vector<std::pair<connection, caf::timespan>> drains_;
  std::vector<request_options> listing_options_;
  std::atomic<bool> is_cancelled_ = false;
};

void answer(const role& me, list_kind kind,
            caf::typed_response_promise<payload>& promise) {
  if (!me.answer.value().is_array())
    promise.deliver(local_error(errc::request_timeout, "no answer"));
  else
    promise.deliver(kind == list_kind::tools ? me.answer : parse_payload("[]"));
}

/// The test tells a connection what its server does by notifications: `ready`,
/// `lost`, `changed` (its list of tools), and `list`: all lists, those that
/// were asked for and those that will be, are answered with this array of
/// tools, or with an error.
void play(connection::pointer self, role& me,
          const send_notification& message) {
  const auto tell_watcher = [&](connection_state state) {
    me.session.state = state;
    status_changed news;
    news.state = state;
    if (state == connection_state::waiting)
      news.reason = close_reason{close_cause::exit_status, 1, "", ""};
    if (me.watcher)
      caf_version::tell(self, caf::actor_cast<status_listener>(me.watcher),
                        news);
  };
  if (message.method == "ready") {
    tell_watcher(connection_state::ready);
  } else if (message.method == "lost") {
    tell_watcher(connection_state::waiting);
  } else if (message.method == "changed") {
    caf_version::tell(self, caf::actor_cast<subscription_listener>(me.listener),
                      subscription_event{me.subscription, {}});
  } else if (message.method == "list") {
    me.answer = message.params;
    for (auto& [kind, promise] : std::exchange(me.lists, {}))
      answer(me, kind, promise);
  }
}

connection_factory played_by(std::shared_ptr<stage> all) {
  return [all](caf::actor_system& system, const std::shared_ptr<io_loop>&,
               const std::shared_ptr<const server_options>& options,
               const log_listener&, const handlers&) {
    auto me = std::make_shared<role>();
    me->command = options->command;
    auto result = system.spawn(
      [me, all](connection::pointer self) -> connection::behavior_type {
        me->session.era = era::legacy;
        return {
          [=](open_connection) {
            return self->make_response_promise<session_info>();
          },
          [=](get_session) { return me->session; },
          [=](const send_request&) -> caf::result<payload> {
            return to_payload(me->command);
          },
          [=](const list_all& message) -> caf::result<payload> {
            all->on_list(message);
            auto promise = self->make_response_promise<payload>();
            me->lists.emplace_back(message.kind, promise);
            if (me->answer)
              for (auto& [kind, held] : std::exchange(me->lists, {}))
                answer(*me, kind, held);
            return promise;
          },
          [=](const send_notification& message) { play(self, *me, message); },
          [](const cancel_request&) {},
          [=](const caf_mcp::listen&) {
            static std::atomic<std::uint64_t> last{0};
            me->listener = self->current_sender();
            me->subscription = ++last;
            const auto accept = [=] {
              caf_version::tell(
                self, caf::actor_cast<subscription_listener>(me->listener),
                subscription_accepted{me->subscription, {}});
            };
            caf_version::run_next(self, accept); // after the answer
            return me->subscription;
          },
          [](const grant_events&) {},
          [=](const cancel_subscription&) { all->on_cancel(); },
          [](const send_pipelined&) {},
          [=](const await_answers&) {
            return self->make_response_promise<pipelined_answers>();
          },
          [=](const close_connection& message) {
            all->on_close(caf::actor_cast<connection>(self), message.drain);
          },
          [=](watch_status) {
            me->watcher = self->current_sender();
            if (me->session.state == connection_state::ready)
              play(self, *me, send_notification{"ready", {}});
          },
        };
      });
    all->add(me->command, result);
    return result;
  };
}

server_entry entry_of(std::string name,
                      std::vector<std::string> depends_on = {}) {
  server_entry result;
  result.options.command = name;
  result.name = std::move(name);
  result.policy.depends_on = std::move(depends_on);
  return result;
}

server_entry lazy(server_entry entry) {
  entry.policy.start = start_policy::lazy;
  return entry;
}

/// A hub of servers whose commands are their names.
class played_hub {
public:
  explicit played_hub(std::vector<server_entry> servers, hub_options how = {}) {
    hub_surroundings around;
    around.connections = played_by(roles);
    around.backoff_min = 1ms;
    handle = hub{hub_and_listener{spawn_pinned<hub_actor>(
      app.system(), app.runtime().next_loop(), app.runtime(),
      std::move(servers), std::move(how), std::move(around))}};
  }

  ~played_hub() {
    caf::anon_send_exit(handle, caf::exit_reason::user_shutdown);
    for (const auto& name : {"a", "b", "c"})
      for (const auto& each : roles->of(name))
        caf::anon_send_exit(each, caf::exit_reason::user_shutdown);
  }

  template <class Message>
  auto ask(Message message) {
    return caf_mcp::ask(*app.self, handle, std::move(message));
  }

  mcp_server server(std::string name) {
    return value(ask(look_up{std::move(name)}));
  }

  server_state state(const std::string& name) {
    for (const auto& each : value(ask(get_servers{})))
      if (each.name == name)
        return each.state;
    return server_state::broken;
  }

  bool reaches(const std::string& name, server_state which) {
    return tests::wait_until([&] { return state(name) == which; });
  }

  /// Returns the `count`th connection of a server, once there is one.
  connection nth(const std::string& name, std::size_t count = 1) {
    REQUIRE(tests::wait_until([&] { return roles->of(name).size() >= count; }));
    return roles->of(name).at(count - 1);
  }

  void say(const connection& which, std::string what, payload params = {}) {
    tell(*app.self, which, send_notification{std::move(what), params});
  }

  /// Makes the `count`th connection of a server ready.
  connection make_ready(const std::string& name, std::size_t count = 1) {
    auto result = nth(name, count);
    say(result, "ready");
    CHECK(reaches(name, server_state::ready));
    return result;
  }

  host app;
  std::shared_ptr<stage> roles = std::make_shared<stage>();
  hub handle;
};

const auto old_list = parse_payload(R"([{"name":"old"}])");
const auto new_list = parse_payload(R"([{"name":"new"}])");

/// Keeps a copy of the catalogue, as an embedder does.
class mirror {
public:
  explicit mirror(played_hub& all) : self_{all.app.system()} {
    tell(self_, all.handle, watch_catalogue{});
  }

  /// Takes the next message.
  const catalogue_changed& next() {
    self_->receive(
      [this](const catalogue_changed& message) {
        last_ = message;
        for (const auto& server : message.servers)
          for (const auto& each : server.items)
            if (each.what == item_change::removed)
              items.erase(each.name);
            else
              items.insert(each.name);
      },
      caf::after(20s) >> [] { FAIL("no change was told"); });
    return last_;
  }

  /// Takes messages until the copy holds these.
  void becomes(const std::set<std::string>& wanted) {
    while (items != wanted)
      next();
  }

  std::set<std::string> items;

private:
  caf::scoped_actor self_;
  catalogue_changed last_;
};

std::set<std::string> tools(const payload& list) {
  std::set<std::string> result;
  for (const auto& each : list.member("tools").value().as_array())
    result.emplace(each.at("name").as_string());
  return result;
}

} // namespace

const auto no_answer = parse_payload("0");
const auto empty = parse_payload("[]");

TEST_CASE("a late list of a replaced process never lands after its replacement",
          "[hub_actor]") {
  played_hub all{{entry_of("a")}};
  const auto first = all.make_ready("a");
  auto catalogue = ask(all.app.self->ptr(), all.handle, get_catalogue{});
  SECTION("by other options") {
    auto options = entry_of("a").options;
    options.args = {"new"};
    value(all.ask(put_server{"a", options, {}}));
  }
  SECTION("by a restart") {
    tell(*all.app.self, all.handle, restart_server{"a"});
  }
  all.make_ready("a", 2);
  all.say(first, "list", old_list);
  std::move(catalogue).receive(
    [](const payload& list) {
      CHECK(tools(list).empty());
      CHECK(list.member("servers").member("a").member("stale").value() == true);
    },
    [](const caf::error& error) { FAIL(caf::to_string(error)); });
}

TEST_CASE("a catalogue shows the error of one server and the items of others",
          "[hub_actor]") {
  played_hub all{{entry_of("b"), entry_of("a")}};
  all.say(all.make_ready("a"), "list", new_list);
  all.say(all.make_ready("b"), "list", no_answer);
  const auto list = value(all.ask(get_catalogue{}));
  CHECK(tools(list) == std::set<std::string>{"a/new"});
  const auto servers = list.member("servers");
  CHECK(servers.member("a").member("error").value().is_null());
  CHECK(servers.member("b").member("error").string_member("name")
        == "request_timeout");
  CHECK(servers.value().as_object().begin()->key() == "b"); // as in the file
}

TEST_CASE("a list gets one deadline, whatever its pages", "[hub_actor]") {
  hub_options how;
  how.listing_timeout = 123ms;
  played_hub all{{entry_of("a")}, how};
  all.say(all.make_ready("a"), "list", empty);
  value(all.ask(get_catalogue{}));
  const auto options = all.roles->listing_options();
  REQUIRE(options.size() == catalogue_kinds.size());
  for (const auto& each : options)
    CHECK(each.max_total_timeout == caf::timespan{123ms});
}

TEST_CASE("who watches a catalogue gets all of it first, and then each change",
          "[hub_actor]") {
  played_hub all{{entry_of("a"), entry_of("b")}};
  const auto a = all.make_ready("a");
  all.say(a, "list", old_list);
  all.say(all.make_ready("b"), "list", old_list);
  mirror copy{all};
  copy.next();
  CHECK(copy.items == std::set<std::string>{"a/old", "b/old"});
  all.say(a, "list", new_list);
  all.say(a, "changed");
  const auto& changed = copy.next();
  REQUIRE(changed.servers.size() == 1);
  CHECK(changed.servers[0].server == "a");
  CHECK(changed.servers[0].items.size() == 2);
  CHECK(copy.items == std::set<std::string>{"a/new", "b/old"});
  value(all.ask(remove_server{"b"}));
  copy.becomes({"a/new"});
}

TEST_CASE("a list that may have changed while it was asked for is asked for "
          "once more",
          "[hub_actor]") {
  played_hub all{{entry_of("a")}};
  const auto a = all.make_ready("a");
  mirror copy{all};
  const auto asked = [&all](std::size_t times) {
    return tests::wait_until([&] {
      return all.roles->listing_options().size()
             == times * catalogue_kinds.size();
    });
  };
  CHECK(asked(1)); // and then the server takes part in the subscription
  all.say(a, "list", old_list);
  CHECK(asked(2));
}

TEST_CASE("who watches a catalogue is told of a server that comes back as it "
          "is now",
          "[hub_actor]") {
  played_hub all{{entry_of("a")}};
  const auto first = all.make_ready("a");
  all.say(first, "list", old_list);
  mirror copy{all};
  copy.becomes({"a/old"});
  auto options = entry_of("a").options;
  options.args = {"new"};
  value(all.ask(put_server{"a", options, {}}));
  const auto second = all.nth("a", 2);
  all.say(second, "list", new_list);
  all.say(second, "ready");
  copy.becomes({"a/new"});
  all.say(second, "changed"); // and it is listened to
  all.say(second, "list", old_list);
  all.say(second, "changed");
  copy.becomes({"a/old"});
}

TEST_CASE("who watches a catalogue is told the error of a server",
          "[hub_actor]") {
  played_hub all{{entry_of("a")}};
  const auto a = all.make_ready("a");
  all.say(a, "list", no_answer);
  mirror copy{all};
  auto changed = copy.next();
  REQUIRE(changed.servers.size() == 1);
  CHECK(describe(changed.servers[0].error).name == "request_timeout");
  CHECK(changed.servers[0].is_stale);
  all.say(a, "list", new_list);
  all.say(a, "changed");
  copy.becomes({"a/new"});
}

TEST_CASE("a watcher of a catalogue that has ended is forgotten",
          "[hub_actor]") {
  played_hub all{{entry_of("a")}};
  const auto a = all.make_ready("a");
  all.say(a, "list", old_list);
  {
    mirror first{all};
    first.next();
  }
  CHECK(tests::wait_until([&] { return all.roles->is_cancelled(); }));
  all.say(a, "list", new_list);
  mirror second{all};
  second.next();
  CHECK(second.items == std::set<std::string>{"a/new"});
}

TEST_CASE("a process that is replaced on demand gets the time to finish",
          "[hub_actor]") {
  played_hub all{{entry_of("a")}};
  const auto first = all.make_ready("a");
  auto changed = entry_of("a");
  changed.options.args = {"new"};
  SECTION("by put_server") {
    value(all.ask(put_server{"a", changed.options, {}, 5s}));
  }
  SECTION("by reload_servers") {
    value(all.ask(reload_servers{{changed}, 5s}));
  }
  SECTION("by reload_servers that removes it") {
    value(all.ask(reload_servers{{}, 5s}));
  }
  SECTION("by restart_server") {
    tell(*all.app.self, all.handle, restart_server{"a", 5s});
  }
  SECTION("by remove_server") {
    value(all.ask(remove_server{"a", 5s}));
  }
  CHECK(all.roles->drain_of(first) == caf::timespan{5s});
}

TEST_CASE("a hub whose servers are restarted too often ends, with all of them",
          "[hub_actor]") {
  hub_options how;
  how.intensity = restart_intensity{2, 1h};
  played_hub all{{entry_of("a"), entry_of("b")}, how};
  const auto a = all.make_ready("a");
  const auto b = all.make_ready("b");
  (*all.app.self)->monitor(all.handle);
  all.say(a, "lost");
  all.say(b, "lost");
  CHECK(all.reaches("a", server_state::waiting));
  CHECK(all.reaches("b", server_state::waiting));
  all.make_ready("a");
  all.say(a, "lost");
  (*all.app.self)
    ->receive(
      [](const caf::down_msg& message) {
        CHECK_THAT(describe(message.reason).message,
                   ContainsSubstring("more than 2 times"));
      },
      caf::after(20s) >> [] { FAIL("the hub lives on"); });
}

TEST_CASE("a server is started after those that it depends on",
          "[hub_actor][dependencies]") {
  hub_options how;
  how.parallel_starts = 1;
  played_hub all{
    {entry_of("a", {"b", "c"}), entry_of("b", {"c"}), lazy(entry_of("c"))},
    how};
  all.nth("c");
  CHECK(all.roles->of("b").empty());
  all.make_ready("c");
  all.nth("b");
  CHECK(all.roles->of("a").empty());
  all.make_ready("b");
  all.make_ready("a");
}

TEST_CASE("a server that is replaced while it starts holds up no start",
          "[hub_actor]") {
  hub_options how;
  how.parallel_starts = 1;
  played_hub all{{entry_of("a")}, how};
  all.nth("a");
  auto changed = entry_of("a");
  changed.options.args = {"new"};
  value(all.ask(put_server{"a", changed.options, {}}));
  all.nth("a", 2);
  value(all.ask(put_server{"b", entry_of("b").options, {}}));
  all.make_ready("a", 2);
  all.make_ready("b");
}

TEST_CASE("a server whose dependency is replaced while it starts holds up no "
          "start",
          "[hub_actor][dependencies]") {
  hub_options how;
  how.parallel_starts = 1;
  played_hub all{{entry_of("a"), entry_of("b", {"a"})}, how};
  all.make_ready("a");
  all.nth("b");
  auto changed = entry_of("a");
  changed.options.args = {"new"};
  value(all.ask(put_server{"a", changed.options, {}}));
  all.make_ready("a", 2);
  all.make_ready("b", 2);
}

TEST_CASE("a request to a lazy server starts those that it depends on, and "
          "waits for them",
          "[hub_actor][dependencies]") {
  played_hub all{{lazy(entry_of("a", {"b"})), lazy(entry_of("b"))}};
  auto answer
    = ask(all.app.self->ptr(), all.server("a"), send_request{"x", {}, {}});
  all.nth("b");
  CHECK(all.roles->of("a").empty());
  all.make_ready("b");
  std::move(answer).receive(
    [](const payload& result) { CHECK(result.to_json() == "\"a\""); },
    [](const caf::error& error) { FAIL(caf::to_string(error)); });
}

TEST_CASE("a server is started again with one that it depends on",
          "[hub_actor][dependencies]") {
  played_hub all{{entry_of("b"), entry_of("a", {"b"}), entry_of("c")}};
  const auto b = all.make_ready("b");
  const auto a = all.make_ready("a");
  all.make_ready("c");
  all.say(b, "lost");
  CHECK(all.reaches("a", server_state::waiting));
  all.roles->drain_of(a);
  const auto refused
    = failure(ask(*all.app.self, all.server("a"), send_request{"x", {}, {}}));
  CHECK(refused.data.string_member("reason") == "dependency_lost");
  all.make_ready("b");
  all.make_ready("a", 2);
  CHECK(all.roles->of("c").size() == 1);
}

TEST_CASE("servers that depend on none, or on themselves, are refused",
          "[hub_actor][dependencies]") {
  played_hub all{{lazy(entry_of("a")), lazy(entry_of("b", {"a"}))}};
  const auto put = [&all](const server_entry& entry) {
    return failure(all.ask(put_server{entry.name, entry.options, entry.policy}))
      .message;
  };
  CHECK_THAT(put(entry_of("c", {"d"})), ContainsSubstring("\"d\""));
  CHECK_THAT(put(entry_of("a", {"b"})), ContainsSubstring("leads back"));
  CHECK_THAT(put(entry_of("c", {"c"})), ContainsSubstring("leads back"));
  CHECK(failure(all.ask(reload_servers{{entry_of("b", {"a"})}})).name
        == "config_invalid");
  CHECK_THAT(failure(all.ask(remove_server{"a"})).message,
             ContainsSubstring("\"b\" depends on"));
  CHECK(value(all.ask(get_servers{})).size() == 2);
}

TEST_CASE("at the start, servers that depend on themselves are broken, and no "
          "others",
          "[hub_actor][dependencies]") {
  played_hub all{{entry_of("a", {"b"}), entry_of("b", {"a"}), entry_of("c")}};
  CHECK(all.state("a") == server_state::broken);
  CHECK(all.state("b") == server_state::broken);
  all.make_ready("c");
}
