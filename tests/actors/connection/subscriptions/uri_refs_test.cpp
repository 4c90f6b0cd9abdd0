#include "caf_mcp/actors/connection/subscriptions/uri_refs.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace caf_mcp;
using ids = std::vector<std::uint64_t>;
using uris = std::vector<std::string>;
using standing = uri_refs::standing;

TEST_CASE("a URI is asked for once, however many want it") {
  uri_refs refs;
  CHECK(refs.add("a", 1) == standing::unknown);
  refs.asked("a", 10);
  CHECK(refs.add("a", 2) == standing::asked);
  CHECK(refs.confirm("a", 10) == ids{1, 2});
  CHECK(refs.add("a", 3) == standing::confirmed);
}

TEST_CASE("a URI is given up with the last who wants it") {
  uri_refs refs;
  refs.add("a", 1);
  refs.add("a", 2);
  refs.add("b", 2);
  CHECK(refs.remove(1) == uris{});
  auto rest = refs.remove(2);
  CHECK(std::set<std::string>{rest.begin(), rest.end()}
        == std::set<std::string>{"a", "b"});
  CHECK(refs.remove(2) == uris{});
  CHECK(refs.add("a", 3) == standing::unknown);
}

TEST_CASE("a refused URI is forgotten") {
  uri_refs refs;
  refs.add("a", 1);
  refs.asked("a", 10);
  refs.add("a", 2);
  CHECK(refs.refuse("a", 10) == ids{1, 2});
  CHECK(refs.remove(1) == uris{});
  CHECK(refs.add("a", 2) == standing::unknown);
}

TEST_CASE("the answer to an earlier request for a URI changes nothing") {
  uri_refs refs;
  refs.add("a", 1);
  refs.asked("a", 10);
  CHECK(refs.remove(1) == uris{"a"});
  refs.add("a", 2);
  refs.asked("a", 12);
  CHECK(refs.refuse("a", 10) == ids{});
  CHECK(refs.confirm("a", 12) == ids{2});
}

TEST_CASE("nothing is known of URIs with a new process") {
  uri_refs refs;
  refs.add("a", 1);
  refs.asked("a", 10);
  refs.clear();
  CHECK(refs.confirm("a", 10) == ids{});
  CHECK(refs.add("a", 1) == standing::unknown);
}
