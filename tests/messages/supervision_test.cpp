#include "caf_mcp/messages/supervision.hpp"

#include "caf_mcp/messages/error_info.hpp"

#include <boost/json/parse.hpp>
#include <catch2/catch_test_macros.hpp>

using namespace caf_mcp;

namespace {

std::string error_of(std::string_view text) {
  supervision care;
  auto entry = boost::json::parse(text).as_object();
  return describe(take_supervision(care, entry)).message;
}

} // namespace

TEST_CASE("the keys of a hub are taken out of an entry", "[supervision]") {
  auto entry = boost::json::parse(R"({"command": "x", "restart": "transient",
    "max_restarts": 2, "restart_period": 500, "start": "lazy"})")
                 .as_object();
  supervision care;
  CHECK_FALSE(take_supervision(care, entry));
  CHECK(care.restart == restart_policy::transient);
  CHECK(care.max_restarts == 2);
  CHECK(care.restart_period == std::chrono::milliseconds{500});
  CHECK(care.start == start_policy::lazy);
  CHECK(entry.size() == 1);
  CHECK(entry.contains("command"));
}

TEST_CASE("an entry without keys of a hub leaves the defaults",
          "[supervision]") {
  boost::json::object entry{{"command", "x"}};
  supervision care;
  CHECK_FALSE(take_supervision(care, entry));
  CHECK(care == supervision{});
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
}
