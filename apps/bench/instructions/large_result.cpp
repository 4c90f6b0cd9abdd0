#include "caller.hpp"

namespace bench::instructions {

namespace {

constexpr std::size_t text_bytes = std::size_t{16} * 1024 * 1024;

class large_result_caller final : public caller {
public:
  using caller::caller;

protected:
  caf::behavior make_behavior() override {
    ask(this, server(),
        caf_mcp::call_tool("big", {{"bytes", text_bytes}}, never_times_out()))
      .then([this](const caf_mcp::payload&) { finish(); },
            [this](const caf::error& error) { fail(error); });
    return {};
  }
};

} // namespace

scenario large_result() {
  return {"large-result", "demo-server", {}, start_caller<large_result_caller>};
}

} // namespace bench::instructions
