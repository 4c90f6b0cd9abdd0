// A pipeline holds requests back for a while; what its actor sends meanwhile
// does not overtake them.
#include "caf_mcp/actors/pipeline.hpp"

#include "tests/support/fake_port.hpp"

#include <caf/event_based_actor.hpp>
#include <catch2/catch_test_macros.hpp>

#include <string>

using namespace caf_mcp;
using tests::fake_port;

namespace {

send_request tagged(std::string method, std::uint64_t tag) {
  request_options options;
  options.tag = tag;
  return {std::move(method), {}, options};
}

/// Makes requests in one message, and says something after the last.
class piper : public caf::event_based_actor {
public:
  enum class last_word { cancel_request, notification, request };

  piper(caf::actor_config& config, connection server, last_word what)
    : caf::event_based_actor{config},
      server_{std::move(server)},
      calls_{this, server_},
      what_{what} {
    // nop
  }

  caf::behavior make_behavior() override {
    add("a", 1);
    add("b", 7);
    add("c", 7);
    if (what_ == last_word::cancel_request)
      ask(this, server_, cancel_request{7, ""}).then([] {});
    else if (what_ == last_word::notification)
      tell(this, server_, send_notification{"x"});
    else
      ask(this, server_, send_request{"d"})
        .then([](const payload&) {}, [](const caf::error&) {});
    add("e", 7);
    return {[](int) {}};
  }

private:
  void add(std::string method, std::uint64_t tag) {
    calls_.ask(
      tagged(std::move(method), tag), [](const payload&) {},
      [](const caf::error&) {});
  }

  connection server_;
  pipeline<> calls_;
  last_word what_;
};

} // namespace

TEST_CASE_METHOD(fake_port,
                 "a cancellation ends pipelined requests before it") {
  connect_legacy();
  auto caller
    = system().spawn<piper>(connection, piper::last_word::cancel_request);
  CHECK(written() == "request 2 a");
  CHECK(written() == "request 3 b");
  CHECK(written() == "request 4 c");
  CHECK(written() == R"(notify notifications/cancelled {"requestId":4})");
  CHECK(written() == R"(notify notifications/cancelled {"requestId":3})");
  CHECK(written() == "request 5 e");
}

TEST_CASE_METHOD(fake_port, "a notification follows pipelined requests") {
  connect_legacy();
  auto caller
    = system().spawn<piper>(connection, piper::last_word::notification);
  CHECK(written() == "request 2 a");
  CHECK(written() == "request 3 b");
  CHECK(written() == "request 4 c");
  CHECK(written() == "notify x");
  CHECK(written() == "request 5 e");
}

TEST_CASE_METHOD(fake_port, "a lone request follows pipelined requests") {
  connect_legacy();
  auto caller = system().spawn<piper>(connection, piper::last_word::request);
  CHECK(written() == "request 2 a");
  CHECK(written() == "request 3 b");
  CHECK(written() == "request 4 c");
  CHECK(written() == "request 5 d");
  CHECK(written() == "request 6 e");
}
