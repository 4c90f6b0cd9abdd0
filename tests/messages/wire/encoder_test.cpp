#include "caf_mcp/messages/wire/encoder.hpp"

#include "caf_mcp/messages/json/json_text.hpp"
#include "caf_mcp/messages/wire/decoder.hpp"
#include "caf_mcp/messages/wire/framer.hpp"

#include "tests/support/json_generator.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace caf_mcp {

namespace {

std::string encode(const outgoing_message& message) {
  encoder writer;
  byte_buffer out;
  REQUIRE(writer.encode(message, out) == encode_result::written);
  return std::string{out.view()};
}

encode_result refusal_of(const outgoing_message& message) {
  encoder writer;
  byte_buffer out;
  out.append("before\n");
  auto result = writer.encode(message, out);
  if (result != encode_result::written)
    CHECK(out.view() == "before\n");
  // Nothing of a refused message may spoil the next one.
  CHECK(writer.encode(outgoing_notification{"next", {}}, out)
        == encode_result::written);
  CHECK(out.view().ends_with("{\"jsonrpc\":\"2.0\",\"method\":\"next\"}\n"));
  return result;
}

payload json(std::string_view text) {
  auto result = parse_payload(text);
  REQUIRE(result);
  return result;
}

outgoing_request a_request(std::string_view params,
                           std::string_view meta = {}) {
  outgoing_request result;
  result.id = 7;
  result.method = "m";
  if (!params.empty())
    result.params = json(params);
  if (!meta.empty())
    result.meta = json(meta);
  return result;
}

outgoing_request with_progress(outgoing_request result) {
  result.wants_progress = true;
  return result;
}

outgoing_request with_param(boost::json::value value) {
  outgoing_request result;
  result.method = "m";
  result.params = payload{boost::json::object{{"x", std::move(value)}}};
  return result;
}

/// Returns `params` of an encoded message.
std::string params_of(const outgoing_message& message) {
  return boost::json::serialize(
    boost::json::parse(encode(message)).at("params"));
}

std::string without_newline(std::string line) {
  REQUIRE(line.ends_with('\n'));
  line.pop_back();
  return line;
}

} // namespace

TEST_CASE("a request is one line", "[encoder]") {
  CHECK(encode(a_request(""))
        == "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"m\"}\n");
  CHECK(encode(a_request(R"({"a":1})"))
        == "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"m\","
           "\"params\":{\"a\":1}}\n");
}

TEST_CASE("a notification is one line without an id", "[encoder]") {
  CHECK(encode(outgoing_notification{"notifications/initialized", {}})
        == "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n");
  CHECK(encode(outgoing_notification{"a", json(R"({"requestId":3})")})
        == "{\"jsonrpc\":\"2.0\",\"method\":\"a\","
           "\"params\":{\"requestId\":3}}\n");
}

TEST_CASE("a response is one line with the id as it was received",
          "[encoder]") {
  CHECK(encode(outgoing_response{R"("\u0041")", json(R"({"roots":[]})")})
        == "{\"jsonrpc\":\"2.0\",\"id\":\"\\u0041\","
           "\"result\":{\"roots\":[]}}\n");
  CHECK(encode(outgoing_response{"12345678901234567890123", payload{}})
        == "{\"jsonrpc\":\"2.0\",\"id\":12345678901234567890123,"
           "\"result\":{}}\n");
}

TEST_CASE("an error response has a code, a message and maybe data",
          "[encoder]") {
  CHECK(encode(outgoing_response{"1", rpc_error{-32601, "not found", {}}})
        == "{\"jsonrpc\":\"2.0\",\"id\":1,"
           "\"error\":{\"code\":-32601,\"message\":\"not found\"}}\n");
  CHECK(encode(outgoing_response{"1", rpc_error{-32603, "", json("[null]")}})
        == "{\"jsonrpc\":\"2.0\",\"id\":1,"
           "\"error\":{\"code\":-32603,\"message\":\"\",\"data\":[null]}}\n");
}

TEST_CASE("ids may be any 64 bit integer", "[encoder]") {
  auto message = a_request("");
  for (auto id : {std::int64_t{0}, std::int64_t{-1},
                  std::numeric_limits<std::int64_t>::min(),
                  std::numeric_limits<std::int64_t>::max()}) {
    message.id = id;
    CHECK(encode(message)
          == "{\"jsonrpc\":\"2.0\",\"id\":" + std::to_string(id)
               + ",\"method\":\"m\"}\n");
  }
}

TEST_CASE("params may be an object or an array", "[encoder]") {
  for (std::string params : {"{}", "[]", "[1,[2]]", R"({"a":{"b":null}})"})
    CHECK(params_of(a_request(params)) == params);
}

TEST_CASE("messages are appended one behind the other", "[encoder]") {
  encoder writer;
  byte_buffer out;
  for (auto i = 0; i < 3; ++i)
    REQUIRE(writer.encode(outgoing_notification{"a", {}}, out)
            == encode_result::written);
  const std::string line = "{\"jsonrpc\":\"2.0\",\"method\":\"a\"}\n";
  CHECK(out.view() == line + line + line);
  out.consume(line.size() + 5);
  REQUIRE(writer.encode(outgoing_notification{"a", {}}, out)
          == encode_result::written);
  CHECK(out.view() == line.substr(5) + line + line);
}

// -- text ---------------------------------------------------------------------

TEST_CASE("control characters are escaped, so a line has one newline",
          "[encoder]") {
  std::string text;
  for (char c = 0; c < 0x20; ++c)
    text += c;
  for (const auto& message :
       {outgoing_message{with_param(boost::json::value(text))},
        outgoing_message{outgoing_notification{text, {}}},
        outgoing_message{outgoing_response{"1", rpc_error{1, text, {}}}},
        outgoing_message{outgoing_notification{
          "a", payload{boost::json::object{{text, text}}}}}}) {
    auto line = without_newline(encode(message));
    CHECK(std::none_of(line.begin(), line.end(),
                       [](char c) { return c >= 0 && c < 0x20; }));
  }
  CHECK(encode(outgoing_notification{"a\nb\r\"\\", {}})
        == "{\"jsonrpc\":\"2.0\",\"method\":\"a\\nb\\r\\\"\\\\\"}\n");
}

TEST_CASE("text with several lines arrives as it was", "[encoder]") {
  const std::string sql = "SELECT *\r\n\tFROM t\nWHERE a = 'b';\n\n";
  auto line = encode(with_param(boost::json::value(sql)));
  CHECK(std::count(line.begin(), line.end(), '\n') == 1);
  CHECK(boost::json::parse(line).at("params").at("x").as_string() == sql);
}

TEST_CASE("all other characters pass as they are", "[encoder]") {
  const std::string text = "\u0085\uFEFF\u20AC\u202A\u00E9\U0001F600\x7F/<>";
  CHECK(encode(outgoing_notification{text, {}})
        == "{\"jsonrpc\":\"2.0\",\"method\":\"" + text + "\"}\n");
}

TEST_CASE("line separators of Unicode leave escaped", "[encoder]") {
  CHECK(encode(outgoing_notification{"a\u2028b\u2029", {}})
        == R"({"jsonrpc":"2.0","method":"a\u2028b\u2029"})"
           "\n");
}

TEST_CASE("text that is not valid UTF-8 is refused wherever it stands",
          "[encoder]") {
  const std::string bad = "caf\xE9";
  const payload bad_value{boost::json::object{{"x", bad}}};
  const payload bad_key{boost::json::object{{bad, 1}}};
  CHECK(refusal_of(outgoing_notification{bad, {}}) == encode_result::not_utf8);
  CHECK(refusal_of(outgoing_notification{"a", bad_value})
        == encode_result::not_utf8);
  CHECK(refusal_of(outgoing_notification{"a", bad_key})
        == encode_result::not_utf8);
  CHECK(refusal_of(outgoing_request{1, bad, {}, {}, false})
        == encode_result::not_utf8);
  CHECK(refusal_of(outgoing_request{1, "a", bad_value, {}, true})
        == encode_result::not_utf8);
  CHECK(refusal_of(outgoing_request{1, "a", {}, bad_key, false})
        == encode_result::not_utf8);
  CHECK(refusal_of(outgoing_response{"1", bad_value})
        == encode_result::not_utf8);
  CHECK(refusal_of(outgoing_response{"1", rpc_error{1, bad, {}}})
        == encode_result::not_utf8);
  CHECK(refusal_of(outgoing_response{"1", rpc_error{1, "a", bad_value}})
        == encode_result::not_utf8);
  CHECK(refusal_of(outgoing_response{"\"\xFF\"", payload{}})
        == encode_result::not_utf8);
}

TEST_CASE("a character that is special is seen anywhere in a text of any size",
          "[encoder]") {
  auto bad = 0;
  for (std::size_t size = 1; size <= 140; ++size)
    for (std::size_t at = 0; at < size; ++at) {
      const auto head = std::string(at, 'x');
      const auto tail = std::string(size - at - 1, 'x');
      const auto line_of = [&](const std::string& text) {
        return "{\"jsonrpc\":\"2.0\",\"method\":\"" + head + text + tail
               + "\"}\n";
      };
      for (const auto& [special, written] : {std::pair{'"', "\\\""},
                                             {'\\', "\\\\"},
                                             {'\n', "\\n"},
                                             {'\x7f', "\x7f"},
                                             {'x', "x"}})
        bad += encode(outgoing_notification{head + special + tail, {}})
               != line_of(written);
      bad += refusal_of(outgoing_notification{head + '\x80' + tail, {}})
             != encode_result::not_utf8;
    }
  CHECK(bad == 0);
}

TEST_CASE("bad UTF-8 is refused at any place of a long text", "[encoder]") {
  for (std::size_t at : {0U, 1U, 511U, 512U, 513U, 4095U, 4096U, 19'999U}) {
    auto text = std::string(20'000, 'x');
    text[at] = '\x80';
    CHECK(refusal_of(with_param(boost::json::value(text)))
          == encode_result::not_utf8);
  }
}

TEST_CASE("a number that JSON cannot express is refused", "[encoder]") {
  for (auto number : {std::numeric_limits<double>::quiet_NaN(),
                      std::numeric_limits<double>::infinity(),
                      -std::numeric_limits<double>::infinity()}) {
    CHECK(refusal_of(with_param(number)) == encode_result::not_finite);
    CHECK(refusal_of(with_param({1, {{"deep", {number, "x"}}}}))
          == encode_result::not_finite);
    CHECK(
      refusal_of(outgoing_response{"1", payload{boost::json::value(number)}})
      == encode_result::not_finite);
    CHECK(refusal_of(outgoing_response{
            "1", rpc_error{1, "a", payload{boost::json::array{0, number}}}})
          == encode_result::not_finite);
    CHECK(refusal_of(outgoing_request{
            1, "m", {}, payload{boost::json::object{{"x", number}}}, false})
          == encode_result::not_finite);
  }
}

TEST_CASE("one such number among others is enough", "[encoder]") {
  const auto nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(
    refusal_of(outgoing_request{
      1, "m", payload{boost::json::object{{"x", nan}, {"y", 1.5}}}, {}, true})
    == encode_result::not_finite);
}

TEST_CASE("the words for such numbers may be sent", "[encoder]") {
  CHECK(refusal_of(with_param("NaN")) == encode_result::written);
  CHECK(refusal_of(outgoing_notification{"Infinity", {}})
        == encode_result::written);
}

TEST_CASE("long messages are written whole", "[encoder]") {
  boost::json::array items;
  for (auto i = 0; i < 3000; ++i)
    items.emplace_back(std::string(static_cast<std::size_t>(i), '"'));
  boost::json::object params{{"items", std::move(items)}};
  auto expected = boost::json::serialize(params);
  outgoing_notification message{"a", payload{std::move(params)}};
  CHECK(encode(message)
        == "{\"jsonrpc\":\"2.0\",\"method\":\"a\",\"params\":" + expected
             + "}\n");
}

// -- _meta --------------------------------------------------------------------

TEST_CASE("members for _meta are added to params", "[encoder]") {
  CHECK(params_of(a_request("", R"({"v":1})")) == R"({"_meta":{"v":1}})");
  CHECK(params_of(a_request("{}", R"({"v":1})")) == R"({"_meta":{"v":1}})");
  CHECK(params_of(a_request(R"({"a":1,"b":[2]})", R"({"v":1})"))
        == R"({"_meta":{"v":1},"a":1,"b":[2]})");
}

TEST_CASE("what the caller set in _meta wins", "[encoder]") {
  CHECK(params_of(a_request(R"({"_meta":{"v":"mine","w":2},"a":1})",
                            R"({"u":0,"v":1})"))
        == R"({"_meta":{"v":"mine","w":2,"u":0},"a":1})");
  CHECK(params_of(a_request(R"({"_meta":{"v":null}})", R"({"v":1})"))
        == R"({"_meta":{"v":null}})");
}

TEST_CASE("a request for progress carries its id as the token", "[encoder]") {
  CHECK(params_of(with_progress(a_request("")))
        == R"({"_meta":{"progressToken":7}})");
  CHECK(params_of(with_progress(a_request(R"({"a":1})", R"({"v":1})")))
        == R"({"_meta":{"v":1,"progressToken":7},"a":1})");
}

TEST_CASE("a request with the id 0 has 0 as its token", "[encoder]") {
  auto message = with_progress(a_request(""));
  message.id = 0;
  CHECK(params_of(message) == R"({"_meta":{"progressToken":0}})");
}

TEST_CASE("a token of the caller could be another request's, and is left out",
          "[encoder]") {
  const std::string own = R"({"_meta":{"progressToken":8,"v":1},"a":2})";
  CHECK(params_of(with_progress(a_request(own)))
        == R"({"_meta":{"v":1,"progressToken":7},"a":2})");
  CHECK(params_of(a_request(own)) == R"({"_meta":{"v":1},"a":2})");
}

TEST_CASE("a nested _meta is no _meta of the request", "[encoder]") {
  CHECK(params_of(a_request(R"({"a":{"_meta":{"v":2}}})", R"({"v":1})"))
        == R"({"_meta":{"v":1},"a":{"_meta":{"v":2}}})");
}

TEST_CASE("params without room for _meta are sent as they are", "[encoder]") {
  for (std::string params :
       {"[1]", R"({"_meta":5,"a":1})", R"({"_meta":null})"})
    CHECK(encode(with_progress(a_request(params, R"({"v":1})")))
          == "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"m\",\"params\":"
               + params + "}\n");
}

TEST_CASE("an empty _meta of the caller is kept", "[encoder]") {
  CHECK(params_of(a_request(R"({"_meta":{}})")) == R"({"_meta":{}})");
  CHECK(params_of(with_progress(a_request(R"({"_meta":{}})")))
        == R"({"_meta":{"progressToken":7}})");
}

TEST_CASE("encoding does not change the params of the caller", "[encoder]") {
  auto message = with_progress(a_request(R"({"a":1})", R"({"v":1})"));
  encode(message);
  CHECK(message.params.to_json() == R"({"a":1})");
  CHECK(message.meta.to_json() == R"({"v":1})");
}

// -- there and back -----------------------------------------------------------

TEST_CASE("what is encoded is decoded to the same", "[encoder]") {
  tests::json_generator generate{31};
  encoder writer;
  decoder reader;
  framer lines{1'000'000};
  for (auto run = 0; run < 2000; ++run) {
    const auto method = generate.text();
    const payload params{generate.one_in(2)
                           ? boost::json::value(generate.object(4))
                           : boost::json::value(generate.array(4))};
    byte_buffer out;
    const auto id = std::to_string(run);
    for (const auto& message : std::initializer_list<outgoing_message>{
           outgoing_request{run, method, params, {}, false},
           outgoing_notification{method, params}, outgoing_response{id, params},
           outgoing_response{id, rpc_error{run, method, params}}})
      REQUIRE(writer.encode(message, out) == encode_result::written);
    std::memcpy(lines.prepare(out.size()), out.view().data(), out.size());
    lines.commit(out.size());
    auto read = [&] {
      auto line = lines.next();
      REQUIRE(line);
      auto message = reader.decode(line->text);
      REQUIRE(message);
      return std::move(*message);
    };
    auto got_request = std::get<incoming_request>(read());
    REQUIRE(got_request.id_json == std::to_string(run));
    REQUIRE(got_request.method == method);
    REQUIRE(got_request.params == params);
    auto got_note = std::get<incoming_notification>(read());
    REQUIRE(got_note.method == method);
    REQUIRE(got_note.params == params);
    auto got_result = std::get<incoming_response>(read());
    REQUIRE(got_result.id == run);
    REQUIRE(got_result.result == params);
    auto got_error = std::get<incoming_response>(read());
    REQUIRE(got_error.error.member("data") == params);
    REQUIRE(got_error.error.string_member("message") == method);
    REQUIRE_FALSE(lines.next());
  }
}

TEST_CASE("merged params hold each key once", "[encoder]") {
  tests::json_generator generate{32};
  for (auto run = 0; run < 1000; ++run) {
    auto params = generate.object(3);
    params.erase("_meta");
    if (generate.one_in(2))
      params["_meta"] = generate.object(2);
    auto meta = generate.object(2);
    auto expected = params;
    auto& merged
      = expected.emplace("_meta", boost::json::object{}).first->value();
    for (const auto& [key, value] : meta)
      merged.as_object().emplace(key, value);
    merged.as_object().emplace("progressToken", run);
    auto line = encode(
      outgoing_request{run, "m", payload{params}, payload{meta}, true});
    auto parsed = boost::json::parse(line).as_object();
    REQUIRE(parsed["params"] == expected);
    // A key that stood there twice would be lost by the parser.
    parsed["params"] = nullptr;
    REQUIRE(line.size()
            == to_json_text(parsed).size() - 4 + to_json_text(expected).size()
                 + 1);
  }
}

} // namespace caf_mcp
