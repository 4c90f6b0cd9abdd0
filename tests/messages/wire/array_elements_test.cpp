#include "caf_mcp/messages/wire/array_elements.hpp"

#include <catch2/catch_test_macros.hpp>

using caf_mcp::split_array;
using texts = std::vector<std::string_view>;

TEST_CASE("an array is split at its own commas", "[array_elements]") {
  CHECK(split_array("[]") == texts{});
  CHECK(split_array(" [ ] ") == texts{});
  CHECK(split_array("[1]") == texts{"1"});
  CHECK(split_array("[ 1 , {\"a\":[1,2]},[3,4] ]\r")
        == texts{"1", "{\"a\":[1,2]}", "[3,4]"});
}

TEST_CASE("brackets, commas and quotes in strings do not split",
          "[array_elements]") {
  CHECK(split_array(R"(["],[",",","\"],",{"\\":1}])")
        == texts{R"("],[")", R"(",")", R"("\"],")", R"({"\\":1})"});
}

TEST_CASE("what is wrong within an element stays there", "[array_elements]") {
  CHECK(split_array("[NaN,,\xff]") == texts{"NaN", "", "\xff"});
}

TEST_CASE("what is no whole array is not split", "[array_elements]") {
  for (const auto* text : {"", "[", "]", "{}", "[1", "1]", "[{]", "[1]]",
                           "[1],[2]", "[\"]", "[\"\\\"]", "[}]"}) {
    INFO(text);
    CHECK_FALSE(split_array(text));
  }
}
