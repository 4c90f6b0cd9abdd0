#include "caf_mcp/actors/runtime.hpp"

#include <catch2/catch_session.hpp>

int main(int argc, char** argv) {
  caf_mcp::init_global_meta_objects();
  return Catch::Session().run(argc, argv);
}

#ifdef __SANITIZE_ADDRESS__
// CAF 0.18 forgets a connection, plain or by TLS, whose peer goes away between
// connect(2) and its hello: a scribe of some 400 bytes for each, until the
// process ends. The names are those of its two scribes; no code of ours owns
// one.
//
// NOLINTNEXTLINE(readability-identifier-naming, bugprone-reserved-identifier)
extern "C" const char* __lsan_default_suppressions() {
  return "leak:caf::io::network::default_multiplexer::new_tcp_scribe\n"
         "leak:scribe_impl\n";
}
#endif
