#include "caf_mcp/actors/hub.hpp"

#include "caf_mcp/actors/hub/interfaces.hpp"

#include "tests/support/host.hpp"
#include "tests/support/player.hpp"
#include "tests/support/processes.hpp"
#include "tests/support/wait_until.hpp"

#include <caf/event_based_actor.hpp>
#include <caf/exit_reason.hpp>
#include <caf/send.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <algorithm>
#include <csignal>
#include <functional>
#include <map>
#include <set>
#include <sys/types.h>

using namespace caf_mcp;
using namespace std::chrono_literals;
using Catch::Matchers::ContainsSubstring;
using tests::failure;
using tests::host;
using tests::value;

namespace {

server_entry entry_of(std::string name, server_options options,
                      supervision policy = {}) {
  server_entry entry;
  entry.name = std::move(name);
  entry.options = std::move(options);
  entry.policy = policy;
  return entry;
}

server_entry demo(std::string name, supervision policy = {}) {
  return entry_of(std::move(name), host::program("demo-server"), policy);
}

supervision with_restarts(std::uint32_t count) {
  supervision policy;
  policy.max_restarts = count;
  return policy;
}

supervision lazy() {
  supervision policy;
  policy.start = start_policy::lazy;
  return policy;
}

/// A hub, and all that it has told of its servers.
class watched_hub {
public:
  watched_hub(host& app, std::vector<server_entry> servers,
              hub_options how = {})
    : app_{app} {
    hub_ = spawn_hub(app.runtime(), std::move(servers), how);
    tell(*app.self, hub_, watch_servers{});
  }

  const hub& handle() const {
    return hub_;
  }

  template <class Message>
  auto ask(Message message) {
    return caf_mcp::ask(*app_.self, hub_, std::move(message));
  }

  mcp_server server(std::string name) {
    return value(ask(look_up{std::move(name)}));
  }

  server_status status(const std::string& name) {
    for (auto& each : value(ask(get_servers{})))
      if (each.name == name)
        return each;
    FAIL("no server is called " << name);
    return {};
  }

  /// Waits until the hub tells that `name` is in `state`.
  server_status wait_for(const std::string& name, server_state state) {
    return wait_for(name, [state](const server_status& status) {
      return status.state == state;
    });
  }

  server_status
  wait_for(const std::string& name,
           const std::function<bool(const server_status&)>& predicate) {
    auto is_over = false;
    while (!is_over && (!known_.contains(name) || !predicate(known_[name])))
      (*app_.self)
        ->receive(
          [this](const server_changed& event) {
            known_[event.status.name] = event.status;
            history_.push_back(event.status);
          },
          caf::after(20s) >> [&is_over] { is_over = true; });
    INFO(name << " is " << to_string(known_[name].state));
    REQUIRE_FALSE(is_over);
    return known_[name];
  }

  const std::vector<server_status>& history() const {
    return history_;
  }

private:
  host& app_;
  hub hub_;
  std::map<std::string, server_status> known_;
  std::vector<server_status> history_;
};

void succeed(const caf::expected<void>& answer) {
  if (!answer)
    FAIL(describe(answer.error()).message);
}

caf::expected<payload> echo(host& app, const mcp_server& server) {
  return ask(*app.self, server, call_tool("echo", {{"message", "hi"}}));
}

/// Returns whether a catalogue lists a tool of this qualified name.
bool has_tool(const payload& list, std::string_view name) {
  const auto tools = list.member("tools");
  const auto& items = tools.value().as_array();
  return std::any_of(items.begin(), items.end(), [name](const auto& item) {
    return item.at("name").as_string() == name;
  });
}

void kill_server(const server_status& status) {
  REQUIRE(status.pid > 0);
  ::kill(static_cast<pid_t>(status.pid), SIGKILL);
}

} // namespace

TEST_CASE("a hub starts eager servers and finds them by name", "[hub]") {
  host app;
  watched_hub all{app, {demo("a"), demo("b")}};
  auto a = all.wait_for("a", server_state::ready);
  all.wait_for("b", server_state::ready);
  CHECK(a.pid > 0);
  CHECK(a.era == era::modern);
  CHECK(a.protocol_version == "2026-07-28");
  CHECK(a.restarts == 0);
  CHECK_FALSE(a.last_error);
  value(echo(app, all.server("a")));
  CHECK(all.status("a").requests == 1);
  CHECK(all.status("a").in_flight == 0);
  CHECK(all.status("b").requests == 0);
}

TEST_CASE("a lazy server is started by its first request", "[hub]") {
  host app;
  watched_hub all{app, {demo("a", lazy())}};
  auto server = all.server("a");
  CHECK(value(ask(*app.self, server, get_session{})).state
        == connection_state::idle);
  CHECK(all.status("a").state == server_state::idle);
  value(echo(app, server));
  CHECK(all.status("a").state == server_state::ready);
}

TEST_CASE("a name that is not known is told with those that are", "[hub]") {
  host app;
  watched_hub all{app, {demo("files", lazy()), demo("mail", lazy())}};
  auto error = failure(all.ask(look_up{"file"}));
  CHECK(error.name == "not_found");
  CHECK_THAT(error.message, ContainsSubstring(R"("files", "mail")"));
}

TEST_CASE("an entry that cannot be started keeps its error", "[hub]") {
  host app;
  auto config = value(parse_server_config(
    R"({"mcpServers": {"web": {"url": "https://example.org"},
                       "odd": {"command": "x", "restart": "sometimes"},
                       "off": {"command": "x", "disabled": true}}})",
    [](std::string_view) { return std::nullopt; }));
  watched_hub all{app, config.servers};
  CHECK(all.status("web").state == server_state::unsupported);
  CHECK(all.status("odd").state == server_state::broken);
  CHECK(all.status("off").state == server_state::disabled);
  auto error = failure(all.ask(look_up{"odd"}));
  CHECK(error.name == "config_invalid");
  CHECK_THAT(error.message,
             ContainsSubstring(R"(restart: is "sometimes"; must be )"
                               R"("permanent", "transient" or "temporary")"));
}

TEST_CASE("a server that was lost comes back behind the same actor", "[hub]") {
  host app;
  watched_hub all{app, {demo("a")}};
  auto server = all.server("a");
  auto first = all.wait_for("a", server_state::ready);
  kill_server(first);
  auto lost = all.wait_for("a", server_state::waiting);
  CHECK(describe(lost.last_error).data.string_member("reason") == "signal");
  auto second = all.wait_for("a", server_state::ready);
  CHECK(second.pid != first.pid);
  CHECK(second.restarts == 1);
  value(echo(app, server));
}

TEST_CASE("a server that crashes in a loop fails, and the others live on",
          "[hub]") {
  host app;
  auto crash = host::program("sh");
  crash.command = "/bin/sh";
  crash.args = {"-c", "echo no luck >&2; exit 3"};
  crash.stderr_to.kind = stderr_kind::capture;
  watched_hub all{app,
                  {entry_of("bad", crash, with_restarts(2)), demo("good")}};
  auto bad = all.wait_for("bad", server_state::failed);
  CHECK(bad.restarts == 2);
  auto error = describe(bad.last_error);
  CHECK(error.name == "connection_closed");
  CHECK(error.data.member("status").value() == 3);
  CHECK(error.data.string_member("stderr_tail") == "no luck\n");
  auto refused = failure(echo(app, all.server("bad")));
  CHECK(refused.data.string_member("outcome") == "not_sent");
  all.wait_for("good", server_state::ready);
  value(echo(app, all.server("good")));
}

TEST_CASE("a ready server that is lost too often is stopped for good",
          "[hub]") {
  host app;
  watched_hub all{app, {demo("a", with_restarts(1))}};
  kill_server(all.wait_for("a", server_state::ready));
  kill_server(all.wait_for("a", [](const server_status& status) {
    return status.state == server_state::ready && status.restarts == 1;
  }));
  all.wait_for("a", server_state::failed);
  CHECK(failure(echo(app, all.server("a"))).name == "connection_closed");
}

TEST_CASE("requests to a server that waits for its next start fail at once",
          "[hub]") {
  host app;
  auto none = host::program("no-such-program");
  watched_hub all{app, {entry_of("a", none, with_restarts(100))}};
  all.wait_for("a", server_state::waiting);
  CHECK(failure(echo(app, all.server("a"))).name == "command_not_found");
}

TEST_CASE("a transient server that exits with status 0 stays down", "[hub]") {
  host app;
  supervision policy;
  policy.restart = restart_policy::transient;
  auto options = host::program("test-exit-after-initialize-response");
  watched_hub all{app, {entry_of("a", options, policy)}};
  auto stopped = all.wait_for("a", server_state::stopped);
  CHECK(stopped.restarts == 0);
}

TEST_CASE("a temporary server is never started again", "[hub]") {
  host app;
  supervision policy;
  policy.restart = restart_policy::temporary;
  watched_hub all{app, {demo("a", policy)}};
  kill_server(all.wait_for("a", server_state::ready));
  auto stopped = all.wait_for("a", server_state::stopped);
  CHECK(stopped.restarts == 0);
}

TEST_CASE("a failed server is started again when somebody asks for it",
          "[hub]") {
  host app;
  watched_hub all{app, {demo("a", with_restarts(0))}};
  kill_server(all.wait_for("a", server_state::ready));
  all.wait_for("a", server_state::failed);
  succeed(all.ask(restart_server{"a"}));
  value(echo(app, all.server("a")));
}

TEST_CASE("servers are added, replaced and removed at run time", "[hub]") {
  host app;
  watched_hub all{app, {}};
  succeed(all.ask(put_server{"a", host::program("demo-server"), {}}));
  auto server = all.server("a");
  auto first = all.wait_for("a", server_state::ready);
  auto other = host::program("demo-server", {"--era", "legacy"});
  succeed(all.ask(put_server{"a", other, {}}));
  auto second = all.wait_for(
    "a", [](const server_status& status) { return status.era == era::legacy; });
  CHECK(second.pid != first.pid);
  CHECK(server == all.server("a"));
  value(echo(app, server));
  succeed(all.ask(remove_server{"a"}));
  CHECK_FALSE(tests::exists(second.pid));
  all.wait_for("a", server_state::stopped);
  CHECK(failure(all.ask(look_up{"a"})).name == "not_found");
  CHECK(failure(all.ask(remove_server{"a"})).name == "not_found");
  CHECK(failure(echo(app, server)).name == "connection_closed");
}

TEST_CASE("options that are not allowed change nothing", "[hub]") {
  host app;
  watched_hub all{app, {}};
  auto options = host::program("demo-server");
  options.command = "";
  CHECK(failure(all.ask(put_server{"a", options, {}})).name
        == "config_invalid");
  CHECK(value(all.ask(get_servers{})).empty());
}

TEST_CASE("a reload touches only what has changed", "[hub]") {
  host app;
  watched_hub all{app, {demo("same"), demo("other"), demo("gone")}};
  auto same = all.wait_for("same", server_state::ready);
  auto other = all.wait_for("other", server_state::ready);
  auto gone = all.wait_for("gone", server_state::ready);
  auto changed
    = entry_of("other", host::program("demo-server", {"--era", "legacy"}));
  auto report
    = value(all.ask(reload_servers{{demo("same"), changed, demo("new")}}));
  CHECK(report.added == std::vector<std::string>{"new"});
  CHECK(report.removed == std::vector<std::string>{"gone"});
  CHECK(report.replaced == std::vector<std::string>{"other"});
  all.wait_for("new", server_state::ready);
  CHECK(all
          .wait_for("other",
                    [](const server_status& status) {
                      return status.era == era::legacy;
                    })
          .pid
        != other.pid);
  CHECK(all.status("same").pid == same.pid);
  CHECK(tests::wait_until([&gone] { return !tests::exists(gone.pid); }));
}

TEST_CASE("a change of policy restarts no process, and holds from then on",
          "[hub]") {
  host app;
  watched_hub all{app, {demo("a"), demo("b")}};
  const auto before = all.wait_for("a", server_state::ready);
  SECTION("by a reload") {
    value(all.ask(reload_servers{{demo("a", with_restarts(0)), demo("b")}}));
  }
  SECTION("by putting it") {
    succeed(
      all.ask(put_server{"a", host::program("demo-server"), with_restarts(0)}));
  }
  CHECK(all.status("a").pid == before.pid);
  kill_server(before);
  all.wait_for("a", server_state::failed);
}

TEST_CASE("a reload takes over the order of its servers", "[hub]") {
  host app;
  watched_hub all{app, {demo("a", lazy()), demo("b", lazy())}};
  auto names = [&all] {
    std::vector<std::string> result;
    for (const auto& each : value(all.ask(get_servers{})))
      result.push_back(each.name);
    return result;
  };
  value(all.ask(reload_servers{
    {demo("new", lazy()), demo("b", lazy()), demo("a", lazy())}}));
  CHECK(names() == std::vector<std::string>{"new", "b", "a"});
  succeed(all.ask(put_server{"b", host::program("demo-server"), {}}));
  CHECK(names() == std::vector<std::string>{"new", "b", "a"});
}

TEST_CASE("two servers of one name are refused, and both places told",
          "[hub]") {
  host app;
  SECTION("in a reload, which changes nothing") {
    watched_hub all{app, {demo("kept", lazy())}};
    const auto error
      = failure(all.ask(reload_servers{{demo("d"), demo("other"), demo("d")}}));
    CHECK(error.name == "config_invalid");
    CHECK_THAT(error.message,
               ContainsSubstring("\"d\"") && ContainsSubstring("1 and 3"));
    CHECK(value(all.ask(get_servers{})).size() == 1);
    CHECK(all.status("kept").state == server_state::idle);
  }
  SECTION("at the start, which starts neither") {
    watched_hub all{app, {demo("d"), demo("other"), demo("d")}};
    all.wait_for("other", server_state::ready);
    CHECK(value(all.ask(get_servers{})).size() == 2);
    CHECK(all.status("d").state == server_state::broken);
    CHECK_THAT(failure(all.ask(look_up{"d"})).message,
               ContainsSubstring("1 and 3"));
  }
}

TEST_CASE("a server's name holds no control characters", "[hub]") {
  host app;
  watched_hub all{app, {}};
  for (const auto* name : {"a\nb", "a\x7f", "\t"})
    CHECK(
      failure(all.ask(put_server{name, host::program("demo-server"), {}})).name
      == "config_invalid");
}

TEST_CASE("no more servers are on their way up than allowed", "[hub]") {
  host app;
  std::vector<server_entry> servers;
  for (auto i = 0; i < 12; ++i)
    servers.push_back(demo(std::to_string(i)));
  hub_options how;
  how.parallel_starts = 3;
  watched_hub all{app, servers, how};
  for (const auto& each : servers)
    all.wait_for(each.name, server_state::ready);
  std::set<std::string> starting;
  auto most = std::size_t{0};
  for (const auto& event : all.history()) {
    if (event.state == server_state::starting)
      starting.insert(event.name);
    else
      starting.erase(event.name);
    most = std::max(most, starting.size());
  }
  CHECK(most <= 3);
}

TEST_CASE("only its hub may stop a server", "[hub]") {
  host app;
  watched_hub all{app, {demo("a")}};
  auto pid = all.wait_for("a", server_state::ready).pid;
  auto forged = caf::actor_cast<supervisor>(all.server("a"));
  CHECK(failure(ask(*app.self, forged, stop_server{})).name
        == "capability_missing");
  CHECK(failure(ask(*app.self, forged, start_server{true})).name
        == "capability_missing");
  CHECK(all.status("a").pid == pid);
}

TEST_CASE("a server whose actor is killed gets another one", "[hub]") {
  host app;
  watched_hub all{app, {demo("a"), demo("b")}};
  const auto first = all.wait_for("a", server_state::ready);
  const auto b = all.wait_for("b", server_state::ready);
  const auto killed = all.server("a");
  SECTION("by kill") {
    caf::anon_send_exit(killed, caf::exit_reason::kill);
  }
  SECTION("by another reason") {
    caf::anon_send_exit(killed, caf::exit_reason::user_shutdown);
  }
  const auto second = all.wait_for("a", [&first](const server_status& status) {
    return status.state == server_state::ready && status.pid != first.pid;
  });
  CHECK(tests::wait_until([&first] { return !tests::exists(first.pid); }));
  CHECK(second.pid != first.pid);
  CHECK(all.server("a") != killed);
  value(echo(app, all.server("a")));
  CHECK(all.status("b").pid == b.pid);
  value(echo(app, all.server("b")));
}

TEST_CASE(
  "a server whose actor ends too often fails, and is restarted on demand",
  "[hub]") {
  host app;
  watched_hub all{app, {demo("a", with_restarts(0)), demo("b")}};
  all.wait_for("a", server_state::ready);
  caf::anon_send_exit(all.server("a"), caf::exit_reason::kill);
  all.wait_for("a", server_state::failed);
  const auto error = failure(all.ask(look_up{"a"}));
  CHECK(error.name == "connection_closed");
  CHECK_THAT(error.message, ContainsSubstring("actor of the server"));
  SECTION("by a restart") {
    succeed(all.ask(restart_server{"a"}));
  }
  SECTION("by putting it again") {
    succeed(all.ask(put_server{"a", host::program("demo-server"), {}}));
    all.wait_for("a", server_state::ready);
  }
  value(echo(app, all.server("a")));
  value(echo(app, all.server("b")));
}

TEST_CASE("the death of a linked stranger harms neither server nor hub",
          "[hub]") {
  host app;
  watched_hub all{app, {demo("a")}};
  const auto first = all.wait_for("a", server_state::ready);
  const auto server = all.server("a");
  const auto reason
    = GENERATE(caf::exit_reason::kill, caf::exit_reason::user_shutdown);
  {
    caf::scoped_actor watcher{app.system()};
    auto stranger
      = app.system().spawn([server, all = all.handle()](
                             caf::event_based_actor* self) -> caf::behavior {
          self->link_to(server);
          self->link_to(all);
          return {[](int question) { return question; }};
        });
    watcher->monitor(stranger);
    watcher->request(stranger, caf::infinite, 1)
      .receive([](int) {}, [](const caf::error&) {});
    caf::anon_send_exit(stranger, reason);
    watcher->receive([](const caf::down_msg&) {});
  }
  (*app.self)->send_exit(server, reason);
  (*app.self)->send_exit(all.handle(), reason);
  value(echo(app, server));
  CHECK(server == all.server("a"));
  CHECK(all.status("a").pid == first.pid);
}

TEST_CASE("a hub that is killed leaves no server behind", "[hub]") {
  host app;
  watched_hub all{app, {demo("a")}};
  const auto status = all.wait_for("a", server_state::ready);
  caf::anon_send_exit(all.handle(), caf::exit_reason::kill);
  CHECK(tests::wait_until([&status] { return !tests::exists(status.pid); }));
}

TEST_CASE("the servers of a hub end with it", "[hub]") {
  host app;
  watched_hub all{app, {demo("a")}};
  auto status = all.wait_for("a", server_state::ready);
  caf::anon_send_exit(all.handle(), caf::exit_reason::user_shutdown);
  CHECK(tests::wait_until([&status] { return !tests::exists(status.pid); }));
}

TEST_CASE("requests of a caller that dies are cancelled through a hub",
          "[hub]") {
  host app;
  watched_hub all{app, {demo("a")}};
  auto server = all.server("a");
  all.wait_for("a", server_state::ready);
  {
    caf::scoped_actor caller{app.system()};
    tell(caller, server, call_tool("slow", {{"ms", 60'000}}));
    CHECK(tests::wait_until([&] { return all.status("a").in_flight == 1; }));
  }
  CHECK(tests::wait_until([&] { return all.status("a").in_flight == 0; }));
  CHECK(all.status("a").state == server_state::ready);
}

TEST_CASE("a caller hears of progress, and cancels, through a hub", "[hub]") {
  host app;
  watched_hub all{app, {demo("a")}};
  auto server = all.server("a");
  request_options options;
  options.wants_progress = true;
  options.tag = 7;
  auto message = call_tool("slow", {{"ms", 60'000}, {"steps", 1000}});
  message.options = options;
  auto answer = ask(app.self->ptr(), server, std::move(message));
  auto reports = 0;
  (*app.self)->receive([&reports](const progress& report) {
    if (report.tag == 7)
      ++reports;
  });
  CHECK(reports == 1);
  tell(*app.self, server, cancel_request{7, "enough"});
  std::string name;
  std::move(answer).receive(
    [](const payload&) {},
    [&name](const caf::error& error) { name = describe(error).name; });
  CHECK(name == "cancelled");
}

TEST_CASE("a catalogue lists the tools of all servers", "[hub]") {
  host app;
  watched_hub all{app, {demo("a/b"), demo("c", with_restarts(0))}};
  all.wait_for("a/b", server_state::ready);
  auto c = all.wait_for("c", server_state::ready);
  auto list = value(all.ask(get_catalogue{}));
  CHECK(has_tool(list, "a%2Fb/echo"));
  CHECK(has_tool(list, "c/echo"));
  CHECK(list.member("servers").member("c").member("stale").value() == false);
  kill_server(c);
  all.wait_for("c", server_state::failed);
  list = value(all.ask(get_catalogue{}));
  CHECK(has_tool(list, "c/echo"));
  CHECK(list.member("servers").member("c").member("stale").value() == true);
}

TEST_CASE("a catalogue follows a server that changes its list", "[hub]") {
  host app;
  tests::player script{"list-changes"};
  watched_hub all{app, {entry_of("a", script.options())}};
  all.wait_for("a", server_state::ready);
  auto list = value(all.ask(get_catalogue{}));
  CHECK(has_tool(list, "a/t"));
  CHECK_FALSE(has_tool(list, "a/u"));
  value(ask(*app.self, all.server("a"), call_tool("t", {})));
  list = value(all.ask(get_catalogue{}));
  CHECK(has_tool(list, "a/u"));
}

TEST_CASE("who watches a catalogue hears what becomes of real servers",
          "[hub]") {
  host app;
  tests::player script{"list-changes"};
  watched_hub all{app, {entry_of("a", script.options()), demo("b")}};
  all.wait_for("a", server_state::ready);
  const auto b = all.wait_for("b", server_state::ready);
  caf::scoped_actor watcher{app.system()};
  std::set<std::string> tools;
  std::map<std::string, bool> stale;
  auto next = [&] {
    watcher->receive(
      [&](const catalogue_changed& message) {
        for (const auto& server : message.servers) {
          stale[server.server] = server.is_stale;
          for (const auto& each : server.items)
            if (each.what == item_change::removed)
              tools.erase(each.name);
            else
              tools.insert(each.name);
        }
      },
      caf::after(20s) >> [] { FAIL("no change was told"); });
  };
  tell(watcher, all.handle(), watch_catalogue{});
  next();
  CHECK(tools.contains("a/t"));
  CHECK_FALSE(tools.contains("a/u"));
  CHECK(tools.contains("b/echo"));
  value(ask(*app.self, all.server("a"), call_tool("t", {})));
  while (!tools.contains("a/u"))
    next();
  kill_server(b);
  while (!stale["b"])
    next();
  CHECK(tools.contains("b/echo"));
  while (stale["b"])
    next();
}

TEST_CASE("a server that does not answer holds up no catalogue", "[hub]") {
  host app;
  hub_options how;
  how.listing_timeout = 500ms;
  watched_hub all{app, {demo("a"), demo("b")}, how};
  all.wait_for("a", server_state::ready);
  const auto b = all.wait_for("b", server_state::ready);
  value(all.ask(get_catalogue{}));
  ::kill(static_cast<pid_t>(b.pid), SIGSTOP);
  const auto list = value(all.ask(get_catalogue{}));
  CHECK(has_tool(list, "a/echo"));
  CHECK(has_tool(list, "b/echo"));
  CHECK(list.member("servers").member("a").member("stale").value() == false);
  CHECK(list.member("servers").member("b").member("stale").value() == true);
  ::kill(static_cast<pid_t>(b.pid), SIGCONT);
}
