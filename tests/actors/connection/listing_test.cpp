#include "caf_mcp/actors/connection/listing.hpp"

#include "caf_mcp/messages/error_info.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace caf_mcp;

namespace {

listing::outcome add(listing& pages, std::string_view json) {
  auto parsed = parse_payload(json);
  REQUIRE(parsed);
  return pages.add_page(parsed);
}

std::string cursor_of(const listing::outcome& outcome) {
  REQUIRE(std::holds_alternative<listing::next_page>(outcome));
  return std::get<listing::next_page>(outcome).cursor;
}

payload items_of(const listing::outcome& outcome) {
  REQUIRE(std::holds_alternative<listing::complete>(outcome));
  return std::get<listing::complete>(outcome).items;
}

std::string error_of(const listing::outcome& outcome) {
  REQUIRE(std::holds_alternative<caf::error>(outcome));
  return describe(std::get<caf::error>(outcome)).name;
}

} // namespace

TEST_CASE("each kind has its method and the capability it needs") {
  CHECK(list_method(list_kind::tools) == "tools/list");
  CHECK(list_method(list_kind::resources) == "resources/list");
  CHECK(list_method(list_kind::resource_templates)
        == "resources/templates/list");
  CHECK(list_method(list_kind::prompts) == "prompts/list");
  CHECK(list_capability(list_kind::tools) == "tools");
  CHECK(list_capability(list_kind::resources) == "resources");
  CHECK(list_capability(list_kind::resource_templates) == "resources");
  CHECK(list_capability(list_kind::prompts) == "prompts");
}

TEST_CASE("pages are joined in their order") {
  listing pages{list_kind::tools, 10};
  CHECK(cursor_of(add(pages, R"({"tools": [1, 2], "nextCursor": "a"})"))
        == "a");
  CHECK(cursor_of(add(pages, R"({"tools": [], "nextCursor": "b"})")) == "b");
  CHECK(items_of(add(pages, R"({"tools": [3]})"))
        == parse_payload("[1, 2, 3]"));
}

TEST_CASE("the items of each kind stand in a member of its own") {
  listing resources{list_kind::resources, 10};
  CHECK(items_of(add(resources, R"({"resources": [1]})"))
        == parse_payload("[1]"));
  listing templates{list_kind::resource_templates, 10};
  CHECK(items_of(add(templates, R"({"resourceTemplates": [2]})"))
        == parse_payload("[2]"));
  listing prompts{list_kind::prompts, 10};
  CHECK(items_of(add(prompts, R"({"prompts": [3]})")) == parse_payload("[3]"));
}

TEST_CASE("a null cursor ends a listing") {
  listing pages{list_kind::tools, 10};
  CHECK(items_of(add(pages, R"({"tools": [], "nextCursor": null})"))
        == parse_payload("[]"));
}

TEST_CASE("the empty cursor is a cursor") {
  listing pages{list_kind::tools, 10};
  CHECK(cursor_of(add(pages, R"({"tools": [1], "nextCursor": ""})")).empty());
  CHECK(error_of(add(pages, R"({"tools": [2], "nextCursor": ""})"))
        == "repeated_cursor");
}

TEST_CASE("a cursor that comes again is refused, even much later") {
  listing pages{list_kind::tools, 100};
  for (auto i = 0; i < 50; ++i)
    cursor_of(add(pages, R"({"tools": [], "nextCursor": "c)" + std::to_string(i)
                           + "\"}"));
  CHECK(error_of(add(pages, R"({"tools": [], "nextCursor": "c0"})"))
        == "repeated_cursor");
}

TEST_CASE("the last page that is allowed may be the last, but no more") {
  SECTION("it is the last") {
    listing pages{list_kind::tools, 2};
    add(pages, R"({"tools": [1], "nextCursor": "a"})");
    CHECK(items_of(add(pages, R"({"tools": [2]})")) == parse_payload("[1, 2]"));
  }
  SECTION("it names another") {
    listing pages{list_kind::tools, 2};
    add(pages, R"({"tools": [1], "nextCursor": "a"})");
    CHECK(error_of(add(pages, R"({"tools": [2], "nextCursor": "b"})"))
          == "too_many_pages");
  }
}

TEST_CASE("a page of another shape is refused") {
  listing pages{list_kind::tools, 10};
  CHECK(error_of(add(pages, "{}")) == "invalid_response");
  CHECK(error_of(add(pages, R"({"tools": {}})")) == "invalid_response");
  CHECK(error_of(add(pages, R"({"resources": []})")) == "invalid_response");
  CHECK(error_of(add(pages, "[]")) == "invalid_response");
  CHECK(error_of(add(pages, R"({"tools": [], "nextCursor": 7})"))
        == "invalid_response");
}

TEST_CASE("the next page is asked for by its cursor alone") {
  CHECK(page_params("x\"y") == parse_payload(R"({"cursor": "x\"y"})"));
}
