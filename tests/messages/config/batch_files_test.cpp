#include "caf_mcp/messages/config/batch_files.hpp"

#include "tests/support/error_text.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace caf_mcp;
using tests::text_of;

namespace {

std::string on_windows(std::string_view path,
                       const std::vector<std::string>& args,
                       batch_file_policy policy) {
  return text_of(check_batch_file(path, args, policy, platform::windows));
}

} // namespace

TEST_CASE("batch files are told by the end of their name", "[batch_files]") {
  for (auto path : {"x.bat", "x.cmd", R"(C:\tools\npx.CMD)", "C:/a b/X.Bat",
                    "x.exe.bat", ".cmd"})
    CHECK(is_batch_file(path));
  for (auto path : {"x.exe", "x", "bat", "x.bats", "x.bat/y", "", "..."})
    CHECK_FALSE(is_batch_file(path));
}

TEST_CASE("dots and spaces that Windows ignores do not hide a batch file",
          "[batch_files]") {
  for (auto path : {"x.bat.", "x.bat ", "x.cmd. . ", "x.cmd..."})
    CHECK(is_batch_file(path));
}

TEST_CASE("Windows refuses a batch file unless it is allowed",
          "[batch_files]") {
  CHECK(on_windows(R"(C:\n\npx.cmd)", {}, batch_file_policy::refuse)
        == "config_invalid: command: npx.cmd is a batch file, which must be "
           "allowed with allow_batch_files");
  CHECK(on_windows(R"(C:\n\npx.cmd)", {"-y", "a b", "x(1)"},
                   batch_file_policy::allow)
        == "ok");
}

TEST_CASE("an allowed batch file takes no argument that cmd.exe would parse",
          "[batch_files]") {
  for (auto arg : {"\"", "a\"b", "%PATH%", "^", "a&b", "a|b", "<x", ">x",
                   "a\nb", "a\rb"}) {
    CAPTURE(arg);
    CHECK(on_windows("x.bat", {"fine", arg}, batch_file_policy::allow)
          == "config_invalid: args: [1] must not hold a line end or any of "
             "\"%^&|<> when the command is a batch file");
  }
}

TEST_CASE("other executables take any argument on Windows", "[batch_files]") {
  CHECK(on_windows("x.exe", {"a&b", "%PATH%"}, batch_file_policy::refuse)
        == "ok");
}

TEST_CASE("the name of a file means nothing on POSIX", "[batch_files]") {
  CHECK(text_of(check_batch_file("/usr/bin/x.bat", {"a&b"},
                                 batch_file_policy::refuse, platform::posix))
        == "ok");
}
