#include "caf_mcp/actors/port/stderr_log.hpp"

#include "caf_mcp/messages/json/utf8.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace caf_mcp;

namespace {

using lines = std::vector<std::string>;

/// Writes `text` in pieces and returns all lines.
lines log_in_pieces(stderr_log& log, std::string_view text,
                    std::size_t piece_bytes) {
  lines result;
  while (!text.empty()) {
    for (auto& line : log.write(text.substr(0, piece_bytes)))
      result.push_back(std::move(line));
    text.remove_prefix(std::min(text.size(), piece_bytes));
  }
  for (auto& line : log.finish())
    result.push_back(std::move(line));
  return result;
}

} // namespace

TEST_CASE("stderr is cut into lines, however it comes") {
  const std::string_view text = "one\ntwo\r\n\nfour\rstill four\nlast";
  for (std::size_t piece = 1; piece <= text.size(); ++piece) {
    stderr_log log;
    CHECK(log_in_pieces(log, text, piece)
          == lines{"one", "two", "", "four\rstill four", "last"});
    CHECK(log.tail() == text);
  }
}

TEST_CASE("a line of stderr is given on when its newline comes") {
  stderr_log log;
  CHECK(log.write("on").empty());
  CHECK(log.write("e\ntwo") == lines{"one"});
  CHECK(log.finish() == lines{"two"});
  CHECK(log.finish().empty());
}

TEST_CASE("a long line of stderr is cut, and only that") {
  const auto max = stderr_log::line_bytes_max;
  auto text = std::string(max, 'a') + '\n' + std::string(max + 1, 'b') + '\n'
              + std::string(3 * max, 'c');
  lines expected{
    std::string(max, 'a'), std::string(max, 'b'), "b",
    std::string(max, 'c'), std::string(max, 'c'), std::string(max, 'c')};
  for (auto piece : {std::size_t{1}, std::size_t{7}, max, max + 1, 5 * max}) {
    stderr_log log;
    CHECK(log_in_pieces(log, text, piece) == expected);
  }
}

TEST_CASE("only the end of stderr is kept") {
  stderr_log log;
  for (auto i = 0; i < 1000; ++i)
    log.write(std::string(1000, 'x'));
  log.write("the end");
  CHECK(log.tail().size() == stderr_log::tail_bytes_max);
  CHECK(log.tail().ends_with("xthe end"));
}

TEST_CASE("the kept end of stderr is valid UTF-8") {
  stderr_log log;
  log.write("\xff\xfe ok \xc3");
  CHECK(is_valid_utf8(log.tail()));
  CHECK(log.tail().find(" ok ") != std::string::npos);
  SECTION("even if it starts within a character") {
    for (std::size_t i = 0; i < stderr_log::tail_bytes_max; ++i)
      log.write("\xc3\xa9");
    log.write("x");
    CHECK(is_valid_utf8(log.tail()));
  }
}
