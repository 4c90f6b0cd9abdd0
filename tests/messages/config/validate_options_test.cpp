#include "caf_mcp/messages/config/validate_options.hpp"

#include "tests/support/error_text.hpp"
#include "tests/support/scratch_directory.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <chrono>

using namespace caf_mcp;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;
using tests::scratch_directory;
using tests::text_of;
using namespace std::chrono_literals;
using namespace std::string_literals;

namespace {

server_options with_command(std::string command) {
  server_options result;
  result.command = std::move(command);
  return result;
}

std::string check_command(std::string command) {
  return text_of(validate(with_command(std::move(command))));
}

/// Returns what `validate` says after `change` was applied to good options.
template <class F>
std::string check_with(F change) {
  auto options = with_command("server");
  change(options);
  return text_of(validate(options));
}

} // namespace

TEST_CASE("default options with a command are fine", "[validate]") {
  CHECK(check_command("server") == "ok");
  CHECK(check_command("/usr/bin/env") == "ok");
}

TEST_CASE("a command is required", "[validate]") {
  CHECK_THAT(check_command(""), StartsWith("config_invalid: command: "));
}

TEST_CASE("an error of validation names the key in its data", "[validate]") {
  auto info = describe(validate({}));
  CHECK(info.data.string_member("key") == "command");
  CHECK(info.origin == error_origin::local);
}

TEST_CASE("a bare name with white space gets the hint to use args",
          "[validate]") {
  for (auto command : {"npx -y server", "npx\t-y", " npx", "npx\n"}) {
    auto text = check_command(command);
    CHECK_THAT(text, StartsWith("config_invalid: command: "));
    CHECK_THAT(text, ContainsSubstring(command));
    CHECK_THAT(text, ContainsSubstring("arguments go in args"));
  }
}

TEST_CASE("an absolute path may hold spaces if that file exists",
          "[validate]") {
  scratch_directory scratch;
  auto file = scratch.write("my server", "");
  CHECK(check_command(file) == "ok");
  CHECK_THAT(check_command(file + " -y"),
             ContainsSubstring("arguments go in args"));
  std::filesystem::create_directory(scratch.path() + "/a directory");
  CHECK_THAT(check_command(scratch.path() + "/a directory"),
             StartsWith("config_invalid: command: "));
}

TEST_CASE("whether an executable exists is found out when it is started",
          "[validate]") {
  CHECK(check_command("/no/such/file") == "ok");
  CHECK(check_command("no-such-command") == "ok");
}

TEST_CASE("a relative path is no command", "[validate]") {
  for (auto command :
       {"./server", "bin/server", "../server", "server/", "~/server"})
    CHECK_THAT(check_command(command), ContainsSubstring("relative path"));
}

TEST_CASE("a NUL byte is refused wherever it would cut a text short",
          "[validate]") {
  CHECK_THAT(check_command("ser\0ver"s), ContainsSubstring("NUL"));
  CHECK(check_with([](auto& x) {
          x.args = {"a", "b\0c"s};
        })
        == "config_invalid: args: [1] must not hold a NUL byte");
  CHECK_THAT(check_with([](auto& x) { x.env["A\0B"s] = "x"; }),
             StartsWith("config_invalid: env: "));
  CHECK(check_with([](auto& x) { x.env["KEY"] = secret{"hunter\0002"s}; })
        == "config_invalid: env: the value of \"KEY\" must not hold a NUL "
           "byte");
  CHECK_THAT(check_with([](auto& x) { x.cd = "/tmp\0x"s; }),
             StartsWith("config_invalid: cd: "));
}

TEST_CASE("arguments are not interpreted", "[validate]") {
  CHECK(check_with([](auto& x) {
          x.args = {"; rm -rf ~", "$(reboot)", "", "a b", "\xFF"};
        })
        == "ok");
}

TEST_CASE("names of variables must be possible ones", "[validate]") {
  CHECK_THAT(check_with([](auto& x) { x.env[""] = "x"; }),
             StartsWith("config_invalid: env: "));
  CHECK_THAT(check_with([](auto& x) { x.env["A=B"] = unset_variable{}; }),
             ContainsSubstring("\"A=B\""));
  CHECK_THAT(check_with([](auto& x) {
               x.inherit_env.extra_names = {"A", ""};
             }),
             StartsWith("config_invalid: inherit_env: "));
}

TEST_CASE("the working directory must exist", "[validate]") {
  scratch_directory scratch;
  auto file = scratch.write("file", "");
  auto check_cd = [](std::string path) {
    return check_with([&path](auto& x) { x.cd = path; });
  };
  CHECK(check_cd(scratch.path()) == "ok");
  CHECK_THAT(check_cd(scratch.path() + "/none"),
             ContainsSubstring("does not exist"));
  CHECK_THAT(check_cd(file), ContainsSubstring("not a directory"));
  CHECK_THAT(check_cd(file + "/x"), StartsWith("config_invalid: cd: "));
  CHECK_THAT(check_cd("tmp"), ContainsSubstring("is not absolute"));
  CHECK_THAT(check_cd(""), ContainsSubstring("is not absolute"));
}

TEST_CASE("a file for stderr needs an absolute path", "[validate]") {
  CHECK(check_with([](auto& x) {
          x.stderr_to = {stderr_kind::file, "/tmp/log"};
        })
        == "ok");
  for (auto path : {"", "log", "./log"})
    CHECK_THAT(check_with([path](auto& x) {
                 x.stderr_to = {stderr_kind::file, path};
               }),
               StartsWith("config_invalid: stderr: "));
}

TEST_CASE("numbers have bounds, which the error names", "[validate]") {
  CHECK(check_with([](auto& x) { x.max_message_bytes = 0; })
        == "config_invalid: max_message_bytes: is 0; must be an integer from 1 "
           "to 2147483647, in bytes");
  CHECK_THAT(check_with([](auto& x) { x.max_message_bytes = ~std::size_t{0}; }),
             StartsWith("config_invalid: max_message_bytes: "));
  CHECK_THAT(check_with([](auto& x) { x.max_unwritten_bytes = 0; }),
             StartsWith("config_invalid: max_unwritten_bytes: "));
  CHECK_THAT(check_with([](auto& x) { x.write_stall = 0ms; }),
             StartsWith("config_invalid: write_stall: "));
  CHECK_THAT(check_with([](auto& x) { x.stdin_grace = -1ms; }),
             StartsWith("config_invalid: stdin_grace: is -1; "));
  CHECK_THAT(check_with([](auto& x) { x.request_timeout = 0ms; }),
             StartsWith("config_invalid: request_timeout: "));
  CHECK_THAT(check_with([](auto& x) { x.handshake_timeout = 24h * 365; }),
             StartsWith("config_invalid: handshake_timeout: "));
  CHECK_THAT(check_with([](auto& x) { x.max_server_requests = 0; }),
             StartsWith("config_invalid: max_server_requests: "));
  CHECK_THAT(check_with([](auto& x) { x.max_json_depth = 100'000; }),
             StartsWith("config_invalid: max_json_depth: "));
}

TEST_CASE("zero is fine where it has a meaning", "[validate]") {
  CHECK(check_with([](auto& x) {
          x.max_junk_lines = 0;
          x.stdin_grace = 0ms;
          x.term_grace = 0ms;
          x.flush_timeout = 0ms;
          x.max_reconnects = 0;
          x.max_input_rounds = 0;
        })
        == "ok");
}

TEST_CASE("the protocol version must be one of the era", "[validate]") {
  auto check_version = [](era_mode mode, std::string version) {
    return check_with([&](auto& x) {
      x.mode = mode;
      x.protocol_version = version;
    });
  };
  CHECK(check_version(era_mode::automatic, "2026-07-28") == "ok");
  CHECK(check_version(era_mode::automatic, "2025-06-18") == "ok");
  CHECK(check_version(era_mode::legacy, "2024-11-05") == "ok");
  CHECK(check_version(era_mode::modern, "2026-07-28") == "ok");
  CHECK_THAT(check_version(era_mode::legacy, "2026-07-28"),
             StartsWith("config_invalid: protocol_version: is \"2026-07-28\", "
                        "a modern version"));
  CHECK_THAT(check_version(era_mode::modern, "2025-11-25"),
             StartsWith("config_invalid: protocol_version: is \"2025-11-25\", "
                        "a legacy version"));
  CHECK_THAT(check_version(era_mode::automatic, "2023-01-01"),
             ContainsSubstring("must be \"2024-11-05\", "));
}

TEST_CASE("the client has a name and a version", "[validate]") {
  CHECK_THAT(check_with([](auto& x) { x.client_info = {}; }),
             StartsWith("config_invalid: client_info: "));
  CHECK_THAT(
    check_with([](auto& x) { x.client_info.more = parse_payload("[1]"); }),
    StartsWith("config_invalid: client_info: "));
}
