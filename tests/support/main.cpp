#include "caf_mcp/actors/runtime.hpp"

#include <catch2/catch_session.hpp>

int main(int argc, char** argv) {
  caf_mcp::init_global_meta_objects();
  return Catch::Session().run(argc, argv);
}
