#include "tests/support/certificates.hpp"
#include "tests/support/host.hpp"
#include "tests/support/nodes.hpp"
#include "tests/support/scratch_directory.hpp"
#include "tests/support/tool.hpp"

#include <caf/io/middleman.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <array>
#include <cstdio>
#include <memory>

using namespace caf_mcp;
using Catch::Matchers::ContainsSubstring;
using tests::authority;
using tests::demo_servers;
using tests::failure;
using tests::node_host;
using tests::only_json;
using tests::run_tool;
using tests::scratch_directory;
using tests::serving_node;
using tests::value;

namespace {

std::vector<std::string> options(const tls_files& files) {
  return {"--tls-certificate", files.certificate, "--tls-key",
          files.key,           "--tls-ca",        files.ca};
}

serving_node serve(const tls_files& files) {
  return serving_node{{"127.0.0.1:0", demo_servers(), options(files)}};
}

node_host host_with(const tls_files& files) {
  return node_host{value(tls_credentials::load(files))};
}

caf::expected<payload> echo(node_host& app, const connection& server,
                            const std::string& text = "hi") {
  return ask(*app.self, server, call_tool("echo", {{"message", text}}));
}

/// Calls a tool of the node at `where`.
tests::tool_result call(const node_address& where,
                        std::vector<std::string> words) {
  words.insert(words.end(), {"--node", to_string(where), "--server", "demo",
                             "call", "echo", "message=hi", "--json"});
  return run_tool(std::move(words));
}

/// Returns what `openssl` says of its try to talk to the node at `where`.
std::string handshake(const node_address& where, const std::string& words) {
  // The answer to the client's certificate comes after its own handshake.
  const auto command = "(sleep 1; echo) | openssl s_client -connect "
                       + to_string(where) + ' ' + words + " 2>&1";
  std::unique_ptr<FILE, int (*)(FILE*)> pipe{::popen(command.c_str(), "r"),
                                             ::pclose};
  REQUIRE(pipe);
  std::string result;
  std::array<char, 4096> chunk{};
  while (auto count = std::fread(chunk.data(), 1, chunk.size(), pipe.get()))
    result.append(chunk.data(), count);
  return result;
}

std::string words(const tls_files& files) {
  return "-cert " + files.certificate + " -key " + files.key;
}

void check_refused(const tests::tool_result& result) {
  CHECK(result.status == 3);
  auto error = only_json(result.out).at("error").as_object();
  CHECK(error.at("name") == "connection_closed");
  CHECK(error.at("data").at("reason") == "node_lost");
  CHECK(result.elapsed < std::chrono::seconds{15});
}

} // namespace

TEST_CASE("nodes with certificates of one authority talk by TLS", "[tls]") {
  authority ours;
  auto node = serve(ours.sign("node"));
  auto result = call(node.address(), options(ours.sign("caller")));
  CHECK(result.status == 0);
  CHECK_THAT(result.out, ContainsSubstring("\"hi\""));
}

TEST_CASE("a node listens beyond this machine with certificates", "[tls]") {
  authority ours;
  serving_node node{{"0.0.0.0:0", demo_servers(), options(ours.sign("node"))}};
  auto where = node.address();
  where.host = "127.0.0.1";
  CHECK(call(where, options(ours.sign("caller"))).status == 0);
}

TEST_CASE("callers with a wrong certificate are refused, and say why",
          "[tls]") {
  authority ours;
  authority other;
  auto node = serve(ours.sign("node"));
  SECTION("of another authority") {
    auto files = other.sign("caller");
    files.ca = ours.certificate();
    auto result = call(node.address(), options(files));
    check_refused(result);
    CHECK_THAT(result.err, ContainsSubstring("certificate"));
  }
  SECTION("no certificate") {
    check_refused(call(node.address(), {"--insecure"}));
  }
  SECTION("one of the user's own") {
    check_refused(call(node.address(), {}));
  }
  SECTION("an authority that did not sign for the node") {
    auto files = ours.sign("caller");
    files.ca = other.certificate();
    auto result = call(node.address(), options(files));
    check_refused(result);
    CHECK_THAT(result.err, ContainsSubstring("certificate"));
  }
  CHECK(call(node.address(), options(ours.sign("friend"))).status == 0);
}

TEST_CASE("a node tells a peer what is wrong with its certificate", "[tls]") {
  authority ours;
  authority other;
  auto node = serve(ours.sign("node"));
  const auto& where = node.address();
  CHECK_THAT(handshake(where, ""), ContainsSubstring("certificate required"));
  CHECK_THAT(handshake(where, words(other.sign("caller"))),
             ContainsSubstring("unknown ca"));
  CHECK_THAT(handshake(where, words(ours.sign_expired("old"))),
             ContainsSubstring("certificate expired"));
  CHECK(handshake(where, words(ours.sign("caller"))).find("alert")
        == std::string::npos);
}

TEST_CASE("a caller with a certificate does not talk in the clear", "[tls]") {
  authority ours;
  serving_node node{{"127.0.0.1:0", demo_servers(), {"--insecure"}}};
  check_refused(call(node.address(), options(ours.sign("caller"))));
}

TEST_CASE("refused callers do not disturb the others", "[tls]") {
  authority ours;
  authority other;
  auto app = host_with(ours.sign("caller"));
  auto node = serve(ours.sign("node"));
  auto server = spawn_remote_server(app.system, node.address(), "demo");
  value(echo(app, server));
  for (auto i = 0; i < 3; ++i)
    handshake(node.address(), words(other.sign("c" + std::to_string(i))));
  // Comes in many records, between which the node has to wait.
  const std::string large(4'000'000, 'x');
  for (auto i = 0; i < 5; ++i)
    value(echo(app, server, large));
  value(ask(*app.self, server, close_connection{}));
}

TEST_CASE("files that are no credentials are refused by their name", "[tls]") {
  authority ours;
  scratch_directory directory;
  auto files = ours.sign("node");
  auto wrong = [&files] { return failure(tls_credentials::load(files)); };
  const auto junk = directory.write("junk.pem", "no certificate\n");
  SECTION("a file that is not there") {
    files.certificate = "/no/such.pem";
    CHECK(wrong().message
          == "tls-certificate: is \"/no/such.pem\"; must be a file that can be "
             "read");
  }
  SECTION("no certificate") {
    files.certificate = junk;
    CHECK_THAT(wrong().message, ContainsSubstring("tls-certificate")
                                  && ContainsSubstring("certificate in PEM"));
  }
  SECTION("an expired certificate") {
    files = ours.sign_expired("old");
    CHECK_THAT(wrong().message,
               ContainsSubstring("has expired: it was valid until Jan  2"));
  }
  SECTION("the key of another certificate") {
    files.key = ours.sign("other").key;
    CHECK_THAT(wrong().message,
               ContainsSubstring("tls-key")
                 && ContainsSubstring("private key of the certificate"));
  }
  SECTION("no authority") {
    files.ca = junk;
    CHECK_THAT(wrong().message, ContainsSubstring("tls-ca"));
  }
  SECTION("all is well") {
    value(tls_credentials::load(files));
  }
}

TEST_CASE("files that are renewed or removed do not end a node", "[tls]") {
  authority ours;
  auto files = ours.sign("node");
  auto node = serve(files);
  std::remove(files.key.c_str());
  CHECK(call(node.address(), options(ours.sign("caller"))).status == 0);
}

TEST_CASE("a system without certificates neither publishes nor calls by TLS",
          "[tls]") {
  caf::actor_system_config config;
  config.load<caf::io::middleman>();
  caf::actor_system system{config};
  runtime host{system};
  auto servers = spawn_hub(host, {});
  auto published = publish_hub(system, servers, {"127.0.0.1", 0});
  CHECK_THAT(failure(published).message, ContainsSubstring("tls_credentials"));
  auto server
    = spawn_remote_server(system, node_address{"127.0.0.1", 1}, "demo");
  caf::scoped_actor self{system};
  CHECK_THAT(
    failure(ask(self, server, call_tool("echo", {{"message", "hi"}}))).message,
    ContainsSubstring("tls_credentials"));
  value(ask(self, server, close_connection{}));
}

TEST_CASE("options for TLS belong together, and to nodes", "[tls]") {
  authority ours;
  const auto files = ours.sign("node");
  auto result = run_tool({"--node", "127.0.0.1:1", "--server", "demo",
                          "--tls-certificate", files.certificate, "tools"});
  CHECK(result.status == 2);
  CHECK_THAT(result.err, ContainsSubstring("tls-key: is missing"));
  result = run_tool({"--tls-ca", files.ca, "tools", "--", "demo-server"});
  CHECK(result.status == 2);
  CHECK_THAT(result.err, ContainsSubstring("tls: is of no use"));
}
