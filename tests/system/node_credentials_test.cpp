// Who is let in by a node: the user's own programs without set-up, nodes of an
// authority by name, and nobody else.
#include "caf_mcp/actors/authority.hpp"

#include "tests/support/host.hpp"
#include "tests/support/nodes.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/scratch_directory.hpp"
#include "tests/support/tool.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <pwd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace caf_mcp;
using Catch::Matchers::ContainsSubstring;
using tests::demo_servers;
using tests::failure;
using tests::run_tool;
using tests::scratch_directory;
using tests::serving_node;
using tests::tool_result;
using tests::tool_run;
using tests::value;

namespace {

namespace fs = std::filesystem;

std::vector<std::string> call_words(const node_address& where,
                                    std::vector<std::string> options = {}) {
  options.insert(options.end(), {"--node", to_string(where), "--server", "demo",
                                 "call", "echo", "message=hi", "--json"});
  return options;
}

using environment = std::map<std::string, std::string>;

tool_result call(const node_address& where, const environment& env) {
  tool_run::setup how;
  how.env = env;
  return tool_run{call_words(where), how}.finish();
}

/// A user's folders in a scratch directory.
class folders {
public:
  std::string file() const {
    return scratch_.path() + "/caf-mcp/authority.pem";
  }

  std::string folder() const {
    return scratch_.path() + "/caf-mcp";
  }

  environment env() const {
    return {{"PATH", "/usr/bin:/bin"}, {"XDG_STATE_HOME", scratch_.path()}};
  }

private:
  scratch_directory scratch_;
};

fs::perms mode_of(const std::string& path) {
  return fs::status(path).permissions();
}

std::vector<std::string> options(const tls_files& files) {
  return {"--tls-certificate", files.certificate, "--tls-key",
          files.key,           "--tls-ca",        files.ca};
}

std::vector<std::string> with(std::vector<std::string> words,
                              const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

serving_node serve(const std::vector<std::string>& words) {
  return serving_node{{"127.0.0.1:0", demo_servers(), words}};
}

} // namespace

TEST_CASE("a user's programs find each other without set-up", "[tls]") {
  const serving_node node;
  auto result = run_tool(call_words(node.address()));
  CHECK(result.status == 0);
  CHECK_THAT(result.out, ContainsSubstring("\"hi\""));
}

TEST_CASE("a node does not answer in the clear, nor who has other credentials",
          "[tls]") {
  const serving_node node;
  const folders other;
  CHECK(run_tool(call_words(node.address(), {"--insecure"})).status == 3);
  const auto result = call(node.address(), other.env());
  CHECK(result.status == 3);
  CHECK_THAT(result.err, ContainsSubstring("certificate"));
}

TEST_CASE("credentials of a user are for him alone", "[tls]") {
  const folders own;
  const node_address nobody{"127.0.0.1", 1};
  call(nobody, own.env());
  CHECK(mode_of(own.folder()) == fs::perms::owner_all);
  CHECK(mode_of(own.file())
        == (fs::perms::owner_read | fs::perms::owner_write));
  auto check_refused = [&](std::string_view why) {
    const auto result = call(nobody, own.env());
    CHECK(result.status == 2);
    CHECK_THAT(result.err, ContainsSubstring("credentials")
                             && ContainsSubstring(std::string{why}));
  };
  SECTION("a file that others may read") {
    fs::permissions(own.file(), fs::perms::others_read, fs::perm_options::add);
    check_refused("0600");
  }
  SECTION("a folder that others may look into") {
    fs::permissions(own.folder(), fs::perms::group_exec, fs::perm_options::add);
    check_refused("0700");
  }
  SECTION("a link to a file") {
    fs::rename(own.file(), own.folder() + "/real");
    fs::create_symlink(own.folder() + "/real", own.file());
    check_refused("cannot be read");
  }
  SECTION("a pipe") {
    fs::remove(own.file());
    REQUIRE(::mkfifo(own.file().c_str(), 0600) == 0);
    check_refused("regular file");
  }
  SECTION("half a file") {
    fs::resize_file(own.file(), 300);
    check_refused("remove it");
  }
  SECTION("a file of somebody else") {
    if (::geteuid() != 0)
      SKIP("only root can give a file away");
    REQUIRE(::chown(own.file().c_str(), 65'534, 65'534) == 0);
    check_refused("belongs to user 65534");
  }
}

TEST_CASE("programs that start at once agree on the credentials of the user",
          "[tls]") {
  for (auto round = 0; round < 5; ++round) {
    const scratch_directory state;
    tool_run::setup how;
    how.env = {{"PATH", "/usr/bin:/bin"}, {"XDG_STATE_HOME", state.path()}};
    const auto config = state.write("mcp.json", demo_servers());
    std::vector<std::unique_ptr<tool_run>> nodes;
    for (auto i = 0; i < 6; ++i)
      nodes.push_back(std::make_unique<tool_run>(
        std::vector<std::string>{"--config", config, "serve", "--listen",
                                 "127.0.0.1:0"},
        how));
    for (const auto& each : nodes) {
      each->wait_for_output("\n");
      const auto line = each->shown();
      const auto where = line.substr(line.rfind(' ') + 1);
      CHECK(call(value(parse_node_address("node",
                                          where.substr(0, where.find('\n')))),
                 how.env)
              .status
            == 0);
    }
    for (const auto& each : nodes) {
      each->signal(SIGTERM);
      each->finish();
    }
    // No half of a file is left.
    CHECK(std::distance(fs::directory_iterator{state.path() + "/caf-mcp"}, {})
          == 1);
  }
}

TEST_CASE("another user of the machine is refused", "[tls]") {
  if (::geteuid() != 0)
    SKIP("only root can be another user");
  const auto* nobody = ::getpwnam("nobody");
  if (nobody == nullptr)
    SKIP("there is no user nobody");
  const serving_node node;
  // In a folder that is his, lest it fails for want of credentials. He knows
  // where those of the node are, too.
  const scratch_directory his;
  REQUIRE(::chown(his.path().c_str(), nobody->pw_uid, nobody->pw_gid) == 0);
  const auto state = GENERATE(false, true)
                       ? his.path()
                       : std::string{std::getenv("XDG_STATE_HOME")};
  const auto program = his.path() + "/caf-mcp-tool";
  fs::copy_file(tests::binary("caf-mcp"), program);
  fs::permissions(program, fs::perms::all);
  const auto out = his.path() + "/out";
  const auto pid = ::fork();
  if (pid == 0) {
    std::freopen(out.c_str(), "w", stdout);
    std::freopen(out.c_str(), "a", stderr);
    if (::setgid(nobody->pw_gid) != 0 || ::setuid(nobody->pw_uid) != 0)
      ::_exit(77);
    ::setenv("XDG_STATE_HOME", state.c_str(), 1);
    const auto where = to_string(node.address());
    ::execl(program.c_str(), "caf-mcp", "--node", where.c_str(), "--server",
            "demo", "call", "echo", "message=hi", nullptr);
    ::_exit(78);
  }
  auto status = 0;
  REQUIRE(::waitpid(pid, &status, 0) == pid);
  std::ifstream file{out};
  const std::string text{std::istreambuf_iterator<char>{file}, {}};
  INFO(text);
  REQUIRE(WIFEXITED(status));
  CHECK((WEXITSTATUS(status) == 3 || WEXITSTATUS(status) == 2));
  CHECK_THAT(text, ContainsSubstring("caf-mcp: c"));
  CHECK(text.find("hi\n") == std::string::npos);
  CHECK(run_tool(call_words(node.address())).status == 0);
}

TEST_CASE("an authority makes what nodes need", "[tls]") {
  const scratch_directory scratch;
  const auto ours
    = value(certificate_authority::create(scratch.path() + "/ours"));
  const auto node_files = value(ours.issue("node1"));
  const auto caller_files = value(ours.issue("caller"));
  CHECK(mode_of(node_files.key)
        == (fs::perms::owner_read | fs::perms::owner_write));
  const auto revoked
    = std::vector<std::string>{"--tls-revoked", node_files.revoked};
  const auto node = serve(with(options(node_files), revoked));
  auto status_of = [&](const std::vector<std::string>& words) {
    return run_tool(call_words(node.address(), words)).status;
  };
  const auto caller = options(caller_files);
  CHECK(status_of(caller) == 0);
  SECTION("the name of the node is insisted on") {
    CHECK(status_of(with(caller, {"--tls-name", "node1"})) == 0);
    CHECK(status_of(with(caller, {"--tls-name", "x", "--tls-name", "node1"}))
          == 0);
    const auto words = with(caller, {"--tls-name", "node2"});
    const auto result = run_tool(call_words(node.address(), words));
    CHECK(result.status == 3);
    CHECK_THAT(result.err, ContainsSubstring("ostname mismatch"));
  }
  SECTION("a certificate that is revoked while the node runs is refused") {
    const auto next = value(ours.issue("caller")); // both go
    REQUIRE_FALSE(ours.revoke("caller"));
    CHECK(status_of(caller) == 3);
    CHECK(status_of(options(next)) == 3);
    CHECK(status_of(options(value(ours.issue("other")))) == 0);
    CHECK(status_of(options(value(ours.issue("caller")))) == 0);
  }
  SECTION("a caller refuses a node that is revoked") {
    REQUIRE_FALSE(ours.revoke("node1"));
    const auto words = with(caller, revoked);
    const auto result = run_tool(call_words(node.address(), words));
    CHECK(result.status == 3);
    CHECK_THAT(result.err, ContainsSubstring("revoked"));
  }
  SECTION("without the list of revoked certificates nobody is let in") {
    fs::remove(node_files.revoked);
    CHECK(status_of(caller) == 3);
  }
}

TEST_CASE("a node insists on the name of its callers", "[tls]") {
  const scratch_directory scratch;
  const auto ours = value(certificate_authority::create(scratch.path() + "/a"));
  const auto node
    = serve(with(options(value(ours.issue("node"))), {"--tls-name", "friend"}));
  auto status_of = [&](const char* name) {
    return run_tool(
             call_words(node.address(), options(value(ours.issue(name)))))
      .status;
  };
  CHECK(status_of("friend") == 0);
  CHECK(status_of("stranger") == 3);
}

TEST_CASE("an authority says what is wrong", "[tls]") {
  const scratch_directory scratch;
  const auto folder = scratch.path() + "/a";
  CHECK_THAT(failure(certificate_authority::open(folder)).message,
             ContainsSubstring("credentials init"));
  const auto ours = value(certificate_authority::create(folder));
  CHECK_THAT(failure(certificate_authority::create(folder)).message,
             ContainsSubstring("ca.key\" is there already"));
  for (const auto* name :
       {"", "../x", "a/b", ".x", "-x", "ca", "revoked", "a\n", "DNS:x,DNS:y"})
    CHECK(failure(ours.issue(name)).name == "config_invalid");
  CHECK(describe(ours.revoke("nobody")).name == "not_found");
}

TEST_CASE("the tool makes, issues and revokes", "[tls]") {
  const scratch_directory scratch;
  const auto folder = scratch.path() + "/a";
  auto run = [&](std::vector<std::string> words) {
    words.insert(words.begin(), "credentials");
    words.insert(words.end(), {"--directory", folder, "--json"});
    return run_tool(std::move(words));
  };
  CHECK(run({"issue", "node1"}).status == 2);
  CHECK(run({"init"}).status == 0);
  auto issued = run({"issue", "node1", "--days", "3"});
  CHECK(issued.status == 0);
  const auto files = tests::only_json(issued.out);
  CHECK(files.at("certificate").as_string() == folder + "/node1.pem");
  CHECK(fs::exists(folder + "/node1.key"));
  CHECK(run({"revoke", "node1"}).status == 0);
  CHECK(run({"revoke", "node1"}).status == 2);
  CHECK(run({"issue"}).status == 2);
  CHECK(run({"issue", "x", "--days", "0"}).status == 2);
  CHECK(run({"destroy", "x"}).status == 2);
}
