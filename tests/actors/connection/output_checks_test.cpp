#include "caf_mcp/actors/connection/output_checks.hpp"

#include "caf_mcp/actors/connection/request_table.hpp"

#include "tests/support/error_text.hpp"

#include <catch2/catch_test_macros.hpp>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

using namespace caf_mcp;
using namespace std::chrono_literals;
using clock_type = output_checks::clock;
using lines = std::vector<std::string>;

namespace {

/// A tool whose results need an integer `n`, and one whose results are long to
/// check.
constexpr auto tools = R"({"tools":[
  {"name":"t","outputSchema":{"properties":{"n":{"type":"integer"}},
    "required":["n"]}},
  {"name":"long","outputSchema":{"properties":{"list":{"uniqueItems":true}}}},
  {"name":"odd","outputSchema":{"pattern":"(a+)+$"}},
  {"name":"free"}]})";

/// A result of `long`, with as many numbers as make its check a long one.
payload long_result(int last = 0) {
  boost::json::array list;
  for (auto i = 0; i < 200; ++i)
    list.emplace_back(i);
  list.emplace_back(last);
  return payload{boost::json::value{{"structuredContent", {{"list", list}}}}};
}

/// Answers of a few callers. What each gets is kept as a line, in its order.
struct fixture {
  fixture() {
    checks.learn(parse_payload(tools));
  }

  /// The answer number `slot` to `caller` has arrived.
  void add(request_owner& caller, std::uint64_t slot, std::string_view tool,
           output_checks::outcome what,
           clock_type::time_point deadline = clock_type::time_point::max()) {
    take(checks.add({reply{answers, slot}, &caller, deadline, tool},
                    std::move(what)));
  }

  void add(std::uint64_t slot, std::string_view tool, std::string_view result) {
    add(one, slot, tool, parse_payload(result));
  }

  void add_long(std::uint64_t slot) {
    add(one, slot, "long", long_result(-1));
  }

  void take(output_checks::step next) {
    for (auto& each : next.answers)
      std::visit([&each](auto& what) { each.to.deliver(std::move(what)); },
                 each.what);
    if (next.start)
      started.push_back(next.start->number);
    for (auto& each : next.remarks)
      remarks.push_back(std::move(each));
  }

  /// A check that was started has this outcome.
  void checked(std::uint64_t number,
               output_check outcome = {output_check::outcome::fits, ""}) {
    take(checks.on_checked(number, outcome));
  }

  /// Returns what was delivered since the last call.
  lines delivered() {
    lines result;
    for (auto& each : std::exchange(answers.ready.answers, {})) {
      auto text = each.error ? tests::text_of(each.error) : "ok";
      result.push_back(std::to_string(each.slot) + ' ' + text);
    }
    return result;
  }

  answer_stream answers;
  request_owner one;
  request_owner other;
  output_checks checks;
  std::vector<std::uint64_t> started;
  lines remarks;
};

} // namespace

TEST_CASE("a result that breaks its tool's promise is an error") {
  fixture here;
  here.add(1, "t", R"({"structuredContent":{"n":1}})");
  here.add(2, "t", R"({"structuredContent":{"n":"x"}})");
  here.add(3, "t", R"({"structuredContent":{}})");
  CHECK(here.delivered()
        == lines{"1 ok",
                 "2 invalid_response: tools/call: the structuredContent of t "
                 "does not fit its outputSchema: /n: does not meet type "
                 "integer",
                 "3 invalid_response: tools/call: the structuredContent of t "
                 "does not fit its outputSchema: /: does not meet required"});
  CHECK(here.started.empty());
}

TEST_CASE("what promises nothing is not checked") {
  fixture here;
  here.add(1, "free", R"({"structuredContent":{"n":"x"}})");
  here.add(2, "unknown", R"({"structuredContent":{"n":"x"}})");
  here.add(3, "t", R"({"content":[]})");
  here.add(4, "", R"({"structuredContent":{"n":"x"}})");
  here.add(5, "t", R"([])");
  here.checks.forget_schemas();
  here.add(6, "t", R"({"structuredContent":{"n":"x"}})");
  CHECK(here.delivered()
        == lines{"1 ok", "2 ok", "3 ok", "4 ok", "5 ok", "6 ok"});
}

TEST_CASE("a tool that is listed without a promise any more is free of it") {
  fixture here;
  here.checks.learn(parse_payload(R"({"tools":[{"name":"t"}]})"));
  here.add(1, "t", R"({"structuredContent":{"n":"x"}})");
  CHECK(here.delivered() == lines{"1 ok"});
}

TEST_CASE("what a tool says of its failure is its own word") {
  fixture here;
  here.add(1, "t", R"({"isError":true,"structuredContent":{"code":"ENOSPC"}})");
  CHECK(here.delivered() == lines{"1 ok"});
  here.add(2, "t", R"({"isError":false,"structuredContent":{}})");
  CHECK(here.delivered().front().starts_with("2 invalid_response"));
}

TEST_CASE("a schema that cannot be checked is told of once") {
  fixture here;
  here.add(1, "odd", R"({"structuredContent":"aaaaaaaaaaaaaaaaaaaaaaaaaaa!"})");
  here.add(2, "odd", R"({"structuredContent":"b"})");
  CHECK(here.delivered() == lines{"1 ok", "2 ok"});
  CHECK(here.remarks
        == lines{"the outputSchema of the tool odd is not checked: its keyword "
                 "pattern is not supported"});
}

TEST_CASE("a long check runs elsewhere, and its answer waits for it") {
  fixture here;
  here.add_long(1);
  REQUIRE(here.started.size() == 1);
  CHECK(here.delivered().empty());
  SECTION("until it fits") {
    here.checked(here.started[0]);
    CHECK(here.delivered() == lines{"1 ok"});
    CHECK(here.remarks.empty());
  }
  SECTION("until it does not fit") {
    here.checked(here.started[0], {output_check::outcome::misfits, "why"});
    CHECK(here.delivered()
          == lines{"1 invalid_response: tools/call: the structuredContent of "
                   "long does not fit its outputSchema: why"});
  }
  SECTION("until it is beyond its budget, of which the log is told") {
    here.checked(here.started[0], {output_check::outcome::over_budget, "why"});
    CHECK(here.delivered() == lines{"1 ok"});
    CHECK(here.remarks
          == lines{"a result of the tool long was not checked against its "
                   "outputSchema: why"});
    here.add_long(2); // the next may be shorter
    CHECK(here.started.size() == 2);
  }
  CHECK(here.checks.size() == here.started.size() - 1);
}

TEST_CASE("answers reach their caller in the order of their arrival") {
  fixture here;
  here.add_long(1);
  here.add(2, "free", "{}");
  here.add(here.one, 3, "", local_error(errc::invalid_response, "broken"));
  here.add(here.other, 4, "free", parse_payload("{}"));
  here.add(5, "t", R"({"structuredContent":{}})");
  CHECK(here.delivered() == lines{"4 ok"});
  here.checked(here.started[0]);
  auto texts = here.delivered();
  REQUIRE(texts.size() == 4);
  CHECK(texts[0] == "1 ok");
  CHECK(texts[1] == "2 ok");
  CHECK(texts[2] == "3 invalid_response: broken");
  CHECK(texts[3].starts_with("5 invalid_response: tools/call"));
}

TEST_CASE("one long check runs at a time") {
  fixture here;
  here.add_long(1);
  here.add(here.other, 2, "long", long_result(-1));
  here.add_long(3);
  CHECK(here.started == std::vector<std::uint64_t>{1});
  here.checked(1);
  CHECK(here.delivered() == lines{"1 ok"});
  CHECK(here.started == std::vector<std::uint64_t>{1, 2});
  here.checked(1); // twice
  here.checked(3); // never started
  CHECK(here.delivered().empty());
  here.checked(2);
  CHECK(here.delivered() == lines{"2 ok"});
  CHECK(here.started == std::vector<std::uint64_t>{1, 2, 3});
}

TEST_CASE("few checks wait; what comes then is delivered unchecked") {
  fixture here;
  for (std::uint64_t slot = 1; slot <= output_checks::waiting_max + 1; ++slot)
    here.add_long(slot);
  CHECK(here.remarks.empty());
  here.add(here.other, 99, "long", long_result(-1));
  CHECK(here.delivered() == lines{"99 ok"});
  here.add_long(100); // waits for those before it, but not for a check
  CHECK(here.remarks
        == lines(2, "a result of the tool long was not checked against its "
                    "outputSchema: too many checks are waiting"));
  while (here.checks.size() > 0)
    here.checked(here.started.back());
  CHECK(here.delivered().back() == "100 ok");
  CHECK(here.started.size() == output_checks::waiting_max + 1);
}

TEST_CASE("an answer is delivered at its deadline, with those before it") {
  const auto now = clock_type::now();
  fixture here;
  here.add(here.one, 1, "long", long_result(-1), now + 9s);
  here.add(here.one, 2, "", parse_payload("{}"), now + 5s);
  here.add(here.one, 3, "long", long_result(-1), now + 9s);
  here.add(here.other, 4, "long", long_result(-1), now + 9s);
  CHECK(here.checks.next_deadline() == now + 5s);
  here.take(here.checks.on_deadline(now + 4s));
  CHECK(here.delivered().empty());
  here.take(here.checks.on_deadline(now + 5s));
  CHECK(here.delivered() == lines{"1 ok", "2 ok"});
  CHECK(here.remarks
        == lines{"a result of the tool long was not checked against its "
                 "outputSchema: the time of its request is up"});
  CHECK(here.started == std::vector<std::uint64_t>{1, 3});
  here.checked(1, {output_check::outcome::misfits, "late"});
  CHECK(here.delivered().empty());
}

TEST_CASE("answers that are held are delivered when the connection ends") {
  fixture here;
  here.add_long(1);
  here.add(2, "free", "{}");
  here.add(here.other, 3, "long", long_result(-1));
  here.take(here.checks.release_all());
  CHECK(here.delivered() == lines{"1 ok", "2 ok", "3 ok"});
  CHECK(here.checks.size() == 0);
  CHECK_FALSE(here.checks.next_deadline());
  here.checked(1);
  CHECK(here.delivered().empty());
}

TEST_CASE("a caller that is gone holds up nobody") {
  fixture here;
  here.add_long(1);
  here.add(2, "free", "{}");
  here.add(here.other, 3, "long", long_result(-1));
  here.take(here.checks.forget(&here.one));
  CHECK(here.started == std::vector<std::uint64_t>{1, 3});
  here.checked(1);
  here.checked(3);
  CHECK(here.delivered() == lines{"3 ok"});
}

TEST_CASE("answers that wait cost the same, however many wait") {
  // Were all of them looked at for each, this would take minutes.
  constexpr std::uint64_t count = 100'000;
  const auto now = clock_type::now();
  fixture here;
  here.add_long(1);
  for (std::uint64_t slot = 2; slot <= count; ++slot) {
    here.add(here.one, slot, "", payload{}, now + 1h - slot * 1ms);
    REQUIRE(here.checks.next_deadline() == now + 1h - slot * 1ms);
  }
  here.take(here.checks.on_deadline(now));
  CHECK(here.checks.size() == count);
  here.checked(1);
  CHECK(here.checks.size() == 0);
  CHECK_FALSE(here.checks.next_deadline());
  const auto got = here.delivered();
  REQUIRE(got.size() == count);
  CHECK(got.front() == "1 ok");
  CHECK(got.back() == std::to_string(count) + " ok");
}
