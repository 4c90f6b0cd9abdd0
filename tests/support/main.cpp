#include "caf_mcp/actors/nodes.hpp"

#include "tests/support/scratch_directory.hpp"

#include <catch2/catch_session.hpp>

#include <cstdlib>

int main(int argc, char** argv) {
  // Credentials of the user are made there; what the tests start inherits it.
  const tests::scratch_directory state;
  ::setenv("XDG_STATE_HOME", state.path().c_str(), 1);
  caf_mcp::init_global_meta_objects_of_nodes();
  return Catch::Session().run(argc, argv);
}
