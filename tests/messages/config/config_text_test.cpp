#include "caf_mcp/messages/config/config_text.hpp"

#include "tests/support/error_text.hpp"
#include "tests/support/scratch_directory.hpp"

#include <boost/json/serialize.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

using namespace caf_mcp;
using Catch::Matchers::StartsWith;
using tests::scratch_directory;
using tests::text_of;

namespace {

/// Returns compact JSON or the error.
std::string parse(std::string_view text) {
  auto value = parse_config_text(text, "file.json");
  return value ? boost::json::serialize(*value) : text_of(value.error());
}

std::string read(const std::string& path) {
  auto text = read_config_file(path);
  return text ? *text : text_of(text.error());
}

} // namespace

TEST_CASE("comments, trailing commas and a byte order mark are fine",
          "[config_text]") {
  CHECK(parse("\xEF\xBB\xBF{\n  // first\n  \"a\": [1, 2,], /* x */\n}\n// end")
        == R"({"a":[1,2]})");
}

TEST_CASE("an error of syntax names file, line and column", "[config_text]") {
  CHECK_THAT(parse("{\n  \"a\": 1,\n  \"b\" 2\n}"),
             StartsWith("config_invalid: file.json:3:7: "));
  CHECK_THAT(parse("x"), StartsWith("config_invalid: file.json:1:1: "));
  CHECK_THAT(parse("{} x"), StartsWith("config_invalid: file.json:1:4: "));
}

TEST_CASE("columns count characters, not bytes", "[config_text]") {
  CHECK_THAT(parse("{\"\xC3\xA4\xC3\xB6\" 1}"),
             StartsWith("config_invalid: file.json:1:7: "));
}

TEST_CASE("a text that ends too early is an error at its end",
          "[config_text]") {
  CHECK_THAT(parse("{\n\"a\": 1"),
             StartsWith("config_invalid: file.json:2:7: "));
  CHECK_THAT(parse(""), StartsWith("config_invalid: file.json:1:1: "));
}

TEST_CASE("a whole file is read", "[config_text]") {
  scratch_directory scratch;
  auto content = std::string(10'000, 'x');
  CHECK(read(scratch.write("a", content)) == content);
  CHECK(read(scratch.write("b", "")) == "");
}

TEST_CASE("a file that cannot be read is told from one that is not there",
          "[config_text]") {
  scratch_directory scratch;
  CHECK_THAT(read(scratch.path() + "/none"),
             StartsWith("not_found: " + scratch.path() + "/none: "));
  CHECK_THAT(read(scratch.path()), StartsWith("config_invalid: "));
}

TEST_CASE("a file without end is not read for ever", "[config_text]") {
  CHECK(read("/dev/zero")
        == "config_invalid: /dev/zero: is larger than 16 MiB");
}
