#include "caf_mcp/actors/nodes/peer_account.hpp"

#include "caf_mcp/messages/error_info.hpp"

#include <catch2/catch_test_macros.hpp>

#include <memory>
#include <utility>
#include <vector>

using namespace caf_mcp;

namespace {

std::shared_ptr<peer_account> account(std::size_t requests, std::size_t bytes) {
  return std::make_shared<peer_account>(peer_limits{requests, bytes});
}

} // namespace

TEST_CASE("a peer has no more requests held for it than its limit",
          "[peer_account]") {
  const auto of_peer = account(2, 1000);
  std::vector<peer_share> held;
  for (auto i = 0; i < 2; ++i)
    held.push_back(std::move(*of_peer->take(peer_use::request)));
  auto refused = of_peer->take(peer_use::request);
  REQUIRE_FALSE(refused);
  const auto why = describe(refused.error());
  CHECK(why.name == "too_many_requests");
  CHECK(why.message
        == "peer_requests: the node holds no more than 2 requests of one peer "
           "at a time");
  CHECK(why.data.to_json()
        == R"({"key":"peer_requests","limit":2,"outcome":"not_sent"})");
  held.pop_back();
  CHECK(of_peer->take(peer_use::request));
}

TEST_CASE("what one kind has used up is left to the others", "[peer_account]") {
  const auto of_peer = account(1, 1000);
  const auto request = of_peer->take(peer_use::request);
  const auto control = of_peer->take(peer_use::control);
  const auto facade = of_peer->take(peer_use::facade);
  CHECK((request && control && facade));
  CHECK_FALSE(of_peer->take(peer_use::control));
  CHECK_FALSE(of_peer->take(peer_use::facade));
}

TEST_CASE("a peer has no more bytes held for it than its limit",
          "[peer_account]") {
  const auto of_peer = account(10, 100);
  {
    const auto most = of_peer->take(peer_use::request, 60);
    REQUIRE(most);
    const auto refused = of_peer->take(peer_use::request, 41);
    REQUIRE_FALSE(refused);
    CHECK(describe(refused.error()).data.string_member("key") == "peer_bytes");
    CHECK(of_peer->take(peer_use::request, 40));
  }
  CHECK(of_peer->take(peer_use::request, 100));
  CHECK_FALSE(of_peer->take(peer_use::request, 101));
}

TEST_CASE("a share that is moved is given back once", "[peer_account]") {
  const auto of_peer = account(1, 10);
  auto first = std::move(*of_peer->take(peer_use::request, 10));
  peer_share second{std::move(first)};
  first = std::move(second);
  CHECK_FALSE(of_peer->take(peer_use::request));
  first = peer_share{};
  CHECK(of_peer->take(peer_use::request, 10));
}
