#include "caf_mcp/messages/config/environment.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace caf_mcp;

namespace {

const environment_block host{
  "HOME=/home/me",       "PATH=/usr/bin:/bin", "SHELL=/bin/sh",
  "AWS_SECRET_KEY=oops", "TERM=() { :; }; rm", "LD_PRELOAD=/x.so",
};

environment_block on_posix(const server_options& options,
                           const environment_block& from = host) {
  return server_environment(from, options, platform::posix);
}

environment_block on_windows(const server_options& options,
                             const environment_block& from) {
  return server_environment(from, options, platform::windows);
}

} // namespace

TEST_CASE("a server inherits the allowlist only", "[environment]") {
  CHECK(on_posix({})
        == environment_block{"HOME=/home/me", "PATH=/usr/bin:/bin",
                             "SHELL=/bin/sh"});
}

TEST_CASE("a list of names extends the allowlist", "[environment]") {
  server_options options;
  options.inherit_env.extra_names = {"LD_PRELOAD", "NOT_SET"};
  CHECK(on_posix(options)
        == environment_block{"HOME=/home/me", "LD_PRELOAD=/x.so",
                             "PATH=/usr/bin:/bin", "SHELL=/bin/sh"});
}

TEST_CASE("everything can be inherited", "[environment]") {
  server_options options;
  options.inherit_env.policy = inherit_policy::all;
  CHECK(on_posix(options)
        == environment_block{"AWS_SECRET_KEY=oops", "HOME=/home/me",
                             "LD_PRELOAD=/x.so", "PATH=/usr/bin:/bin",
                             "SHELL=/bin/sh"});
}

TEST_CASE("exported shell functions are dropped in every mode",
          "[environment]") {
  const environment_block from{"BASH_FUNC_x%%=() { :; }", "HOME=() { :; }",
                               "X=() { :; }", "Y=a ()"};
  server_options options;
  CHECK(on_posix(options, from).empty());
  options.inherit_env.extra_names = {"X", "Y"};
  CHECK(on_posix(options, from) == environment_block{"Y=a ()"});
  options.inherit_env = {inherit_policy::all, {}};
  CHECK(on_posix(options, from) == environment_block{"Y=a ()"});
}

TEST_CASE("own variables are added to the inherited ones and win",
          "[environment]") {
  server_options options;
  options.env["EXTRA"] = "a=b c \xC3\xA4";
  options.env["HOME"] = "/elsewhere";
  options.env["EMPTY"] = "";
  options.env["KEY"] = secret{"hunter2"};
  CHECK(on_posix(options)
        == environment_block{"EMPTY=", "EXTRA=a=b c \xC3\xA4",
                             "HOME=/elsewhere", "KEY=hunter2",
                             "PATH=/usr/bin:/bin", "SHELL=/bin/sh"});
}

TEST_CASE("an own variable may look like a shell function", "[environment]") {
  server_options options;
  options.env["X"] = "()";
  CHECK(on_posix(options, {}) == environment_block{"X=()"});
}

TEST_CASE("null unsets an inherited variable", "[environment]") {
  server_options options;
  options.env["SHELL"] = unset_variable{};
  options.env["NOT_SET"] = unset_variable{};
  CHECK(on_posix(options)
        == environment_block{"HOME=/home/me", "PATH=/usr/bin:/bin"});
}

TEST_CASE("of two host variables with one name the first counts",
          "[environment]") {
  CHECK(on_posix({}, {"HOME=/first", "HOME=/second", "PATH"})
        == environment_block{"HOME=/first"});
}

TEST_CASE("POSIX tells names apart by case", "[environment]") {
  server_options options;
  options.env["Path"] = "x";
  CHECK(on_posix(options, {"PATH=/bin"})
        == environment_block{"PATH=/bin", "Path=x"});
}

TEST_CASE("Windows does not tell names apart by case", "[environment]") {
  const environment_block from{"Path=C:\\bin", "SystemRoot=C:\\W",
                               "ProgramFiles=C:\\P", "SECRET=x"};
  server_options options;
  CHECK(on_windows(options, from)
        == environment_block{"Path=C:\\bin", "ProgramFiles=C:\\P",
                             "SystemRoot=C:\\W"});
  options.env["PATH"] = "D:\\bin";
  options.env["SYSTEMROOT"] = unset_variable{};
  CHECK(on_windows(options, from)
        == environment_block{"PATH=D:\\bin", "ProgramFiles=C:\\P"});
}

TEST_CASE("Windows keeps its directories of drives when all is inherited",
          "[environment]") {
  server_options options;
  options.inherit_env.policy = inherit_policy::all;
  CHECK(on_windows(options, {"=C:=C:\\work", "A=1"})
        == environment_block{"=C:=C:\\work", "A=1"});
}

TEST_CASE("the allowlists are those of the documentation", "[environment]") {
  CHECK(inheritable_names(platform::posix).size() == 6);
  CHECK(inheritable_names(platform::windows).size() == 13);
}

TEST_CASE("a variable is found by its name", "[environment]") {
  CHECK(find_variable(host, "PATH", platform::posix) == "/usr/bin:/bin");
  CHECK(find_variable(host, "Path", platform::posix) == std::nullopt);
  CHECK(find_variable(host, "Path", platform::windows) == "/usr/bin:/bin");
  CHECK(find_variable(host, "PAT", platform::posix) == std::nullopt);
}
