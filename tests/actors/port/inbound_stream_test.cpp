#include "caf_mcp/actors/port/inbound_stream.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cstring>

using namespace caf_mcp;

namespace {

/// A stream and what came out of it.
struct inbox {
  explicit inbox(const server_options& options) : stream{options} {
    // nop
  }

  /// Writes `bytes` in pieces of `piece_bytes`, up to the end.
  void feed(std::string_view bytes, std::size_t piece_bytes = 1 << 16) {
    while (!bytes.empty() && !end) {
      auto piece = bytes.substr(0, piece_bytes);
      std::memcpy(stream.prepare(piece.size()), piece.data(), piece.size());
      stream.commit(piece.size());
      read_all();
      bytes.remove_prefix(piece.size());
    }
  }

  /// Decodes what is there, however many turns it takes.
  void read_all() {
    for (auto is_over = false; !is_over && !end;) {
      read_turn turn;
      end = stream.read(messages, turn);
      is_over = !turn.is_over();
    }
  }

  inbound_stream stream;
  std::vector<incoming_message> messages;
  std::optional<close_reason> end;
};

std::string answer(std::int64_t id) {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"result":{}})"
         + '\n';
}

std::vector<std::int64_t> answered(const inbox& in) {
  std::vector<std::int64_t> result;
  for (const auto& message : in.messages)
    if (const auto* response = std::get_if<incoming_response>(&message))
      result.push_back(response->id);
  return result;
}

const undecodable_message& only_undecodable(const inbox& in) {
  REQUIRE(in.messages.size() == 1);
  REQUIRE(std::holds_alternative<undecodable_message>(in.messages[0]));
  return std::get<undecodable_message>(in.messages[0]);
}

server_options small(oversize_policy policy = oversize_policy::close) {
  server_options options;
  options.max_message_bytes = 100;
  options.on_oversize = policy;
  options.max_junk_lines = 2;
  return options;
}

using ids = std::vector<std::int64_t>;

} // namespace

TEST_CASE("messages come in the order of their lines, however cut") {
  const auto text = answer(1) + "\r\n\n  \n" + "\xEF\xBB\xBF" + answer(2)
                    + R"({"jsonrpc":"2.0","id":3,"result":{}})" + "\r\n"
                    + answer(4);
  for (std::size_t piece = 1; piece <= text.size(); ++piece) {
    inbox in{small()};
    in.feed(text, piece);
    CHECK(answered(in) == ids{1, 2, 3, 4});
    CHECK_FALSE(in.end.has_value());
    CHECK(in.stream.diagnosis().empty());
  }
}

TEST_CASE("junk is dropped as long as it is not too much in a row") {
  inbox in{small()};
  in.feed("one\ntwo\n" + answer(1) + "three\n\nfour\n" + answer(2));
  CHECK(answered(in) == ids{1, 2});
  CHECK_FALSE(in.end.has_value());
  CHECK(in.stream.diagnosis().find("four") != std::string::npos);
}

TEST_CASE("one line of junk more closes, after what came before") {
  inbox in{small()};
  in.feed(answer(1) + "one\ntwo\nthree \x1b[31m\n" + answer(2));
  CHECK(answered(in) == ids{1});
  REQUIRE(in.end.has_value());
  CHECK(in.end->cause == close_cause::junk_output);
  CHECK(in.end->number == 2);
  CHECK(in.end->detail.find("three \\x1b[31m") != std::string::npos);
}

TEST_CASE("a server may be allowed no junk at all") {
  auto options = small();
  options.max_junk_lines = 0;
  inbox in{options};
  in.feed("\n\nhello\n");
  REQUIRE(in.end.has_value());
  CHECK(in.end->cause == close_cause::junk_output);
}

TEST_CASE("a message that cannot be read is no junk and costs only itself") {
  inbox in{small()};
  for (auto i = 0; i < 10; ++i)
    in.feed("{\"jsonrpc\":\"2.0\",\"id\":5,\"result\":\"\xff\"}\n");
  in.feed(answer(6));
  CHECK_FALSE(in.end.has_value());
  CHECK(answered(in) == ids{6});
  REQUIRE(in.messages.size() == 11);
  const auto& broken = std::get<undecodable_message>(in.messages[0]);
  CHECK(broken.id == 5);
  CHECK(broken.code == errc::invalid_response);
}

TEST_CASE("a line may be as long as the limit") {
  auto line = answer(1);
  auto options = small();
  options.max_message_bytes = line.size() - 1;
  inbox in{options};
  in.feed(line);
  CHECK(answered(in) == ids{1});
  in.feed(" " + line);
  CHECK(in.end.has_value());
}

TEST_CASE("a longer line closes as soon as it is too long") {
  inbox in{small()};
  in.feed(answer(1) + std::string(102, 'x'));
  CHECK(answered(in) == ids{1});
  REQUIRE(in.end.has_value());
  CHECK(in.end->cause == close_cause::message_too_large);
  CHECK(in.end->number == 100);
  CHECK(in.end->detail == "it begins \"" + std::string(100, 'x') + '"');
}

TEST_CASE("a longer line may be discarded") {
  const auto filler = std::string(500, 'x');
  std::string line;
  std::optional<std::int64_t> id = 7;
  SECTION("its id comes first") {
    line = R"({"jsonrpc":"2.0","id":7,"result":")" + filler + "\"}";
  }
  SECTION("its id comes last") {
    line = R"({"jsonrpc":"2.0","result":")" + filler + R"(","id":7})";
  }
  SECTION("its id is written as a string") {
    line = R"({"jsonrpc":"2.0","id":"7","result":")" + filler + "\"}";
  }
  SECTION("its id is out of reach") {
    id = std::nullopt;
    const auto far = std::string(5000, 'x');
    line = R"({"jsonrpc":"2.0","a":")" + far + R"(","id":7,"result":")" + far
           + "\"}";
  }
  SECTION("an id within the result is not its id") {
    id = std::nullopt;
    line = R"({"jsonrpc":"2.0","result":{"id":7,"x":")" + filler
           + R"(","y":{"id":7}}})";
  }
  SECTION("it is a request of the server, which has ids of its own") {
    id = std::nullopt;
    line
      = R"({"jsonrpc":"2.0","method":"m","id":7,"params":")" + filler + "\"}";
  }
  SECTION("it is a request of the server with its method last") {
    id = std::nullopt;
    line
      = R"({"jsonrpc":"2.0","params":")" + filler + R"(","id":7,"method":"m"})";
  }
  SECTION("it is a request of the server with its params too long") {
    id = std::nullopt;
    line
      = R"({"jsonrpc":"2.0","id":7,"params":")" + filler + R"(","method":"m"})";
  }
  SECTION("it is a request of the server with a long method") {
    id = std::nullopt;
    line = R"({"jsonrpc":"2.0","id":7,"method":")" + filler + "\"}";
  }
  SECTION("it is no JSON") {
    id = std::nullopt;
    line = filler;
  }
  for (auto piece : {std::size_t{1}, std::size_t{64}, std::size_t{1} << 16}) {
    CAPTURE(line, piece);
    inbox in{small(oversize_policy::discard)};
    in.feed(line + '\n', piece);
    CHECK_FALSE(in.end.has_value());
    if (id) {
      CHECK(only_undecodable(in).id == id);
      CHECK(only_undecodable(in).code == errc::message_too_large);
    } else {
      CHECK(in.messages.empty());
    }
    in.messages.clear();
    in.feed(answer(8), piece);
    CHECK(answered(in) == ids{8});
  }
}

TEST_CASE("a discarded line fails its request before it has ended") {
  inbox in{small(oversize_policy::discard)};
  in.feed(R"({"jsonrpc":"2.0","id":7,"result":")" + std::string(200, 'x'));
  CHECK(only_undecodable(in).id == 7);
}

TEST_CASE("a discarded line fails its request once") {
  inbox in{small(oversize_policy::discard)};
  in.feed(R"({"jsonrpc":"2.0","id":7,"result":")" + std::string(200, 'x')
          + R"(","id":7})" + '\n');
  CHECK(only_undecodable(in).id == 7);
}

TEST_CASE("two discarded lines do not mix their ids") {
  inbox in{small(oversize_policy::discard)};
  const auto filler = std::string(200, 'x');
  // The first gives no id away; it must not take that of the second.
  in.feed(R"({"jsonrpc":"2.0","result":")" + filler + "\"}\n"
          + R"({"jsonrpc":"2.0","result":")" + filler + R"(","id":9})" + '\n');
  CHECK(only_undecodable(in).id == 9);
}

TEST_CASE("a last message needs no newline") {
  inbox in{small()};
  auto line = answer(1);
  line.pop_back();
  in.feed(line);
  CHECK(in.messages.empty());
  CHECK(in.stream.diagnosis().find("unfinished") != std::string::npos);
  in.stream.finish(in.messages);
  CHECK(answered(in) == ids{1});
}

TEST_CASE("a last line that is no message is told") {
  inbox in{small()};
  in.feed(R"({"jsonrpc":"2.0","id":1,"res)");
  in.stream.finish(in.messages);
  CHECK(in.messages.empty());
  CHECK(in.stream.diagnosis().find("\"jsonrpc\"") != std::string::npos);
}

TEST_CASE("a server with other framing is told by its header") {
  inbox in{small()};
  in.feed(
    "Content-Length: 38\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
  CHECK(in.messages.empty());
  CHECK(in.stream.diagnosis().find("Content-Length: 38") != std::string::npos);
  CHECK(in.stream.diagnosis().find("\"result\"") != std::string::npos);
}

TEST_CASE("decoding stops when the turn is over, and goes on in the next") {
  inbox in{server_options{}};
  std::string lines;
  for (auto id = 0; id < 100; ++id)
    lines += answer(id);
  std::memcpy(in.stream.prepare(lines.size()), lines.data(), lines.size());
  in.stream.commit(lines.size());
  read_turn first;
  CHECK_FALSE(in.stream.read(in.messages, first).has_value());
  CHECK(in.messages.size() == read_turn::lines_max);
  CHECK_FALSE(in.stream.read(in.messages, first).has_value());
  CHECK(in.messages.size() == read_turn::lines_max);
  read_turn second;
  CHECK_FALSE(in.stream.read(in.messages, second).has_value());
  CHECK(in.messages.size() == 100);
  CHECK_FALSE(second.is_over());
}
