#include "caf_mcp/messages/qualified_name.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace caf_mcp;

TEST_CASE("a qualified name is the server, a slash and the item",
          "[qualified_name]") {
  CHECK(qualified_name("files", "read") == "files/read");
  CHECK(qualified_name("files", "file:///etc/hosts")
        == "files/file:///etc/hosts");
}

TEST_CASE("qualified names of different things differ", "[qualified_name]") {
  CHECK(qualified_name("a/b", "c") == "a%2Fb/c");
  CHECK(qualified_name("a", "b/c") == "a/b/c");
  CHECK(qualified_name("a%2Fb", "c") == "a%252Fb/c");
}

TEST_CASE("a qualified name is taken apart as it was made",
          "[qualified_name]") {
  for (const auto* server : {"files", "a/b", "a%2Fb", "%", "", "ü"})
    for (const auto* item : {"read", "x/y", "%2F", "file:///etc", ""}) {
      const name_parts parts{server, item};
      CHECK(split_qualified_name(qualified_name(server, item)) == parts);
    }
}

TEST_CASE("what is no qualified name is not taken apart", "[qualified_name]") {
  CHECK_FALSE(split_qualified_name("read"));
  CHECK_FALSE(split_qualified_name("100%/read"));
}
