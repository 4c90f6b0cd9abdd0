#include "tests/support/nodes.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/sanitizers.hpp"
#include "tests/support/scratch_directory.hpp"
#include "tests/support/tool.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <string>
#include <vector>

// What becomes of the tool where the system refuses it threads.

using Catch::Matchers::ContainsSubstring;
using tests::only_json;
using tests::run_tool;

namespace {

/// Runs the tool with its `number`th thread, and all after it, refused.
tests::tool_result run_without_thread(std::vector<std::string> words,
                                      int number) {
  tests::tool_run::setup how;
  how.env["LD_PRELOAD"] = tests::binary("fail-thread.so");
  how.env["FAIL_THREAD"] = std::to_string(number);
  return run_tool(std::move(words), how);
}

} // namespace

TEST_CASE("whichever thread the tool is refused, it says so and ends with 3",
          "[tool]") {
  if (tests::sanitizes_address || tests::sanitizes_threads)
    SKIP("the sanitizers bring their own threads");
  const tests::scratch_directory scratch;
  const auto config = scratch.write("mcp.json", tests::demo_servers({"demo"}));
  const tests::serving_node node;
  const auto address = to_string(node.address());
  for (const auto& words : std::vector<std::vector<std::string>>{
         {"--json", "ping", "--", tests::binary("demo-server")},
         {"--json", "--config", config, "tools"},
         {"--json", "--node", address, "--server", "demo", "ping"},
         {"--json", "--node", address, "status"}}) {
    CAPTURE(words);
    constexpr auto threads_max = 40;
    auto number = 1;
    for (; number <= threads_max; ++number) {
      CAPTURE(number);
      const auto result = run_without_thread(words, number);
      if (result.status == 0)
        break;
      CHECK(result.status == 3);
      CHECK_THAT(result.err, ContainsSubstring("caf-mcp: "));
      CHECK_THAT(result.out + result.err,
                 ContainsSubstring("temporarily unavailable"));
      only_json(result.out);
    }
    CHECK(number > 4);
    CHECK(number < threads_max);
  }
}
