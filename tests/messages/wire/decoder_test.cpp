#include "caf_mcp/messages/wire/decoder.hpp"

#include "tests/support/json_generator.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

namespace caf_mcp {

namespace {

std::optional<incoming_message> decode(std::string_view line) {
  decoder reader;
  return reader.decode(line);
}

template <class T>
T decode_as(std::string_view line) {
  INFO("line: " << line.substr(0, 200));
  auto message = decode(line);
  REQUIRE(message);
  REQUIRE(std::holds_alternative<T>(*message));
  return std::get<T>(std::move(*message));
}

incoming_response decode_response(std::string_view line) {
  return decode_as<incoming_response>(line);
}

undecodable_message decode_undecodable(std::string_view line) {
  auto result = decode_as<undecodable_message>(line);
  CHECK(result.code == errc::invalid_response);
  CHECK_FALSE(result.detail.empty());
  return result;
}

incoming_response response_with_id(const std::string& id_json) {
  return decode_response(R"({"jsonrpc":"2.0","id":)" + id_json
                         + R"(,"result":{}})");
}

incoming_request request_with_id(const std::string& id_json) {
  return decode_as<incoming_request>(R"({"jsonrpc":"2.0","id":)" + id_json
                                     + R"(,"method":"ping"})");
}

/// A response whose result is nested so that the message has `depth` levels.
std::string nested_response(std::size_t depth) {
  return R"({"jsonrpc":"2.0","id":3,"result":)" + std::string(depth - 1, '[')
         + std::string(depth - 1, ']') + '}';
}

} // namespace

// -- kinds of messages --------------------------------------------------------

TEST_CASE("a message with an id and a result is a response", "[decoder]") {
  auto response
    = decode_response(R"({"jsonrpc":"2.0","id":7,"result":{"a":[1]}})");
  CHECK(response.id == 7);
  CHECK(response.match == id_match::exact);
  CHECK(response.result.to_json() == R"({"a":[1]})");
  CHECK_FALSE(response.error);
}

TEST_CASE("a message with an id and an error is a response", "[decoder]") {
  auto response = decode_response(
    R"({"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"no"}})");
  CHECK(response.id == 7);
  CHECK_FALSE(response.result);
  CHECK(response.error.to_json() == R"({"code":-32601,"message":"no"})");
}

TEST_CASE("a message with a method and an id is a request", "[decoder]") {
  auto request = decode_as<incoming_request>(
    R"({"jsonrpc":"2.0","id":"x","method":"roots/list","params":{"a":1}})");
  CHECK(request.id_json == "\"x\"");
  CHECK(request.method == "roots/list");
  CHECK(request.params.to_json() == R"({"a":1})");
}

TEST_CASE("a message with a method and no id is a notification", "[decoder]") {
  auto note = decode_as<incoming_notification>(
    R"({"jsonrpc":"2.0","method":"notifications/progress","params":[1]})");
  CHECK(note.method == "notifications/progress");
  CHECK(note.params.to_json() == "[1]");
}

TEST_CASE("params that are missing are absent, null ones are not",
          "[decoder]") {
  CHECK_FALSE(
    decode_as<incoming_notification>(R"({"jsonrpc":"2.0","method":"a"})")
      .params);
  auto note = decode_as<incoming_notification>(
    R"({"jsonrpc":"2.0","method":"a","params":null})");
  CHECK(note.params);
  CHECK(note.params.value().is_null());
}

TEST_CASE("the order of members and white space do not matter", "[decoder]") {
  auto response = decode_response(
    " {\t\"result\" : { } ,\r \"id\" : 7 , \"jsonrpc\" : \"2.0\" }\t\r");
  CHECK(response.id == 7);
  CHECK(response.match == id_match::exact);
  CHECK(response.result.to_json() == "{}");
}

TEST_CASE("a result may be any value, null too", "[decoder]") {
  for (std::string result : {"null", "0", "\"\"", "[]", "false"}) {
    auto response
      = decode_response(R"({"jsonrpc":"2.0","id":1,"result":)" + result + '}');
    CHECK(response.result);
    CHECK(response.result.to_json() == result);
  }
}

TEST_CASE("a response means the same with white space and without",
          "[decoder]") {
  tests::json_generator random{20};
  for (auto i = 0; i < 500; ++i) {
    const auto result = boost::json::serialize(random.value(6));
    INFO(result);
    for (const auto& line :
         {R"({"jsonrpc":"2.0","id":7,"result":)" + result + '}',
          R"({"result":)" + result + R"(,"jsonrpc":"2.0","id":7})"}) {
      const auto plain = decode_response(line);
      const auto spaced = decode_response(' ' + line);
      CHECK(plain.id == spaced.id);
      CHECK(plain.match == spaced.match);
      CHECK(plain.result == spaced.result);
      CHECK(plain.result == parse_payload(result));
      CHECK_FALSE(plain.error);
    }
  }
}

TEST_CASE("members behind a result count, whatever stands before it",
          "[decoder]") {
  const auto other_id
    = decode_response(R"({"jsonrpc":"2.0","id":1,"result":1,"id":2})");
  CHECK(other_id.id == 2);
  const auto other_result
    = decode_response(R"({"result":1,"result":2,"jsonrpc":"2.0","id":1})");
  CHECK(other_result.result.to_json() == "2");
  CHECK(decode_as<incoming_request>(
          R"({"jsonrpc":"2.0","id":1,"result":1,"method":"ping"})")
          .method
        == "ping");
}

TEST_CASE("result and error are handed on as they came", "[decoder]") {
  auto both = decode_response(
    R"({"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1}})");
  CHECK(both.result);
  CHECK(both.error);
  auto neither = decode_response(R"({"jsonrpc":"2.0","id":1})");
  CHECK(neither.id == 1);
  CHECK_FALSE(neither.result);
  CHECK_FALSE(neither.error);
}

TEST_CASE("a null beside its counterpart stands for nothing", "[decoder]") {
  auto success
    = decode_response(R"({"jsonrpc":"2.0","id":1,"result":{},"error":null})");
  CHECK(success.result);
  CHECK_FALSE(success.error);
  auto failure = decode_response(
    R"({"jsonrpc":"2.0","id":1,"result":null,"error":{"code":1}})");
  CHECK_FALSE(failure.result);
  CHECK(failure.error);
  auto null = decode_response(R"({"jsonrpc":"2.0","id":1,"result":null,)"
                              R"("error":null,"method":null,"params":null})");
  CHECK(null.result);
  CHECK_FALSE(null.error);
}

TEST_CASE("the method decides: a request may have a result and an error",
          "[decoder]") {
  decode_as<incoming_request>(
    R"({"jsonrpc":"2.0","id":1,"method":"a","result":{},"error":{}})");
  decode_as<incoming_notification>(
    R"({"jsonrpc":"2.0","method":"a","result":{}})");
}

TEST_CASE("unknown members are ignored, and kept where the parts are",
          "[decoder]") {
  auto response
    = decode_response(R"({"jsonrpc":"2.0","x":{"id":9},"id":1,)"
                      R"("result":{"_meta":{"a":1},"new":[2]},"y":null})");
  CHECK(response.id == 1);
  CHECK(response.result.to_json() == R"({"_meta":{"a":1},"new":[2]})");
}

TEST_CASE("what does not say jsonrpc 2.0 is junk", "[decoder]") {
  for (const std::string version :
       {"", R"("jsonrpc":2.0,)", R"("jsonrpc":null,)", R"("jsonrpc":"1.0",)",
        R"("jsonrpc":"2.0 ",)", R"("jsonrpc":["2.0"],)"})
    for (const std::string rest :
         {R"("id":2,"result":"a log line"})", R"("id":1,"error":{"code":1}})",
          R"("id":1,"method":"ping"})", R"("method":"n"})",
          R"("id":1,"result":NaN})"}) {
      INFO(version + rest);
      CHECK_FALSE(decode('{' + version + rest));
    }
}

TEST_CASE("a message that cannot be decoded is told with its place and what "
          "stands there",
          "[decoder]") {
  const auto told
    = decode_undecodable(R"({"jsonrpc":"2.0","id":1,"result":{"a":NaN}})");
  CHECK(told.detail.find(" at byte 38, near ...") != std::string::npos);
  CHECK(told.detail.find("NaN") != std::string::npos);
}

TEST_CASE("an error without an id is a response that matches nothing",
          "[decoder]") {
  for (std::string_view line :
       {R"({"jsonrpc":"2.0","error":{"code":-32700,"message":"parse"}})",
        R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700}})"}) {
    auto response = decode_response(line);
    CHECK(response.match == id_match::none);
    CHECK(response.error);
  }
}

// -- ids ----------------------------------------------------------------------

TEST_CASE("an integer id matches exactly", "[decoder]") {
  for (auto id : {std::int64_t{0}, std::int64_t{1}, std::int64_t{-5},
                  std::numeric_limits<std::int64_t>::max(),
                  std::numeric_limits<std::int64_t>::min()}) {
    auto response = response_with_id(std::to_string(id));
    CHECK(response.match == id_match::exact);
    CHECK(response.id == id);
  }
}

TEST_CASE("an integral float or a decimal string matches leniently",
          "[decoder]") {
  for (const auto& [id_json, id] : {std::pair{"2.0", 2},
                                    {"2e0", 2},
                                    {"20E-1", 2},
                                    {"0.0", 0},
                                    {"\"2\"", 2},
                                    {"\"0\"", 0},
                                    {"\"-3\"", -3}}) {
    INFO(id_json);
    auto response = response_with_id(id_json);
    CHECK(response.match == id_match::lenient);
    CHECK(response.id == id);
  }
}

TEST_CASE("any other id matches no request", "[decoder]") {
  for (auto id_json :
       {"null", "true", "2.5", "1e30", "\"\"", "\"a\"", "\"2.0\"", "\" 2\"",
        "[2]", "{\"id\":2}", "9223372036854775808", "18446744073709551615",
        "18446744073709551616", "12345678901234567890123", "9007199254740993.0",
        "\"9223372036854775808\""}) {
    INFO(id_json);
    auto response = response_with_id(id_json);
    CHECK(response.match == id_match::none);
    CHECK(response.id == 0);
    CHECK(response.result);
  }
}

TEST_CASE("only the id of the top level counts", "[decoder]") {
  CHECK(decode_response(R"({"jsonrpc":"2.0","result":{"id":4},"id":"5"})").id
        == 5);
  CHECK(decode_response(R"({"jsonrpc":"2.0","result":{"id":4}})").match
        == id_match::none);
}

TEST_CASE("the last of two ids counts", "[decoder]") {
  CHECK(decode_response(R"({"jsonrpc":"2.0","id":1,"id":2,"result":{}})").id
        == 2);
  CHECK(decode_response(R"({"jsonrpc":"2.0","id":1,"id":"2","result":{}})").id
        == 2);
}

TEST_CASE("the id of a request is kept exactly as it was written",
          "[decoder]") {
  for (std::string id_json :
       {"0", "-1", "7", "2.0", "2e0", "1.50", "12345678901234567890123",
        "18446744073709551615", "\"\"", "\"0\"", "\"abc\"", R"("a\"b")",
        R"("\\")", R"("\u0041\n\/")", "\"\u20AC\"", R"("},\"id\":1")"}) {
    CHECK(request_with_id(id_json).id_json == id_json);
  }
}

TEST_CASE("the id of a request is kept without the white space around it",
          "[decoder]") {
  CHECK(request_with_id(" \t\"a b\" \r").id_json == "\"a b\"");
  CHECK(request_with_id(" 2.0 ").id_json == "2.0");
}

TEST_CASE("the id of a request is found when its name is escaped",
          "[decoder]") {
  auto request = decode_as<incoming_request>(
    R"({"jsonrpc":"2.0","\u0069d":"a\"b","method":"ping"})");
  CHECK(request.id_json == R"("a\"b")");
}

TEST_CASE("a request whose id is neither a string nor a number is refused",
          "[decoder]") {
  for (std::string id_json : {"null", "true", "{}", "[1]"}) {
    auto refused = decode_undecodable(R"({"jsonrpc":"2.0","id":)" + id_json
                                      + R"(,"method":"ping"})");
    CHECK_FALSE(refused.id);
  }
}

TEST_CASE("a method that is not a string is refused, and answers nothing",
          "[decoder]") {
  for (std::string method : {"1", "[]", "{}", "true"}) {
    auto refused = decode_undecodable(R"({"jsonrpc":"2.0","id":1,"method":)"
                                      + method + '}');
    CHECK_FALSE(refused.id);
  }
}

TEST_CASE("a method may hold anything that a string holds", "[decoder]") {
  auto note = decode_as<incoming_notification>(
    "{\"jsonrpc\":\"2.0\",\"method\":\"\\u0000a\\n\u2028\"}");
  CHECK(note.method == std::string("\0a\n\u2028", 6));
  CHECK(decode_as<incoming_notification>(R"({"jsonrpc":"2.0","method":""})")
          .method.empty());
}

// -- lines that are no messages -----------------------------------------------

TEST_CASE("lines that do not look like JSON-RPC are junk", "[decoder]") {
  for (std::string_view line : {"",
                                " ",
                                "Listening on port 3000",
                                "\x1B[33mwarn\x1B[0m",
                                "{",
                                "}",
                                "{}",
                                "[]",
                                "null",
                                "true",
                                "42",
                                "\"jsonrpc\"",
                                "[1,2]",
                                "Content-Length: 117",
                                R"({"a":1})",
                                R"({"jsonrpc":"2.0"})",
                                R"({"id":1})",
                                R"({"method":"ping"})",
                                R"({"id":1,"method":"ping"})",
                                R"(INFO {"jsonrpc":"2.0","id":1,"result":{}})",
                                "\xFF\xFE",
                                R"({"jsonrpc":"2.0)",
                                R"({'jsonrpc':'2.0','id':1})",
                                R"({"x":NaN,"id":1})"}) {
    INFO(line);
    CHECK_FALSE(decode(line));
  }
}

TEST_CASE("log records that are JSON objects are junk", "[decoder]") {
  for (std::string_view line :
       {R"({"level":"info","msg":"ready","time":1})",
        R"({"level":"error","error":"connection refused"})",
        R"({"level":"error","error":{"message":"boom","stack":"..."}})",
        R"({"level":30,"id":5,"msg":"request done","error":null})",
        R"({"id":5,"error":"boom"})", R"({"level":"info","result":"ok"})",
        R"({"method":"GET","id":5,"result":200})"}) {
    INFO(line);
    CHECK_FALSE(decode(line));
  }
}

TEST_CASE("an array is a batch of the messages in it", "[decoder]") {
  auto message = decode(R"( [{"jsonrpc":"2.0","id":1,"result":{"a":"],["}},
    {"jsonrpc":"2.0","method":"n"} ,{"jsonrpc":"2.0","id":"x","method":"m"}] )");
  REQUIRE(message);
  const auto& messages = std::get<incoming_batch>(*message).messages;
  REQUIRE(messages.size() == 3);
  CHECK(std::get<incoming_response>(messages[0]).result.string_member("a")
        == "],[");
  CHECK(std::get<incoming_notification>(messages[1]).method == "n");
  CHECK(std::get<incoming_request>(messages[2]).id_json == "\"x\"");
}

TEST_CASE("what cannot be used in a batch costs only itself", "[decoder]") {
  auto message = decode(R"([{"jsonrpc":"2.0","id":1,"result":NaN},7,"text",
    [{"jsonrpc":"2.0","id":5,"result":{}}],
    {"jsonrpc":"2.0","id":2,"result":"\ud800"},
    {"jsonrpc":"2.0","id":3,"result":{}}])");
  REQUIRE(message);
  const auto& messages = std::get<incoming_batch>(*message).messages;
  REQUIRE(messages.size() == 3);
  CHECK(std::get<undecodable_message>(messages[0]).id == 1);
  CHECK(std::get<undecodable_message>(messages[1]).id == 2);
  CHECK(std::get<incoming_response>(messages[2]).id == 3);
}

TEST_CASE("an array without a message is junk", "[decoder]") {
  for (const auto* line : {"[]", " [ ] ", "[1, 2]", "[[]]", "[{}]", "[,]",
                           R"(["]", {"level": "info"}])"}) {
    INFO(line);
    CHECK_FALSE(decode(line));
  }
}

// -- messages that cannot be used ---------------------------------------------

TEST_CASE("a message that is not UTF-8 costs itself only", "[decoder]") {
  decoder reader;
  auto bad = reader.decode("{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":"
                           "{\"text\":\"\xBE\xC8\xB3\xE7\"}}");
  REQUIRE(bad);
  REQUIRE(std::holds_alternative<undecodable_message>(*bad));
  CHECK(std::get<undecodable_message>(*bad).id == 3);
  auto good = reader.decode(R"({"jsonrpc":"2.0","id":4,"result":{}})");
  REQUIRE(good);
  CHECK(std::get<incoming_response>(*good).id == 4);
}

TEST_CASE("a message that no parser takes fails the request it answers",
          "[decoder]") {
  for (std::string_view result :
       {"NaN", "Infinity", "-Infinity", "undefined", "'a'", "{\"a\":1,}",
        "[1,]", "\"a\tb\"", "\"\xC3\"", "\"\xED\xA0\x80\"", R"("\x")",
        R"("\u12")", "01", "1.", "{a:1}", "", "{} /* comment */"}) {
    INFO(result);
    for (const auto& line :
         {R"({"jsonrpc":"2.0","id":3,"result":)" + std::string{result} + '}',
          R"({"result":)" + std::string{result}
            + R"(,"jsonrpc":"2.0","id":3})"})
      CHECK(decode_undecodable(line).id == 3);
  }
}

TEST_CASE("a message whose end is missing fails the request it answers",
          "[decoder]") {
  CHECK(decode_undecodable(R"({"jsonrpc":"2.0","id":3,"result":{"a":"b)").id
        == 3);
  CHECK_FALSE(decode_undecodable(R"({"jsonrpc":"2.0","id":3)").id);
}

TEST_CASE("a message with something behind it fails the request it answers",
          "[decoder]") {
  CHECK(decode_undecodable(R"({"jsonrpc":"2.0","id":3,"result":{}} done)").id
        == 3);
  CHECK(decode_undecodable(
          R"({"jsonrpc":"2.0","id":3,"result":{}}{"jsonrpc":"2.0","id":4})")
          .id
        == 3);
}

TEST_CASE("a request that no parser takes fails no request of ours",
          "[decoder]") {
  CHECK_FALSE(decode_undecodable(
                R"({"jsonrpc":"2.0","id":3,"method":"a","params":{"x":NaN}})")
                .id);
  CHECK_FALSE(decode_undecodable(
                R"({"jsonrpc":"2.0","id":3,"params":{"x":NaN},"method":"a"})")
                .id);
}

TEST_CASE("an id of ours is recognised in a message that no parser takes",
          "[decoder]") {
  for (const auto* id_json : {"3", "3.0", "\"3\"", "3e0"})
    CHECK(decode_undecodable(R"({"jsonrpc":"2.0","id":)" + std::string{id_json}
                             + R"(,"result":NaN})")
            .id
          == 3);
  for (const auto* id_json : {"null", "\"a\"", "3.5", "{}", "NaN"})
    CHECK_FALSE(decode_undecodable(R"({"jsonrpc":"2.0","id":)"
                                   + std::string{id_json} + R"(,"result":NaN})")
                  .id);
}

#if BOOST_VERSION < 108300
TEST_CASE("a lone surrogate costs the message it is in only", "[decoder]") {
  for (auto text :
       {R"("\ud83d")", R"("\ude00")", R"("\ud83dx")", R"("\ude00\ud83d")"})
    CHECK(decode_undecodable(R"({"jsonrpc":"2.0","id":3,"result":)"
                             + std::string{text} + '}')
            .id
          == 3);
}
#endif

TEST_CASE("a surrogate pair is a character", "[decoder]") {
  auto response
    = decode_response(R"({"jsonrpc":"2.0","id":3,"result":"\ud83d\ude00"})");
  CHECK(response.result.value() == "\U0001F600");
}

TEST_CASE("a message may be as deep as the limit", "[decoder]") {
  CHECK(decode_response(nested_response(default_json_depth)).id == 3);
  CHECK(decode_undecodable(nested_response(default_json_depth + 1)).id == 3);
}

TEST_CASE("the limit on depth can be chosen", "[decoder]") {
  decoder reader{4};
  auto fits = reader.decode(nested_response(4));
  REQUIRE(fits);
  CHECK(std::holds_alternative<incoming_response>(*fits));
  auto too_deep = reader.decode(nested_response(5));
  REQUIRE(too_deep);
  CHECK(std::holds_alternative<undecodable_message>(*too_deep));
}

TEST_CASE("a very deep message costs itself only", "[decoder]") {
  constexpr std::size_t depth = 200'000;
  CHECK(decode_undecodable(nested_response(depth)).id == 3);
  CHECK(decode_undecodable(R"({"jsonrpc":"2.0","id":3,"result":)"
                           + std::string(depth, '['))
          .id
        == 3);
  CHECK_FALSE(decode(std::string(depth, '[')));
}

// -- life of payloads ---------------------------------------------------------

TEST_CASE("payloads survive their decoder and all further messages",
          "[decoder]") {
  std::vector<payload> results;
  std::vector<std::string> expected;
  {
    decoder reader;
    tests::json_generator generate{21};
    for (auto i = 0; i < 200; ++i) {
      auto text = boost::json::serialize(generate.value(5));
      auto message
        = reader.decode(R"({"jsonrpc":"2.0","id":1,"result":)" + text + '}');
      REQUIRE(message);
      results.push_back(std::get<incoming_response>(*message).result);
      expected.push_back(text);
      reader.decode(R"({"jsonrpc":"2.0","result":["half built",{"a":)");
    }
  }
  for (std::size_t i = 0; i < results.size(); ++i)
    REQUIRE(results[i] == parse_payload(expected[i]));
}

TEST_CASE("a value copied out of a payload is independent of it", "[decoder]") {
  boost::json::value copy;
  boost::json::value assigned{1, 2, 3};
  boost::json::object object;
  {
    auto response = decode_response(
      R"({"jsonrpc":"2.0","id":1,"result":{"a":["a text that needs memory"]}})");
    copy = response.result.value();
    auto constructed = response.result.value();
    assigned = std::move(constructed);
    object = *response.result.if_object();
  }
  decode_response(R"({"jsonrpc":"2.0","id":1,"result":["other","content"]})");
  for (auto* value : {&copy, &assigned}) {
    value->as_object()["b"] = boost::json::array(100, "more text than fits in");
    value->as_object()["a"].as_array().push_back("another one that needs it");
    CHECK(value->at("a").as_array().size() == 2);
    CHECK(value->at("a").as_array()[0] == "a text that needs memory");
  }
  object.erase("a");
  CHECK(object.empty());
}

TEST_CASE("a value copied while more messages are decoded stays what it was",
          "[decoder]") {
  decoder reader;
  std::vector<boost::json::value> copies;
  for (auto i = 0; i < 100; ++i) {
    auto message
      = reader.decode(R"({"jsonrpc":"2.0","id":1,"result":[)"
                      + std::to_string(i) + R"(,"a text that needs memory"]})");
    REQUIRE(message);
    copies.push_back(std::get<incoming_response>(*message).result.value());
    if (i % 3 == 0)
      copies.front() = copies.back();
  }
  CHECK(copies.front().as_array()[0] == 99);
  CHECK(copies.back().as_array()[1] == "a text that needs memory");
}

TEST_CASE("a payload can be read, copied from and dropped in other threads",
          "[decoder]") {
  auto response = decode_response(
    R"({"jsonrpc":"2.0","id":1,"result":{"a":["a text that needs memory"]}})");
  std::vector<std::thread> readers;
  readers.reserve(4);
  for (auto i = 0; i < 4; ++i)
    readers.emplace_back([result = response.result] {
      decoder own;
      for (auto round = 0; round < 100; ++round) {
        auto copy = result.value();
        copy.as_object()["b"] = std::string(100, 'x');
        own.decode(R"({"jsonrpc":"2.0","id":1,"result":["x",{"y":[]}]})");
        copy = result.member("a").value();
      }
    });
  response = incoming_response{};
  for (auto& reader : readers)
    reader.join();
}

TEST_CASE("decoding agrees with a plain parser on generated responses",
          "[decoder]") {
  decoder reader;
  tests::json_generator generate{22};
  for (auto run = 0; run < 2000; ++run) {
    auto id = generate.integer();
    boost::json::object message{{"jsonrpc", "2.0"}, {"id", id}};
    message["result"] = generate.value(5);
    if (generate.one_in(3))
      message["other"] = generate.value(3);
    auto line = boost::json::serialize(message);
    auto found = reader.decode(line);
    REQUIRE(found);
    const auto& response = std::get<incoming_response>(*found);
    REQUIRE(response.id == id);
    REQUIRE(response.match == id_match::exact);
    REQUIRE(response.result.value() == message["result"]);
  }
}

TEST_CASE("id matches have names", "[decoder]") {
  CHECK(to_string(id_match::exact) == "exact");
  CHECK(to_string(id_match::lenient) == "lenient");
  CHECK(to_string(id_match::none) == "none");
}

} // namespace caf_mcp
