#include "caf_mcp/messages/wire/framer.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <initializer_list>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace caf_mcp {

namespace {

constexpr std::size_t roomy = 1024;
constexpr std::size_t tail_bytes = std::size_t{4} * 1024;

/// A frame that owns its text.
struct piece {
  frame_kind kind;
  std::string text;

  friend bool operator==(const piece&, const piece&) = default;
};

std::ostream& operator<<(std::ostream& out, const piece& x) {
  constexpr std::array names{"line", "oversized", "oversized_end"};
  return out << names.at(static_cast<std::size_t>(x.kind)) << " '"
             << x.text.substr(0, 100) << '\'';
}

using pieces = std::vector<piece>;
using chunks = std::vector<std::string_view>;
using sizes = std::initializer_list<std::size_t>;

piece line(std::string text) {
  return {frame_kind::line, std::move(text)};
}

piece oversized(std::string text) {
  return {frame_kind::oversized, std::move(text)};
}

piece oversized_end(std::string text) {
  return {frame_kind::oversized_end, std::move(text)};
}

void write(framer& target, std::string_view chunk) {
  if (chunk.empty())
    return;
  std::memcpy(target.prepare(chunk.size()), chunk.data(), chunk.size());
  target.commit(chunk.size());
}

void take_all(framer& source, pieces& out) {
  while (auto found = source.next())
    out.push_back({found->kind, std::string{found->text}});
}

void take_rest(framer& source, pieces& out) {
  while (auto found = source.finish())
    out.push_back({found->kind, std::string{found->text}});
}

pieces frames_of(const chunks& input, std::size_t line_bytes_max) {
  framer reader{line_bytes_max};
  pieces result;
  for (auto chunk : input) {
    write(reader, chunk);
    take_all(reader, result);
  }
  take_rest(reader, result);
  return result;
}

pieces frames_of(std::string_view input) {
  return frames_of(chunks{input}, roomy);
}

std::string_view without_mark(std::string_view text) {
  return text.starts_with("\uFEFF") ? text.substr(3) : text;
}

std::string_view without_return(std::string_view text) {
  return text.ends_with('\r') ? text.substr(0, text.size() - 1) : text;
}

/// What a framer must find, told in the plainest way.
pieces expected_frames(std::string_view input, std::size_t line_bytes_max) {
  pieces result;
  while (!input.empty()) {
    auto newline = input.find('\n');
    auto has_end = newline != std::string_view::npos;
    auto raw = input.substr(0, newline);
    input.remove_prefix(raw.size() + (has_end ? 1 : 0));
    auto text = without_return(without_mark(raw));
    if (text.size() > line_bytes_max) {
      result.push_back(
        oversized(std::string{without_mark(raw).substr(0, line_bytes_max)}));
      auto tail = raw.substr(raw.size() - std::min(raw.size(), tail_bytes));
      if (has_end)
        result.push_back(oversized_end(std::string{without_return(tail)}));
    } else if (text.find_first_not_of(" \t\r\v\f") != std::string_view::npos) {
      result.push_back(line(std::string{text}));
    }
  }
  return result;
}

chunks cut_evenly(std::string_view input, std::size_t bytes) {
  chunks result;
  for (std::size_t at = 0; at < input.size(); at += bytes)
    result.push_back(input.substr(at, bytes));
  return result;
}

/// Cuts behind byte i where bit i of `cuts` is set.
chunks cut_at_bits(std::string_view input, std::size_t cuts) {
  chunks result;
  std::size_t begin = 0;
  for (std::size_t end = 1; end <= input.size(); ++end)
    if (end == input.size() || ((cuts >> (end - 1)) & 1) != 0) {
      result.push_back(input.substr(begin, end - begin));
      begin = end;
    }
  return result;
}

/// Checks that `input` gives the same frames in one piece, in pieces of equal
/// size and cut at any one or two places.
void check_many_chunkings(std::string_view input, std::size_t line_bytes_max) {
  INFO("input: '" << input.substr(0, 200) << "', limit " << line_bytes_max);
  auto expected = expected_frames(input, line_bytes_max);
  REQUIRE(frames_of(chunks{input}, line_bytes_max) == expected);
  for (auto bytes : sizes{1, 2, 3, 7, 64})
    REQUIRE(frames_of(cut_evenly(input, bytes), line_bytes_max) == expected);
  for (std::size_t one = 0; one <= input.size(); ++one)
    for (auto two = one; two <= input.size(); ++two)
      if (frames_of({input.substr(0, one), input.substr(one, two - one),
                     input.substr(two)},
                    line_bytes_max)
          != expected)
        FAIL("cut at " << one << " and " << two);
}

/// Checks that `input` gives the same frames in every possible chunking.
void check_all_chunkings(std::string_view input, std::size_t line_bytes_max) {
  auto expected = expected_frames(input, line_bytes_max);
  auto chunkings = std::size_t{1} << (input.size() - 1);
  for (std::size_t cuts = 0; cuts < chunkings; ++cuts) {
    auto found = frames_of(cut_at_bits(input, cuts), line_bytes_max);
    if (found != expected) {
      INFO("input '" << input << "', cuts " << cuts);
      REQUIRE(found == expected);
    }
  }
}

} // namespace

TEST_CASE("a framer returns each line without its newline", "[framer]") {
  CHECK(frames_of("{}\n[1]\n") == pieces{line("{}"), line("[1]")});
}

TEST_CASE("only a line feed ends a line", "[framer]") {
  auto text = std::string{"a\rb\vc\fd\u0085e\u2028f\u2029g\x1Eh"};
  text += '\0';
  text += "i";
  CHECK(frames_of(text + "\nnext\n") == pieces{line(text), line("next")});
}

TEST_CASE("one carriage return before the newline is stripped", "[framer]") {
  CHECK(frames_of("a\r\nb\r\r\n\rc\n")
        == pieces{line("a"), line("b\r"), line("\rc")});
}

TEST_CASE("a byte order mark is stripped at the start of any line",
          "[framer]") {
  CHECK(frames_of("\uFEFF{}\n\uFEFF[]\r\n") == pieces{line("{}"), line("[]")});
}

TEST_CASE(
  "a byte order mark elsewhere, a second one and a part of one are kept",
  "[framer]") {
  CHECK(frames_of("a\uFEFF\n\uFEFF\uFEFFb\n\xEF\xBB\n")
        == pieces{line("a\uFEFF"), line("\uFEFFb"), line("\xEF\xBB")});
}

TEST_CASE("blank lines are skipped, whatever white space they hold",
          "[framer]") {
  CHECK(frames_of("\n\r\n \t\r\n\v\f\n\uFEFF\n\uFEFF \r\n\r\r\nx\n\n")
        == pieces{line("x")});
  CHECK(frames_of("").empty());
}

TEST_CASE("a last line without a newline comes at the end of the input",
          "[framer]") {
  framer reader{roomy};
  write(reader, "a\nb\r");
  CHECK(reader.next()->text == "a");
  CHECK_FALSE(reader.next());
  auto rest = reader.finish();
  REQUIRE(rest);
  CHECK(rest->kind == frame_kind::line);
  CHECK(rest->text == "b");
  CHECK_FALSE(reader.finish());
  CHECK_FALSE(reader.next());
}

TEST_CASE("the end of the input returns complete lines first", "[framer]") {
  framer reader{roomy};
  write(reader, "a\n\nb\nc");
  pieces found;
  take_rest(reader, found);
  CHECK(found == pieces{line("a"), line("b"), line("c")});
}

TEST_CASE("a blank rest is no line", "[framer]") {
  CHECK(frames_of("a\n \r") == pieces{line("a")});
  CHECK(frames_of("a\n\uFEFF") == pieces{line("a")});
}

TEST_CASE("a line may be as long as the limit, however it ends", "[framer]") {
  for (const auto* text : {"12345678\n", "12345678\r\n", "\uFEFF12345678\n",
                           "\uFEFF12345678\r\n", "12345678", "12345678\r"})
    for (auto bytes : sizes{1, 2, 3, 100})
      CHECK(frames_of(cut_evenly(text, bytes), 8) == pieces{line("12345678")});
}

TEST_CASE("a line of one byte more than the limit is oversized", "[framer]") {
  for (const auto* text :
       {"123456789\nx", "123456789\r\nx", "\uFEFF123456789\nx"})
    for (auto bytes : sizes{1, 2, 3, 100}) {
      auto found = frames_of(cut_evenly(text, bytes), 8);
      REQUIRE(found.size() == 3);
      CHECK(found[0] == oversized("12345678"));
      CHECK(found[1].kind == frame_kind::oversized_end);
      CHECK(found[2] == line("x"));
    }
}

TEST_CASE("an unterminated rest obeys the limit too", "[framer]") {
  for (auto bytes : sizes{1, 2, 100}) {
    CHECK(frames_of(cut_evenly("a\n123456789", bytes), 8)
          == pieces{line("a"), oversized("12345678")});
    CHECK(frames_of(cut_evenly("a\n12345678\r\r", bytes), 8)
          == pieces{line("a"), oversized("12345678")});
  }
}

TEST_CASE("an oversized line is reported before its end has come", "[framer]") {
  framer reader{8};
  write(reader, "123456789");
  CHECK_FALSE(reader.next()); // the ninth byte might be the return of a CRLF
  write(reader, "0");
  auto found = reader.next();
  REQUIRE(found);
  CHECK(found->kind == frame_kind::oversized);
  CHECK_FALSE(reader.next());
  CHECK_FALSE(reader.finish());
}

TEST_CASE("after an oversized line all others come through", "[framer]") {
  const auto big = std::string(100, 'x');
  CHECK(frames_of({"a\n" + big + "\nb\n" + big + "\n" + big + "\r\n\nc"}, 10)
        == pieces{
          line("a"),
          oversized(std::string(10, 'x')),
          oversized_end(big),
          line("b"),
          oversized(std::string(10, 'x')),
          oversized_end(big),
          oversized(std::string(10, 'x')),
          oversized_end(big),
          line("c"),
        });
}

TEST_CASE("the tail of an oversized line is its last 4 KiB", "[framer]") {
  auto text = std::string(3 * tail_bytes, 'x') + "start"
              + std::string(tail_bytes - 10, 'y') + "\"id\":7}";
  for (auto bytes : sizes{1, 1000, 4096, 5000, 100'000}) {
    auto found = frames_of(cut_evenly(text + '\n', bytes), 100);
    REQUIRE(found.size() == 2);
    CHECK(found[0] == oversized(std::string(100, 'x')));
    CHECK(found[1] == oversized_end(text.substr(text.size() - tail_bytes)));
  }
}

TEST_CASE("frames do not depend on how the input is cut", "[framer]") {
  const std::string input
    = "\uFEFF{\"jsonrpc\":\"2.0\"}\r\n\n  \n{\"a\":\"\u2028\u0085\"}\n"
      "xx\r\r\n\uFEFF\r\n\x1B[33mwarn\n{\"rest\":1";
  for (auto limit : sizes{1, 2, 5, 16, 17, 18, 1000})
    check_many_chunkings(input, limit);
}

TEST_CASE("frames do not depend on how the input is cut around a tail",
          "[framer]") {
  const auto big = std::string(tail_bytes + 3, 'x');
  for (const auto& input : {"a\n" + big + "\r\nb\n", "\uFEFF" + big + "\n\nb",
                            std::string(tail_bytes, 'x') + "\r\nb\n", big}) {
    auto expected = expected_frames(input, 64);
    for (auto bytes : sizes{1, 2, 3, 63, 64, 65, 66, 67, 4095, 4096, 4097})
      CHECK(frames_of(cut_evenly(input, bytes), 64) == expected);
  }
}

TEST_CASE("frames do not depend on how the input is cut above 4 KiB",
          "[framer]") {
  constexpr std::size_t limit = tail_bytes + 904;
  const auto big = std::string(limit + 1, 'x');
  for (const auto& input :
       {big + "\nb\n", big + "\r\nb\n", big + "x\nb\n",
        big.substr(1) + "\r\nb\n", "\uFEFF" + big + "\nb\n"}) {
    auto expected = expected_frames(input, limit);
    for (auto cut = limit - 2; cut <= input.size(); ++cut) {
      auto text = std::string_view{input};
      CHECK(frames_of({text.substr(0, cut), text.substr(cut)}, limit)
            == expected);
    }
    CHECK(frames_of(cut_evenly(input, 1), limit) == expected);
  }
}

TEST_CASE("every short input gives the same frames in every chunking",
          "[framer]") {
  constexpr std::array<std::string_view, 5> tokens{"a", " ", "\r", "\n",
                                                   "\uFEFF"};
  std::vector<std::string> inputs{""};
  for (std::size_t next = 0; next < 1 + 5 + 25 + 125; ++next)
    for (auto token : tokens) {
      inputs.push_back(inputs[next] + std::string{token});
      for (auto limit : sizes{1, 2, 3})
        check_all_chunkings(inputs.back(), limit);
    }
}

TEST_CASE("memory stays bounded while a line of 50 times the limit is dropped",
          "[framer]") {
  constexpr std::size_t limit = std::size_t{64} * 1024;
  framer reader{limit};
  const auto chunk = std::string(5000, 'x');
  auto oversized_count = 0;
  for (std::size_t sent = 0; sent < 50 * limit; sent += chunk.size()) {
    write(reader, chunk);
    while (auto found = reader.next()) {
      CHECK(found->kind == frame_kind::oversized);
      ++oversized_count;
    }
    REQUIRE(reader.capacity() <= 3 * limit);
  }
  CHECK(oversized_count == 1);
  write(reader, "\nnext\n");
  pieces rest;
  take_all(reader, rest);
  REQUIRE(rest.size() == 2);
  CHECK(rest[0] == oversized_end(std::string(tail_bytes, 'x')));
  CHECK(rest[1] == line("next"));
}

TEST_CASE("memory stays bounded when every line is oversized", "[framer]") {
  constexpr std::size_t limit = 1000;
  framer reader{limit};
  const auto chunk = std::string(3000, 'x') + '\n';
  for (auto i = 0; i < 1000; ++i) {
    write(reader, chunk);
    pieces found;
    take_all(reader, found);
    REQUIRE(found.size() == 2);
    REQUIRE(reader.capacity() <= 32'768);
  }
}

TEST_CASE("a line of 8 MiB in chunks of 4 KiB takes at most thrice its size",
          "[framer]") {
  constexpr std::size_t limit = std::size_t{8} * 1024 * 1024;
  framer reader{limit};
  std::string expected;
  while (expected.size() < limit) {
    auto chunk
      = std::string(4096, static_cast<char>('a' + expected.size() % 7));
    expected += chunk;
    write(reader, chunk);
    REQUIRE_FALSE(reader.next());
    REQUIRE(reader.capacity() <= 3 * limit);
  }
  write(reader, "\r\n");
  auto found = reader.next();
  REQUIRE(found);
  CHECK(found->kind == frame_kind::line);
  CHECK(found->text == expected);
  CHECK_FALSE(reader.next());
  CHECK(reader.capacity() == 0);
}

TEST_CASE("no byte is looked at again for each chunk that comes", "[framer]") {
  // Rescans would take minutes here.
  constexpr std::size_t limit = std::size_t{8} * 1024 * 1024;
  framer reader{limit};
  for (std::size_t sent = 0; sent < limit; sent += 16) {
    write(reader, "0123456789abcdef");
    REQUIRE_FALSE(reader.next());
  }
  write(reader, "\n");
  auto found = reader.next();
  REQUIRE(found);
  CHECK(found->text.size() == limit);
}

TEST_CASE("a long stream of lines does not grow the buffer", "[framer]") {
  framer reader{roomy};
  const auto text = std::string(700, 'x') + '\n';
  std::size_t lines = 0;
  std::string stream;
  for (std::size_t i = 0; i < 2000; ++i) {
    stream += text;
    auto bytes = std::min(stream.size(), 1 + (i * 37) % 1500);
    write(reader, std::string_view{stream}.substr(0, bytes));
    stream.erase(0, bytes);
    while (auto found = reader.next()) {
      REQUIRE(found->text.size() == 700);
      ++lines;
    }
    REQUIRE(reader.capacity() <= 16'384);
  }
  CHECK(lines > 1900);
}

TEST_CASE("the part of a line that has arrived can be looked at", "[framer]") {
  framer reader{8};
  CHECK(reader.unfinished().empty());
  write(reader, "a\nbc");
  CHECK(reader.next()->text == "a");
  CHECK(reader.unfinished() == "bc");
  CHECK_FALSE(reader.next());
  CHECK(reader.unfinished() == "bc");
  write(reader, "d\n");
  CHECK(reader.next()->text == "bcd");
  CHECK(reader.unfinished().empty());
}

TEST_CASE("a framer offers at least the room it is asked for", "[framer]") {
  framer reader{roomy};
  for (auto bytes : sizes{1, 4096, 65536, 10}) {
    auto* room = reader.prepare(bytes);
    REQUIRE(room != nullptr);
    CHECK(reader.room() >= bytes);
    std::memset(room, '\n', reader.room());
    reader.commit(reader.room());
    CHECK_FALSE(reader.next());
  }
}

} // namespace caf_mcp
