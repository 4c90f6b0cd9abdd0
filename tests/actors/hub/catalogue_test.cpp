#include "caf_mcp/actors/hub/catalogue.hpp"

#include "caf_mcp/messages/error_info.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace caf_mcp;

namespace {

server_status status_of(std::string name, server_state state) {
  server_status result;
  result.name = std::move(name);
  result.state = state;
  return result;
}

/// A catalogue whose servers answer at once.
class filled_catalogue : public catalogue {
public:
  void list(const std::string& server, list_kind kind, std::string_view items) {
    put(begin(server, kind), parse_payload(items));
  }

  /// The server offers tools and nothing else.
  void list_tools(const std::string& server, std::string_view items) {
    for (auto kind : catalogue_kinds)
      list(server, kind, kind == list_kind::tools ? items : "[]");
  }

  std::string tools(const server_status& server) const {
    return render({server}).member("tools").to_json();
  }

  payload about(const server_status& server) const {
    return render({server}).member("servers").member(server.name);
  }
};

const auto ready = status_of("a", server_state::ready);
constexpr auto old_list = R"([{"name":"old"}])";
constexpr auto new_list = R"([{"name":"new"}])";

} // namespace

TEST_CASE("a catalogue names each item after its server", "[catalogue]") {
  filled_catalogue all;
  all.list("a", list_kind::tools, R"([{"name":"read","title":"Read"}])");
  all.list("b/c", list_kind::tools, R"([{"name":"read"}])");
  all.list("a", list_kind::resources, R"([{"uri":"file:///x"}])");
  auto result = all.render({ready, status_of("b/c", server_state::ready)});
  CHECK(result.member("tools").to_json()
        == R"([{"name":"a/read","title":"Read"},{"name":"b%2Fc/read"}])");
  CHECK(result.member("resources").to_json() == R"([{"uri":"a/file:///x"}])");
  CHECK(result.member("prompts").to_json() == "[]");
}

TEST_CASE("a server that is down keeps its last list, marked stale",
          "[catalogue]") {
  filled_catalogue all;
  all.list_tools("a", R"([{"name":"read"}])");
  auto result = all.render({status_of("a", server_state::failed)});
  CHECK(result.member("tools").value().as_array().size() == 1);
  auto about = result.member("servers").member("a");
  CHECK(about.string_member("state") == "failed");
  CHECK(about.member("stale").value() == true);
}

TEST_CASE("a catalogue forgets a server that is gone", "[catalogue]") {
  filled_catalogue all;
  all.list_tools("a", R"([{"name":"read"}])");
  all.forget("a");
  CHECK(all.tools(status_of("a", server_state::idle)) == "[]");
}

TEST_CASE("an item without a name is left out", "[catalogue]") {
  filled_catalogue all;
  all.list_tools("a", R"([{"title":"?"}, 7])");
  CHECK(all.tools(ready) == "[]");
}

TEST_CASE("a catalogue keeps the digits of numbers", "[catalogue]") {
  filled_catalogue all;
  all.list_tools("a", R"([{"name":"t","n":123456789012345678901234567890,)"
                      R"("f":0.1000000000000000055511151231257827}])");
  all.list_tools("b", R"([{"name":"u"}])");
  auto down = status_of("b", server_state::failed);
  down.last_error
    = peer_error({-1, "m", parse_payload("123456789012345678901234567890")});
  auto result = all.render({ready, down});
  CHECK(result.member("tools").to_json()
        == R"([{"name":"a/t","n":123456789012345678901234567890,)"
           R"("f":0.1000000000000000055511151231257827},{"name":"b/u"}])");
  CHECK(result.member("servers")
          .member("b")
          .member("error")
          .member("data")
          .to_json()
        == "123456789012345678901234567890");
}

TEST_CASE("a list of a process that was replaced does not count",
          "[catalogue]") {
  filled_catalogue all;
  const auto late = all.begin("a", list_kind::tools);
  SECTION("with its server") {
    all.forget("a");
  }
  SECTION("by the next start of its server") {
    all.lose("a");
  }
  SECTION("though the next one has listed nothing yet") {
    all.forget("a");
    all.begin("a", list_kind::tools);
  }
  SECTION("nor does its failure") {
    all.lose("a");
    all.list_tools("a", "[]");
    all.fail(late, local_error(errc::request_timeout, "late"));
    CHECK(all.about(ready).member("stale").value() == false);
  }
  all.put(late, parse_payload(old_list));
  CHECK(all.tools(ready) == "[]");
  CHECK_FALSE(all.is_current(late));
}

TEST_CASE("a list that was asked for earlier does not take the place of a "
          "later one",
          "[catalogue]") {
  filled_catalogue all;
  const auto slow = all.begin("a", list_kind::tools);
  all.list("a", list_kind::tools, new_list);
  all.put(slow, parse_payload(old_list));
  CHECK(all.tools(ready) == R"([{"name":"a/new"}])");
}

TEST_CASE("a server that cannot be listed shows its error and its last list",
          "[catalogue]") {
  filled_catalogue all;
  all.list_tools("a", old_list);
  all.list_tools("b", R"([{"name":"u"}])");
  all.fail(all.begin("a", list_kind::prompts),
           local_error(errc::request_timeout, "no answer"));
  const auto list = all.render({ready, status_of("b", server_state::ready)});
  CHECK(list.member("tools").to_json()
        == R"([{"name":"a/old"},{"name":"b/u"}])");
  const auto servers = list.member("servers");
  CHECK(servers.member("a").member("stale").value() == true);
  CHECK(servers.member("a").member("error").string_member("name")
        == "request_timeout");
  CHECK(servers.member("b").member("stale").value() == false);
  CHECK(servers.member("b").member("error").value().is_null());
  all.list("a", list_kind::prompts, "[]");
  CHECK(all.about(ready).member("error").value().is_null());
}

TEST_CASE("a server that has come back shows no error of its past",
          "[catalogue]") {
  filled_catalogue all;
  all.list_tools("a", old_list);
  all.lose("a");
  auto back = ready;
  back.last_error = local_error(errc::connection_closed, "killed");
  CHECK(all.about(back).member("stale").value() == true);
  CHECK_FALSE(all.was_listed("a"));
  all.list_tools("a", new_list);
  CHECK(all.was_listed("a"));
  CHECK(all.about(back).member("stale").value() == false);
  CHECK(all.about(back).member("error").value().is_null());
}
