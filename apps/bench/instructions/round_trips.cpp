#include "caf_mcp/actors/pipeline.hpp"

#include "caller.hpp"

namespace bench::instructions {

namespace {

constexpr int round_trip_count = 10'000;

/// Sends a request when the one before is answered.
class round_trip_caller final : public caller {
public:
  using caller::caller;

protected:
  caf::behavior make_behavior() override {
    send_next();
    return {};
  }

private:
  void send_next() {
    if (sent_ == round_trip_count) {
      finish();
      return;
    }
    ++sent_;
    auto request
      = caf_mcp::call_tool("echo", {{"message", "hello"}}, never_times_out());
    auto on_result = [this](const caf_mcp::payload&) { send_next(); };
    auto on_error = [this](const caf::error& error) { fail(error); };
    if (sent_ % 2 == 0)
      pipeline_.ask(std::move(request), on_result, on_error);
    else
      ask(this, server(), std::move(request)).then(on_result, on_error);
  }

  caf_mcp::pipeline<> pipeline_{this, server()};
  int sent_ = 0;
};

} // namespace

scenario round_trips() {
  return {"round-trips", "demo-server", {}, start_caller<round_trip_caller>};
}

} // namespace bench::instructions
