// What is wrong with a server, and costs nothing but a word.
#include "tests/support/player.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>
#include <vector>

using namespace caf_mcp;
using tests::call_t;
using tests::host;
using tests::player;
using tests::value;

TEST_CASE("what is odd about a server is told, and costs nothing else") {
  player script{"oddities"};
  host app;
  caf::scoped_actor log{app.system()};
  auto server = app.connect(script.options(),
                            caf::actor_cast<log_listener>(caf::actor{log}));
  value(call_t(app, server));
  value(call_t(app, server)); // with an id that is bent again
  for (const auto* expected : {
         "sent an error that names no request: -32601 who?; 1 so far",
         "answered the request 4711, which waits for no answer; 1 so far",
         "sent an answer that names no request; 2 so far",
         "sent the unknown notification server/\\x1b[2Jready; 1 so far",
         "reported progress of no request; 1 so far",
         "sent the request roots/list, which nobody here answers; 1 so far",
         "sent a message that cannot be used: ",
         "sent a batch, which this version of the protocol has not; 1 so far",
         "gave an id back in another form, which is told once; 1 so far",
       }) {
    std::vector<std::string> remarks;
    log->receive([&](const server_output& output) { remarks = output.remarks; },
                 caf::after(std::chrono::seconds{10}) >> [] {});
    REQUIRE(remarks.size() == 1);
    CHECK(remarks[0].starts_with("the server " + std::string{expected}));
  }
  REQUIRE(ask(*app.self, server, close_connection{}));
  auto is_silent = false;
  log->receive([](const server_output&) {}, caf::after(std::chrono::seconds{0})
                                              >> [&] { is_silent = true; });
  CHECK(is_silent);
}
