#include "caf_mcp/messages/wire/envelope_scan.hpp"

#include "tests/support/json_generator.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace caf_mcp {

namespace {

std::string_view id_of(std::string_view text) {
  return scan_envelope(text).id_json;
}

/// A copy of a text with nothing behind it, so that the address sanitizer sees
/// every read past its end.
class exact_copy {
public:
  explicit exact_copy(std::string_view text)
    : bytes_{std::make_unique<char[]>(text.size())}, size_{text.size()} {
    text.copy(bytes_.get(), text.size());
  }

  std::string_view view() const {
    return {bytes_.get(), size_};
  }

private:
  std::unique_ptr<char[]> bytes_;
  std::size_t size_;
};

bool is_within(std::string_view part, std::string_view whole) {
  return part.empty()
         || (part.data() >= whole.data()
             && part.data() + part.size() <= whole.data() + whole.size());
}

} // namespace

TEST_CASE("a scan finds the members of a message", "[envelope_scan]") {
  auto seen = scan_envelope(R"({"jsonrpc":"2.0","id":7,"method":"ping"})");
  CHECK(seen.has_jsonrpc);
  CHECK(seen.has_method);
  CHECK(seen.id_json == "7");
}

TEST_CASE("a scan finds nothing where there is nothing", "[envelope_scan]") {
  for (auto text : {"", " ", "{", "{}", "[]", "null", "x", "\"id\":1", "{{}}",
                    "{id:1}", "[{\"id\":1}]", "INFO {\"id\":1}"}) {
    auto seen = scan_envelope(text);
    INFO(text);
    CHECK_FALSE(seen.has_jsonrpc);
    CHECK_FALSE(seen.has_method);
    CHECK(seen.id_json.empty());
  }
}

TEST_CASE("a scan returns the id as it is written", "[envelope_scan]") {
  CHECK(id_of(R"({"id":12345678901234567890123})")
        == "12345678901234567890123");
  CHECK(id_of(R"({"id":2.0})") == "2.0");
  CHECK(id_of(R"({"id":"a\"b\\"})") == R"("a\"b\\")");
  CHECK(id_of(R"({"id":null})") == "null");
  CHECK(id_of(R"({"id":[1,{"id":2}]})") == R"([1,{"id":2}])");
  CHECK(id_of(R"({"id":})").empty());
}

TEST_CASE("a scan strips white space around an id", "[envelope_scan]") {
  CHECK(id_of(" { \"jsonrpc\" : \"2.0\" ,\t\"id\"\r\n:\t 7 \n} ") == "7");
}

TEST_CASE("a scan takes only a member of the top level for the id",
          "[envelope_scan]") {
  CHECK(id_of(R"({"result":{"id":1},"id":2})") == "2");
  CHECK(id_of(R"({"id":2,"result":{"id":1}})") == "2");
  CHECK(id_of(R"({"result":[{"id":1}]})").empty());
  CHECK(id_of(R"({"result":"\",\"id\":1,","id":2})") == "2");
  CHECK(id_of(R"({"result":"}","id":2})") == "2");
  CHECK(id_of(R"({"result":"\\","id":2})") == "2");
  CHECK(id_of(R"({"id":2}{"id":3})") == "2");
  CHECK(id_of(R"({"id":2},"id":3)") == "2");
  CHECK(id_of(R"({"x":"id","y":1})").empty());
}

TEST_CASE("the last of two ids counts, as it does for the parser",
          "[envelope_scan]") {
  CHECK(id_of(R"({"id":1,"id":2})") == "2");
}

TEST_CASE("a scan does not mind what parsers refuse", "[envelope_scan]") {
  CHECK(id_of("{\"result\":{\"text\":\"caf\xE9\"},\"id\":2}") == "2");
  CHECK(id_of(R"({"result":"\ud83d","id":2})") == "2");
  CHECK(id_of(R"({"result":NaN,"id":2})") == "2");
  CHECK(id_of(R"({"result":{"a":1,},"id":2})") == "2");
  CHECK(id_of("{\"result\":\"a\nb\t\",\"id\":2}") == "2");
  CHECK(id_of(R"({"result":1,,"id":2})") == "2");
  CHECK(id_of(R"({"id":2,"result":{)") == "2");
}

TEST_CASE("a scan takes any depth", "[envelope_scan]") {
  constexpr std::size_t depth = 200'000;
  auto text = "{\"result\":" + std::string(depth, '[') + std::string(depth, ']')
              + ",\"id\":2}";
  CHECK(id_of(text) == "2");
}

TEST_CASE("a scan of a part of a message never takes a part of an id",
          "[envelope_scan]") {
  const std::string_view text
    = R"({"id":12345,"jsonrpc":"2.0","result":{"a":[1,"x\"y"]}})";
  const auto id_end = text.find(',');
  for (std::size_t bytes = 0; bytes <= text.size(); ++bytes) {
    exact_copy part{text.substr(0, bytes)};
    CHECK(id_of(part.view()) == (bytes > id_end ? "12345" : ""));
  }
}

TEST_CASE("the beginning of a method or of params tells a call",
          "[envelope_scan]") {
  for (auto text : {R"({"id":7,"method":"m"})", R"({"id":7,"method":"m)",
                    R"({"id":7,"params":{"x":)", R"({"params":[],"id":7})"}) {
    INFO(text);
    CHECK(scan_envelope(text).is_call());
  }
  for (auto text : {R"({"id":7,"result":{"params":1,"method":"m"})",
                    R"({"id":7,"result":"\",\"method\":)",
                    R"({"id":7,"error":{"params":)", R"({"id":7,"meth)"}) {
    INFO(text);
    CHECK_FALSE(scan_envelope(text).is_call());
  }
  CHECK_FALSE(scan_envelope(R"({"jsonrpc":"2.)").has_jsonrpc);
}

TEST_CASE("a scan agrees with the parser on valid messages",
          "[envelope_scan]") {
  tests::json_generator generate{11};
  for (auto run = 0; run < 3000; ++run) {
    auto message = generate.object(4);
    if (!generate.one_in(4))
      message["id"] = generate.value(2);
    if (generate.one_in(2))
      message["jsonrpc"] = "2.0";
    exact_copy text{boost::json::serialize(message)};
    auto seen = scan_envelope(text.view());
    INFO(text.view());
    const auto* version = message.if_contains("jsonrpc");
    REQUIRE(seen.has_jsonrpc == (version != nullptr && *version == "2.0"));
    REQUIRE(seen.has_method == message.contains("method"));
    if (const auto* id = message.if_contains("id"))
      REQUIRE(seen.id_json == boost::json::serialize(*id));
    else
      REQUIRE(seen.id_json.empty());
  }
}

TEST_CASE("scans of arbitrary bytes stay within them", "[envelope_scan]") {
  constexpr std::string_view alphabet = "{}[]\"\\:, id5\n";
  tests::json_generator generate{12};
  for (auto run = 0; run < 50'000; ++run) {
    auto text = std::string{generate.one_in(2) ? "{\"id\":" : ""};
    for (auto left = generate.below(16); left > 0; --left)
      text += alphabet[generate.below(alphabet.size())];
    exact_copy copy{text};
    if (!is_within(id_of(copy.view()), copy.view())
        || !is_within(scan_tail_for_id(copy.view()), copy.view()))
      FAIL(text);
  }
}

TEST_CASE("the id at the end of a message is found from there",
          "[envelope_scan]") {
  CHECK(scan_tail_for_id(R"(xyz"},"id":7})") == "7");
  CHECK(scan_tail_for_id(R"(]],"jsonrpc":"2.0","id":"a\"b"})") == R"("a\"b")");
  CHECK(scan_tail_for_id(R"(xyz","id":7,"jsonrpc":"2.0"})") == "7");
  CHECK(scan_tail_for_id("1]} ,\n\t\"id\" : 7 ,\"jsonrpc\":\"2.0\"\r\n} \r")
        == "7");
  CHECK(scan_tail_for_id(R"({"id":7})") == "7");
  CHECK(scan_tail_for_id(R"(x","id":6,"id":7})") == "7");
  CHECK(scan_tail_for_id("\xFF\xFE\",\"id\":2.0,\"x\":true}") == "2.0");
}

TEST_CASE("a nested id at the end is not taken for the message's",
          "[envelope_scan]") {
  for (auto text :
       {R"(x","result":{"id":7}})", R"(,{"id":7}]})", R"({"a":1,"id":7}})",
        R"("id":7,"result":{"a":1}})", R"(,"id":7,"result":[]})"}) {
    INFO(text);
    CHECK(scan_tail_for_id(text).empty());
  }
}

TEST_CASE("an id within a string at the end is not taken for the message's",
          "[envelope_scan]") {
  CHECK(scan_tail_for_id(R"(a,\"id\":7}"})").empty());
  CHECK(scan_tail_for_id(R"(xx","a":"b,\"id\":7}"})").empty());
  CHECK(scan_tail_for_id(R"(x","id":7,"a":",\"id\":8}"})") == "7");
}

TEST_CASE("nothing is found in a tail that may begin within the name",
          "[envelope_scan]") {
  // The message may be {..., "not the \"id":7}.
  CHECK(scan_tail_for_id(R"("id":7})").empty());
  CHECK(scan_tail_for_id(R"(\"id":7})").empty());
  CHECK(scan_tail_for_id(R"(\\"id":7})").empty());
  CHECK(scan_tail_for_id(R"(\\\"id":7})").empty());
  CHECK(scan_tail_for_id(R"(x"id":7})").empty());
  CHECK(scan_tail_for_id(R"(id":7})").empty());
  CHECK(scan_tail_for_id("7}").empty());
  CHECK(scan_tail_for_id("}").empty());
  CHECK(scan_tail_for_id("").empty());
}

TEST_CASE("nothing is found in a tail that does not end a message",
          "[envelope_scan]") {
  CHECK(scan_tail_for_id(R"(x","id":7)").empty());
  CHECK(scan_tail_for_id(R"(x","id":7} trailing)").empty());
  CHECK(scan_tail_for_id(R"(x","id":7])").empty());
  CHECK(scan_tail_for_id(R"(x","id":})").empty());
  CHECK(scan_tail_for_id(R"(x",id:7})").empty());
}

TEST_CASE("the end of a request is not taken for that of a response",
          "[envelope_scan]") {
  CHECK(scan_tail_for_id(R"(x"},"id":7,"method":"ping"})").empty());
  CHECK(scan_tail_for_id(R"(x"},"method":"ping","id":7})").empty());
}

TEST_CASE("a tail of any length gives the right id or none",
          "[envelope_scan]") {
  tests::json_generator generate{13};
  for (auto run = 0; run < 300; ++run) {
    auto text = R"({"result":)" + boost::json::serialize(generate.value(4))
                + R"(,"jsonrpc":"2.0","id":)"
                + std::to_string(generate.integer()) + '}';
    auto id = id_of(text);
    for (std::size_t at = 0; at < text.size(); ++at) {
      exact_copy tail{std::string_view{text}.substr(at)};
      auto found = scan_tail_for_id(tail.view());
      if (!found.empty() && found != id)
        FAIL(text << "\nat " << at << ": " << found);
    }
    REQUIRE(scan_tail_for_id(text) == id);
  }
}

TEST_CASE("integers, integral floats and decimal strings are own ids",
          "[envelope_scan]") {
  CHECK(read_own_id("0") == 0);
  CHECK(read_own_id("7") == 7);
  CHECK(read_own_id("-1") == -1);
  CHECK(read_own_id("2.0") == 2);
  CHECK(read_own_id("2.000") == 2);
  CHECK(read_own_id("2e0") == 2);
  CHECK(read_own_id("2E+0") == 2);
  CHECK(read_own_id("20e-1") == 2);
  CHECK(read_own_id("1e3") == 1000);
  CHECK(read_own_id("-0.0") == 0);
  CHECK(read_own_id("\"2\"") == 2);
  CHECK(read_own_id("\"0\"") == 0);
  CHECK(read_own_id("\"-7\"") == -7);
  CHECK(read_own_id("9223372036854775807")
        == std::numeric_limits<std::int64_t>::max());
  CHECK(read_own_id("9007199254740991.0") == 9007199254740991);
}

TEST_CASE("no other text is an own id", "[envelope_scan]") {
  for (auto text : {"",
                    "null",
                    "true",
                    "{}",
                    "[1]",
                    "2.5",
                    "1e-1",
                    "1e400",
                    "-1e400",
                    "1e-400",
                    "NaN",
                    "nan",
                    "inf",
                    "-Infinity",
                    "0x10",
                    "+2",
                    "2 ",
                    " 2",
                    "2 3",
                    "2,",
                    "--2",
                    "-",
                    ".",
                    "e",
                    "\"\"",
                    "\"",
                    "\"2.0\"",
                    "\"2e0\"",
                    "\"a\"",
                    "\" 2\"",
                    "\"2 \"",
                    "\"+2\"",
                    "\"02\"",
                    "\"-02\"",
                    "\"-0\"",
                    "02",
                    "-02",
                    "00.0",
                    "\"2",
                    "2\"",
                    "\"\"2\"\"",
                    "\"\\u0032\"",
                    "9223372036854775808",
                    "18446744073709551616",
                    "12345678901234567890123",
                    "\"9223372036854775808\"",
                    "9007199254740992.0",
                    "9007199254740993.0",
                    "1e16"}) {
    INFO(text);
    CHECK_FALSE(read_own_id(text));
  }
}

} // namespace caf_mcp
