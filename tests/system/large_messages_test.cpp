#include "tests/support/host.hpp"
#include "tests/support/resident_memory.hpp"
#include "tests/support/wait_until.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cstddef>
#include <optional>

using namespace caf_mcp;

namespace {

constexpr std::size_t mib = std::size_t{1024} * 1024;

} // namespace

TEST_CASE("results of very different sizes arrive whole, one after another",
          "[system]") {
  tests::host app;
  auto options = tests::host::program("demo-server");
  options.max_message_bytes = 128 * mib;
  const auto server = app.open(options);
  for (std::size_t bytes :
       {std::size_t{1}, 5 * mib, 40 * mib, 3 * mib, 12 * mib, 40 * mib}) {
    const auto answer = tests::value(
      ask(*app.self, server, call_tool("big", {{"bytes", bytes}})));
    const auto& text
      = answer.value().at("content").as_array().at(0).at("text").as_string();
    CHECK(text.size() == bytes);
    CHECK(text.find_first_not_of(text[0]) == boost::json::string::npos);
  }
}

TEST_CASE("a large message leaves no memory behind in a host that is idle",
          "[system]") {
  tests::host app;
  auto options = tests::host::program("demo-server");
  options.max_message_bytes = 256 * mib;
  const auto server = app.open(options);
  const auto before = tests::resident_bytes();
  std::optional<payload> held = tests::value(
    ask(*app.self, server, call_tool("big", {{"bytes", 128 * mib}})));
  CHECK(tests::resident_bytes() >= before + 128 * mib);
  held.reset();
  CHECK(tests::wait_until([before] {
    return tests::resident_bytes() < before + tests::memory_noise_bytes;
  }));
}
