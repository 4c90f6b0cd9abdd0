#include "caf_mcp/actors/authority.hpp"
#include "caf_mcp/actors/nodes/tls_context.hpp"
#include "caf_mcp/actors/nodes/user_credentials.hpp"
#include "caf_mcp/actors/tls.hpp"

#include "tests/support/host.hpp"
#include "tests/support/scratch_directory.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <catch2/catch_test_macros.hpp>

#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

using namespace caf_mcp;
using tests::value;

namespace {

/// What a process of the user holds so long after its start that all of it has
/// expired: by the key of the user's authority.
tls_context::material expired_material() {
  tls_context::material result;
  auto own = value(authority_of_user());
  std::array<char, 256> name{};
  X509_NAME_get_text_by_NID(X509_get_subject_name(own.certificate.get()),
                            NID_commonName, name.data(), name.size());
  auto old
    = make_authority(name.data(), std::move(own.key), std::chrono::days{-1});
  result.own = issue(old, "user", std::chrono::days{-1});
  result.authorities.push_back(std::move(old.certificate));
  return result;
}

/// The context of an actor system with credentials of files.
struct loaded_node {
  explicit loaded_node(const tls_files& files)
    : credentials{value(tls_credentials::load(files))} {
    credentials.load_into(config);
    system.emplace(config);
    context = tls_context_of(*system);
  }

  tls_credentials credentials;
  caf::actor_system_config config;
  std::optional<caf::actor_system> system;
  std::shared_ptr<tls_context> context;
};

/// Returns whether the two sides take each other's certificates.
bool shake_hands(tls_context& listener, tls_context& caller) {
  std::array<int, 2> fds{};
  REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds.data())
          == 0);
  {
    const auto one = listener.new_session(node_role::listener, fds[0]);
    const auto other = caller.new_session(node_role::caller, fds[1]);
    for (auto round = 0; round < 10; ++round) {
      SSL_do_handshake(other.get());
      SSL_do_handshake(one.get());
    }
    const auto is_done = SSL_is_init_finished(one.get()) == 1
                         && SSL_is_init_finished(other.get()) == 1;
    ::close(fds[0]);
    ::close(fds[1]);
    return is_done;
  }
}

} // namespace

TEST_CASE("expired credentials of a user are refused by both sides",
          "[tls_renewal]") {
  tls_context fresh{value(material_of_user())};
  tls_context expired{expired_material()};
  CHECK(shake_hands(fresh, fresh));
  CHECK_FALSE(shake_hands(expired, fresh));
  CHECK_FALSE(shake_hands(fresh, expired));
}

TEST_CASE("a process renews the credentials of its user before it uses them",
          "[tls_renewal]") {
  tls_context fresh{value(material_of_user())};
  tls_context renewed{expired_material(), renewed_material_of_user};
  SECTION("as a node") {
    CHECK(shake_hands(renewed, fresh));
  }
  SECTION("as a caller") {
    CHECK(shake_hands(fresh, renewed));
  }
}

TEST_CASE("files of credentials that have changed are read before the next "
          "connection",
          "[tls_renewal]") {
  const tests::scratch_directory scratch;
  const auto ours = value(certificate_authority::create(scratch.path() + "/a"));
  const auto first = value(ours.issue("first"));
  const auto second = value(ours.issue("second"));
  const auto caller = value(ours.issue("caller"));
  const loaded_node node{first};
  auto takes = [&](const std::string& name) {
    auto files = caller;
    files.peer_names = {name};
    const loaded_node by{files};
    return shake_hands(*node.context, *by.context);
  };
  namespace fs = std::filesystem;
  constexpr auto replace = fs::copy_options::overwrite_existing;
  CHECK(takes("first"));
  // Until key and certificate fit together, those before are used.
  fs::copy_file(second.certificate, first.certificate, replace);
  CHECK(takes("first"));
  fs::copy_file(second.key, first.key, replace);
  CHECK(takes("second"));
  CHECK_FALSE(takes("first"));
  fs::remove(first.key);
  CHECK(takes("second"));
}

TEST_CASE("credentials that hold for long are not renewed", "[tls_renewal]") {
  CHECK_FALSE(renewed_material_of_user(value(material_of_user())));
  CHECK(renewed_material_of_user(expired_material()));
}
