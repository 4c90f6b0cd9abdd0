#include "caf_mcp/messages/config/supervision_json.hpp"

#include "caf_mcp/messages/error_info.hpp"

#include <boost/json/parse.hpp>
#include <catch2/catch_test_macros.hpp>

using namespace caf_mcp;

namespace {

std::string error_of(std::string_view text) {
  supervision policy;
  auto entry = boost::json::parse(text).as_object();
  return describe(take_supervision(policy, entry)).message;
}

std::string offer_error(std::string_view text) {
  server_offer offer;
  auto entry = boost::json::parse(text).as_object();
  auto message = describe(take_offer(offer, entry)).message;
  CHECK_FALSE(offer.remote);
  return message;
}

} // namespace

TEST_CASE("what other nodes are offered is taken out of an entry",
          "[supervision]") {
  auto entry = boost::json::parse(R"({"command": "x", "remote": false,
    "tools": {"allow": ["read", "list"], "deny": ["list"]}})")
                 .as_object();
  server_offer offer;
  CHECK_FALSE(take_offer(offer, entry));
  CHECK(offer == server_offer{false, {{"read", "list"}}, {"list"}});
  CHECK(entry.size() == 1);
  CHECK_FALSE(take_offer(offer, entry));
  CHECK(offer == server_offer{});
}

TEST_CASE("a wrong offer is told with what is allowed, and offers nothing",
          "[supervision]") {
  CHECK(offer_error(R"({"remote": "no"})")
        == R"(remote: is "no"; must be true or false)");
  CHECK(offer_error(R"({"remote": null})")
        == R"(remote: is null; must be true or false)");
  CHECK(offer_error(R"({"tools": ["read"]})")
        == R"(tools: is ["read"]; must be an object with "allow", "deny" or )"
           R"(both, each an array of names of tools)");
  CHECK(offer_error(R"({"tools": {"alow": []}})")
        == R"(tools: has the member "alow"; must be "allow" or "deny")");
  CHECK(offer_error(R"({"tools": {"allow": "read"}})")
        == R"(tools.allow: is "read"; must be an array of names of tools)");
  CHECK(offer_error(R"({"tools": {"deny": ["read", 1]}})")
        == R"(tools.deny: [1] is 1; must be a string, the name of a tool)");
}

TEST_CASE("a pattern is no name of a tool, and offers nothing",
          "[supervision]") {
  for (const auto* list : {"allow", "deny"})
    for (const auto* name : {"*", "send*", "send_?", ""}) {
      CAPTURE(list, name);
      CHECK(offer_error(R"({"tools": {")" + std::string{list}
                        + R"(": ["read", ")" + name + R"("]}})")
            == "tools." + std::string{list} + ": [1] is \"" + name
                 + "\"; must be the whole name of a tool, for patterns are not "
                   "known");
    }
}

TEST_CASE("the keys of a hub are taken out of an entry", "[supervision]") {
  auto entry = boost::json::parse(R"({"command": "x", "restart": "transient",
    "max_restarts": 2, "restart_period": 500, "start": "lazy"})")
                 .as_object();
  supervision policy;
  CHECK_FALSE(take_supervision(policy, entry));
  CHECK(policy.restart == restart_policy::transient);
  CHECK(policy.max_restarts == 2);
  CHECK(policy.restart_period == std::chrono::milliseconds{500});
  CHECK(policy.start == start_policy::lazy);
  CHECK(entry.size() == 1);
  CHECK(entry.contains("command"));
}

TEST_CASE("an entry without keys of a hub leaves the defaults",
          "[supervision]") {
  boost::json::object entry{{"command", "x"}};
  supervision policy;
  CHECK_FALSE(take_supervision(policy, entry));
  CHECK(policy == supervision{});
}

TEST_CASE("a wrong value for a hub is told with what is allowed",
          "[supervision]") {
  CHECK(error_of(R"({"restart": "always"})")
        == R"(restart: is "always"; must be )"
           R"("permanent", "transient" or "temporary")");
  CHECK(error_of(R"({"start": 1})")
        == R"(start: is 1; must be "eager" or "lazy")");
  CHECK(error_of(R"({"max_restarts": -1})")
        == "max_restarts: is -1; must be an integer from 0 to 1000000");
  CHECK(error_of(R"({"restart_period": 0})")
        == "restart_period: is 0; must be an integer from 1 to 604800000, in "
           "milliseconds");
  CHECK(error_of(R"({"depends_on": "db"})")
        == R"(depends_on: is "db"; must be an array of names of servers)");
  CHECK(error_of(R"({"depends_on": ["db", 1]})")
        == "depends_on: [1] is 1; must be a string, the name of a server");
}
