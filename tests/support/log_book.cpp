#include "tests/support/log_book.hpp"

#include "tests/support/wait_until.hpp"

#include <caf/exit_reason.hpp>
#include <caf/send.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <mutex>
#include <utility>

using namespace caf_mcp;

namespace tests {

/// Filled by the actor, read by the test.
struct log_book::record {
  std::mutex mutex;
  server_output all;

  void add(const server_output& output) {
    auto append = [](auto& to, const auto& from) {
      to.insert(to.end(), from.begin(), from.end());
    };
    std::unique_lock guard{mutex};
    append(all.junk_lines, output.junk_lines);
    append(all.remarks, output.remarks);
  }

  std::vector<std::string> get(std::vector<std::string> server_output::*which,
                               std::size_t count) {
    std::vector<std::string> result;
    wait_until([&] {
      std::unique_lock guard{mutex};
      result = all.*which;
      return result.size() >= count;
    });
    return result;
  }
};

log_book::log_book(caf::actor_system& system)
  : record_{std::make_shared<record>()},
    listener_{system.spawn(
      [](log_listener::pointer, const std::shared_ptr<record>& to) {
        return log_listener::behavior_type{
          [to](const server_output& output) { to->add(output); }};
      },
      record_)} {
  // nop
}

log_book::~log_book() {
  caf::anon_send_exit(listener_, caf::exit_reason::user_shutdown);
}

std::vector<std::string> log_book::remarks(std::size_t count) const {
  return record_->get(&server_output::remarks, count);
}

std::vector<std::string> log_book::junk(std::size_t count) const {
  return record_->get(&server_output::junk_lines, count);
}

} // namespace tests
