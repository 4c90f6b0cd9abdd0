#include "caf_mcp/actors/nodes/peer_frames.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_range.hpp>

#include <vector>

using caf_mcp::peer_frames;

namespace {

using bytes = std::vector<std::byte>;

peer_frames::node_id node(unsigned char number) {
  peer_frames::node_id result{};
  result.fill(std::byte{number});
  result[0] = std::byte{1};
  return result;
}

const auto own = node(7);
const auto peer = node(8);
const auto other = node(9);

bytes operator+(bytes left, const peer_frames::node_id& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

bool accept(peer_frames& by, const bytes& what) {
  return by.accept(what.data(), what.size());
}

bool send(peer_frames& to, unsigned char operation, const bytes& payload) {
  bytes header(peer_frames::header_bytes);
  header[0] = std::byte{operation};
  header[7] = static_cast<std::byte>(payload.size());
  return accept(to, header) && (payload.empty() || accept(to, payload));
}

/// Of a peer that has introduced itself.
peer_frames known() {
  peer_frames result{own};
  REQUIRE(send(result, 1, bytes{} + peer));
  return result;
}

} // namespace

TEST_CASE("a peer speaks after it has introduced itself", "[peer_frames]") {
  peer_frames frames{own};
  const auto operation = GENERATE(Catch::Generators::range(2, 7));
  CHECK_FALSE(
    send(frames, static_cast<unsigned char>(operation), bytes{} + peer + own));
}

TEST_CASE("a peer speaks for itself, to this node", "[peer_frames]") {
  auto frames = known();
  CHECK(send(frames, 2, bytes(10)));
  CHECK(send(frames, 6, {}));
  CHECK(send(frames, 4, bytes{} + peer + own));
  CHECK(send(frames, 5, bytes{} + peer + own));
  SECTION("another node is down") {
    CHECK_FALSE(send(frames, 5, bytes{} + other + own));
  }
  SECTION("in the name of this node") {
    CHECK_FALSE(send(frames, 5, bytes{} + own + own));
  }
  SECTION("another node watches") {
    CHECK_FALSE(send(frames, 4, bytes{} + other + own));
  }
  SECTION("for a third node") {
    CHECK_FALSE(send(frames, 4, bytes{} + peer + other));
  }
  SECTION("a routed message") {
    CHECK_FALSE(send(frames, 3, bytes{} + peer + own));
  }
  SECTION("an operation that is none") {
    CHECK_FALSE(send(frames, 7, bytes(3)));
    CHECK_FALSE(send(frames, 255, {}));
  }
  SECTION("nothing but a header") {
    CHECK_FALSE(send(frames, 2, {}));
  }
}

TEST_CASE("a peer sends no messages of streams", "[peer_frames]") {
  for (auto category = 0U; category < 16; ++category) {
    auto frames = known();
    bytes header(peer_frames::header_bytes);
    header[0] = std::byte{2};
    header[7] = std::byte{1};
    header[8] = static_cast<std::byte>(category << 4U);
    CHECK(accept(frames, header) == ((category & 2U) == 0));
  }
}

TEST_CASE("a peer introduces itself once, as somebody else than this node",
          "[peer_frames]") {
  auto frames = known();
  CHECK_FALSE(send(frames, 1, bytes{} + other));
  peer_frames fresh{own};
  CHECK_FALSE(send(fresh, 1, bytes{} + own));
  peer_frames nameless{own};
  CHECK_FALSE(send(nameless, 1, bytes(25)));
  peer_frames short_of_breath{own};
  CHECK_FALSE(send(short_of_breath, 1, bytes(24)));
}

TEST_CASE("a peer has answered when a response of it has come",
          "[peer_frames]") {
  auto frames = known();
  CHECK(send(frames, 2, bytes(10)));
  CHECK_FALSE(frames.has_answered());
  bytes header(peer_frames::header_bytes);
  header[0] = std::byte{2};
  header[7] = std::byte{1};
  header[8] = std::byte{0x90};
  CHECK(accept(frames, header));
  CHECK_FALSE(frames.has_answered());
  CHECK(accept(frames, bytes(1)));
  CHECK(frames.has_answered());
  CHECK(send(frames, 2, bytes(10)));
  CHECK(frames.has_answered());
}
