#include "caf_mcp/actors/pipeline.hpp"

#include "caller.hpp"

#include <thread>

namespace bench::instructions {

namespace {

constexpr int timeout_count = 1'000;

constexpr std::chrono::milliseconds timeout{1};

/// Has all its requests expire together.
class timeout_caller final : public caller {
public:
  using caller::caller;

protected:
  caf::behavior make_behavior() override {
    caf_mcp::request_options options;
    options.timeout = timeout;
    for (auto i = 0; i < timeout_count; ++i)
      pipeline_.ask(
        caf_mcp::call_tool("echo", {{"message", "hello"}}, options),
        [this](const caf_mcp::payload&) {
          on_end(caf_mcp::local_error(caf_mcp::errc::invalid_response,
                                      "the server has answered"));
        },
        [this](const caf::error& error) { on_end(error); });
    // The answer comes when the connection has all requests.
    ask(this, server(), caf_mcp::get_session{})
      .then([](const caf_mcp::session_info&) { wait_for_deadlines(); },
            [this](const caf::error& error) { fail(error); });
    return {};
  }

private:
  /// Holds up the loop, which user code never does: a loop that went on would
  /// see the deadlines pass a few at a time, each time others.
  static void wait_for_deadlines() {
    std::this_thread::sleep_for(20 * timeout);
  }

  void on_end(const caf::error& error) {
    if (error != caf_mcp::errc::request_timeout)
      unexpected_ = error;
    if (++ended_ < timeout_count)
      return;
    if (unexpected_)
      fail(unexpected_);
    else
      finish();
  }

  caf_mcp::pipeline<> pipeline_{this, server()};
  int ended_ = 0;
  caf::error unexpected_;
};

} // namespace

scenario timeouts() {
  return {"timeouts",
          "test-never-answer",
          {"--after-initialize"},
          start_caller<timeout_caller>};
}

} // namespace bench::instructions
