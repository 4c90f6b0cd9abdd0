#include "tests/support/paths.hpp"
#include "tests/support/port_host.hpp"
#include "tests/support/scratch_directory.hpp"

#include <catch2/catch_test_macros.hpp>

#include <csignal>
#include <cstdlib>
#include <filesystem>

using namespace caf_mcp;
using tests::port_host;
using tests::scratch_directory;
using tests::script;
using tests::server;
using tests::server_port;

namespace fs = std::filesystem;

namespace {

boost::json::object birth_of(server_port& started) {
  started.request(1);
  return started.response()
    .result.member("structuredContent")
    .value()
    .as_object();
}

boost::json::object birth(server_options options) {
  port_host app;
  auto started = app.run(std::move(options));
  auto facts = birth_of(started);
  CHECK(started.stop());
  return facts;
}

/// Starts what cannot be started; returns why.
close_reason refusal(server_options options) {
  port_host app;
  auto started = app.start(std::move(options));
  auto end = started.closed();
  CHECK(end.generation == 7);
  CHECK(end.unsent.empty());
  return end.reason;
}

bool says(const close_reason& reason, std::string_view text) {
  return reason.detail.find(text) != std::string::npos;
}

/// Sets variables of this process for the time of a test.
class host_variables {
public:
  explicit host_variables(std::map<std::string, std::string> variables)
    : variables_{std::move(variables)} {
    for (const auto& [name, value] : variables_)
      ::setenv(name.c_str(), value.c_str(), 1);
  }

  ~host_variables() {
    for (const auto& [name, value] : variables_)
      ::unsetenv(name.c_str());
  }

private:
  std::map<std::string, std::string> variables_;
};

/// Returns the variables of a server whose names start with `X_`.
std::string variables(server_options options) {
  options.command = "/bin/sh";
  options.args = {"-c", "env | grep ^X_ | sort >&2"};
  port_host app;
  return app.run(std::move(options)).end().reason.stderr_tail;
}

} // namespace

TEST_CASE("a port owner tells that the server runs, then what it says") {
  port_host app;
  auto started = app.start(server("test-echo-line-back"));
  auto pid = started.opened();
  CHECK(tests::exists(pid));
  started.request(5, "ping");
  CHECK(started.response().id == 5);
  CHECK(started.stop());
  CHECK_FALSE(tests::exists(pid));
}

TEST_CASE("a server is born clean, though its loop's thread blocks SIGPIPE") {
  auto facts = birth(server("test-print-fds"));
  CHECK(facts.at("pgid") == facts.at("pid"));
  CHECK(facts.at("fds") == boost::json::array{0, 1, 2});
  CHECK(facts.at("blocked_signals") == boost::json::array{});
  CHECK(facts.at("ignored_signals") == boost::json::array{});
}

TEST_CASE("many servers of one host do not get each other's pipes") {
  port_host app;
  std::vector<server_port> all;
  for (auto i = 0; i < 10; ++i)
    all.push_back(app.run(server("test-print-fds")));
  for (auto& each : all)
    CHECK(birth_of(each).at("fds") == boost::json::array{0, 1, 2});
}

TEST_CASE("a server is told of its host's death as the options say") {
  auto options = server("test-print-fds");
  CHECK(birth(options).at("parent_death_signal") == SIGTERM);
  options.on_host_death = host_death_policy::kill;
  CHECK(birth(options).at("parent_death_signal") == SIGKILL);
  options.on_host_death = host_death_policy::eof;
  CHECK(birth(options).at("parent_death_signal") == 0);
}

TEST_CASE("a server gets its arguments and its directory as they are") {
  scratch_directory there;
  auto options = server("test-print-fds", {"; rm -rf ~", "", "a\nb"});
  options.cd = there.path();
  auto facts = birth(options);
  CHECK(facts.at("argv")
        == boost::json::array{tests::binary("test-print-fds"), "; rm -rf ~", "",
                              "a\nb"});
  CHECK(facts.at("cwd").as_string() == fs::canonical(there.path()).string());
}

// -- environment --------------------------------------------------------------

TEST_CASE("a server inherits what the options allow") {
  host_variables host{
    {{"X_ONE", "1"}, {"X_TWO", "2"}, {"X_FUNCTION", "() { :; }"}}};
  server_options options = server("");
  SECTION("by default nothing that might be a secret") {
    CHECK(variables(options).empty());
  }
  SECTION("what is named beside the allowlist") {
    options.inherit_env.extra_names = {"X_TWO", "X_FUNCTION"};
    CHECK(variables(options) == "X_TWO=2\n");
  }
  SECTION("all but exported functions") {
    options.inherit_env.policy = inherit_policy::all;
    CHECK(variables(options) == "X_ONE=1\nX_TWO=2\n");
  }
}

TEST_CASE("what is set for a server wins over what it inherits") {
  host_variables host{{{"X_ONE", "1"}, {"X_TWO", "2"}}};
  server_options options = server("");
  options.inherit_env.policy = inherit_policy::all;
  options.env["X_ONE"] = unset_variable{};
  options.env["X_TWO"] = "two = 2";
  options.env["X_KEY"] = secret{"hush"};
  CHECK(variables(options) == "X_KEY=hush\nX_TWO=two = 2\n");
}

TEST_CASE("a secret is nowhere but in the server's environment") {
  auto options = server("");
  options.command = "/no/such/command";
  options.env["X_KEY"] = secret{"hush"};
  CHECK_FALSE(says(refusal(options), "hush"));
}

// -- what cannot be started ---------------------------------------------------

TEST_CASE("a command that is not there is told at once") {
  auto options = server("");
  SECTION("by its name") {
    options.command = "no-such-command";
  }
  SECTION("by its path") {
    options.command = "/no/such/command";
  }
  auto reason = refusal(options);
  CHECK(reason.cause == close_cause::command_not_found);
  CHECK(says(reason, options.command));
}

TEST_CASE("a command is looked up in the PATH that its server gets") {
  scratch_directory there;
  auto file = there.write("x-server", "#!/bin/sh\nexit 3\n");
  fs::permissions(file, fs::perms::owner_all);
  auto options = server("");
  options.command = "x-server";
  CHECK(refusal(options).cause == close_cause::command_not_found);
  options.env["PATH"] = there.path();
  port_host app;
  CHECK(app.run(options).closed().reason.number == 3);
}

TEST_CASE("a command that cannot be run is told apart") {
  scratch_directory there;
  auto options = server("");
  auto make = [&](std::string_view text, fs::perms perms) {
    options.command = there.write("file", text);
    fs::permissions(options.command, perms);
  };
  SECTION("not executable") {
    make("#!/bin/sh\n", fs::perms::owner_read);
    CHECK(says(refusal(options), "not executable"));
  }
  SECTION("a directory") {
    options.command = there.path();
    CHECK(says(refusal(options), "directory"));
  }
  SECTION("a script with a bad interpreter") {
    make("#!/no/such/interpreter\n", fs::perms::owner_all);
    CHECK(says(refusal(options), "bad interpreter"));
  }
  SECTION("no program") {
    make("text\n", fs::perms::owner_all);
    CHECK(says(refusal(options), "Exec format error"));
  }
  SECTION("a directory to run it in that is gone") {
    options.command = "/bin/cat";
    options.cd = there.path() + "/gone";
    CHECK(says(refusal(options), "cd: " + *options.cd));
  }
  auto reason = refusal(options);
  CHECK(reason.cause == close_cause::spawn_failed);
  CHECK(reason.stderr_tail.empty());
}

TEST_CASE("a port owner that cannot start anything answers all the same") {
  port_host app;
  auto options = server("");
  options.command = "/no/such/command";
  auto started = app.start(options);
  started.request(1);
  started.ask_to_stop();
  started.closed();
  // It has ended; a message to it is lost, but not its sender.
  started.stop();
}

TEST_CASE("a hundred starts that fail leave nothing") {
  port_host app;
  auto options = server("");
  options.command = "/bin/cat";
  options.cd = "/no/such/directory";
  for (auto i = 0; i < 100; ++i)
    CHECK(app.start(options).closed().reason.cause
          == close_cause::spawn_failed);
}
