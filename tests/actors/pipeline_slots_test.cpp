#include "caf_mcp/actors/pipeline_slots.hpp"

#include "caf_mcp/messages/error_info.hpp"
#include "caf_mcp/messages/methods.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>
#include <vector>

using namespace caf_mcp;

namespace {

/// Notes who was called, and with what.
class listener {
public:
  pipeline_slots::handlers handlers(std::string name) {
    return {[this, name](const payload& result) {
              heard.push_back(name + ' ' + result.to_json());
            },
            [this, name](const caf::error& error) {
              heard.push_back(name + ' ' + describe(error).name);
            }};
  }

  std::vector<std::string> heard;
};

} // namespace

TEST_CASE("requests leave a pipeline in the order in which they were made") {
  pipeline_slots slots;
  listener caller;
  slots.add(call_tool("a"), caller.handlers("a"));
  slots.add(call_tool("b"), caller.handlers("b"));
  CHECK(slots.requests() == 2);
  auto requests = slots.take_requests();
  REQUIRE(requests.size() == 2);
  CHECK(requests[0].request.params.string_member("name") == "a");
  CHECK(requests[1].request.params.string_member("name") == "b");
  CHECK(slots.requests() == 0);
  CHECK(slots.open() == 2);
}

TEST_CASE("an answer reaches who made its request, in any order") {
  pipeline_slots slots;
  listener caller;
  slots.add(call_tool("a"), caller.handlers("a"));
  slots.add(call_tool("b"), caller.handlers("b"));
  auto requests = slots.take_requests();
  slots.complete({requests[1].slot, payload{boost::json::value(2)}, {}});
  slots.complete({requests[0].slot, {}, local_error(errc::cancelled, "no")});
  CHECK(caller.heard == std::vector<std::string>{"b 2", "a cancelled"});
  CHECK(slots.open() == 0);
}

TEST_CASE("the slot of an answered request is used again") {
  pipeline_slots slots;
  listener caller;
  slots.add(call_tool("a"), caller.handlers("a"));
  const auto first = slots.take_requests().at(0).slot;
  slots.complete({first, payload{boost::json::value(1)}, {}});
  slots.add(call_tool("b"), caller.handlers("b"));
  CHECK(slots.take_requests().at(0).slot == first);
}

TEST_CASE("all who wait hear of a failure once, also those not sent yet") {
  pipeline_slots slots;
  listener caller;
  slots.add(call_tool("a"), caller.handlers("a"));
  slots.add(call_tool("b"), caller.handlers("b"));
  const auto first = slots.take_requests().at(0).slot;
  slots.complete({first, payload{boost::json::value(1)}, {}});
  slots.add(call_tool("c"), caller.handlers("c"));
  slots.fail_all(local_error(errc::connection_closed, "gone"));
  CHECK(caller.heard
        == std::vector<std::string>{"a 1", "c connection_closed",
                                    "b connection_closed"});
  CHECK(slots.open() == 0);
  CHECK(slots.requests() == 0);
}
