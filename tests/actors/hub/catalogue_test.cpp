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

} // namespace

TEST_CASE("a catalogue names each item after its server", "[catalogue]") {
  catalogue all;
  all.put("a", list_kind::tools,
          parse_payload(R"([{"name":"read","title":"Read"}])"));
  all.put("b/c", list_kind::tools, parse_payload(R"([{"name":"read"}])"));
  all.put("a", list_kind::resources, parse_payload(R"([{"uri":"file:///x"}])"));
  auto result = all.render({status_of("a", server_state::ready),
                            status_of("b/c", server_state::ready)},
                           {"a", "b/c"});
  CHECK(result.member("tools").to_json()
        == R"([{"name":"a/read","title":"Read"},{"name":"b%2Fc/read"}])");
  CHECK(result.member("resources").to_json() == R"([{"uri":"a/file:///x"}])");
  CHECK(result.member("prompts").to_json() == "[]");
}

TEST_CASE("a server that is down keeps its last list, marked stale",
          "[catalogue]") {
  catalogue all;
  all.put("a", list_kind::tools, parse_payload(R"([{"name":"read"}])"));
  auto result = all.render({status_of("a", server_state::failed)}, {});
  CHECK(result.member("tools").value().as_array().size() == 1);
  auto about = result.member("servers").member("a");
  CHECK(about.string_member("state") == "failed");
  CHECK(about.member("stale").value() == true);
}

TEST_CASE("a catalogue forgets a server that is gone", "[catalogue]") {
  catalogue all;
  all.put("a", list_kind::tools, parse_payload(R"([{"name":"read"}])"));
  all.forget("a");
  auto result = all.render({status_of("a", server_state::idle)}, {});
  CHECK(result.member("tools").to_json() == "[]");
}

TEST_CASE("an item without a name is left out", "[catalogue]") {
  catalogue all;
  all.put("a", list_kind::tools, parse_payload(R"([{"title":"?"}, 7])"));
  auto result = all.render({status_of("a", server_state::ready)}, {"a"});
  CHECK(result.member("tools").to_json() == "[]");
}

TEST_CASE("a catalogue keeps the digits of numbers", "[catalogue]") {
  constexpr auto item = R"([{"name":"t","n":123456789012345678901234567890,)"
                        R"("f":0.1000000000000000055511151231257827}])";
  catalogue all;
  all.put("a", list_kind::tools, parse_payload(item));
  all.put("b", list_kind::tools, parse_payload(R"([{"name":"u"}])"));
  auto down = status_of("b", server_state::failed);
  down.last_error
    = peer_error({-1, "m", parse_payload("123456789012345678901234567890")});
  auto result = all.render({status_of("a", server_state::ready), down}, {"a"});
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
