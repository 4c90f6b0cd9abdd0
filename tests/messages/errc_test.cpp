#include "caf_mcp/messages/errc.hpp"

#include <caf/error.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cctype>
#include <set>
#include <string>
#include <string_view>

namespace caf_mcp {

TEST_CASE("every error code has a name of its own", "[errc]") {
  std::set<std::string_view> names;
  for (auto code = static_cast<int>(errc::config_invalid);
       code <= static_cast<int>(errc::too_many_requests); ++code) {
    auto name = to_string(static_cast<errc>(code));
    INFO("code " << code);
    CHECK_FALSE(name.empty());
    CHECK(names.insert(name).second);
  }
  CHECK(names.size() == 24);
}

TEST_CASE("values outside the enumeration have no name", "[errc]") {
  CHECK(to_string(static_cast<errc>(0)).empty());
  CHECK(
    to_string(static_cast<errc>(static_cast<int>(errc::too_many_requests) + 1))
      .empty());
  CHECK(to_string(static_cast<errc>(255)).empty());
}

TEST_CASE("an error code can be found by its name", "[errc]") {
  CHECK(enum_from_name<errc>("request_timeout") == errc::request_timeout);
  CHECK_FALSE(enum_from_name<errc>("no_such_code"));
  CHECK_FALSE(enum_from_name<errc>(""));
}

TEST_CASE("no error code is 0, which CAF takes for no error", "[errc]") {
  CHECK_FALSE(enum_from_name<errc>("config_invalid") == static_cast<errc>(0));
  for (auto code = 1; code <= static_cast<int>(errc::too_many_requests); ++code)
    CHECK(caf::error{static_cast<errc>(code)});
}

TEST_CASE("timeouts and invalid options have JSON-RPC codes of their own",
          "[errc]") {
  CHECK(json_rpc_code(errc::request_timeout) == -32001);
  CHECK(json_rpc_code(errc::max_total_timeout) == -32001);
  CHECK(json_rpc_code(errc::config_invalid) == -32602);
  CHECK(json_rpc_code(errc::connection_closed) == -32000);
  CHECK(json_rpc_code(errc::invalid_response) == -32000);
}

TEST_CASE("CAF prints the name of an error code", "[errc]") {
  caf::error error{errc::junk_output};
  CHECK(caf::to_string(error).find("junk_output") != std::string::npos);
}

} // namespace caf_mcp
