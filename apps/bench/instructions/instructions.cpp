#include "instructions.hpp"

#include "caf_mcp/actors/runtime.hpp"

#include "host.hpp"

#include <boost/config.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <boost/version.hpp>
#include <caf/config.hpp>

#include <algorithm>
#include <array>
#include <gnu/libc-version.h>
#include <iostream>
#include <string>
#include <string_view>

namespace bench {

namespace {

constexpr int usage_error_status = 2;

const std::array scenarios{instructions::round_trips(),
                           instructions::large_result(),
                           instructions::timeouts()};

/// Returns what the number of instructions depends on beside our own code.
boost::json::value context() {
  return {{"compiler", BOOST_COMPILER},
          {"caf", std::to_string(CAF_MAJOR_VERSION) + '.'
                    + std::to_string(CAF_MINOR_VERSION) + '.'
                    + std::to_string(CAF_PATCH_VERSION)},
          {"boost", BOOST_LIB_VERSION},
          {"libc", ::gnu_get_libc_version()}};
}

int run(std::string_view argument) {
  if (argument == "--context") {
    std::cout << context() << '\n';
    return 0;
  }
  const auto* chosen
    = std::find_if(scenarios.begin(), scenarios.end(),
                   [&](const auto& each) { return each.name == argument; });
  if (chosen == scenarios.end()) {
    std::cerr
      << "usage: caf-mcp-bench instructions --context | SCENARIO\nscenarios:";
    for (const auto& each : scenarios)
      std::cerr << ' ' << each.name;
    std::cerr << '\n';
    return usage_error_status;
  }
  instructions::host host{*chosen};
  host.settle();
  host.perform(*chosen);
  host.settle();
  return 0;
}

} // namespace

int run_scenario(int argc, char** argv) {
  caf_mcp::init_global_meta_objects();
  return run(argc == 2 ? argv[1] : "");
}

} // namespace bench
