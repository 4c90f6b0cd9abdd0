#include "host.hpp"

#include "caf_mcp/actors/client.hpp"
#include "caf_mcp/messages/error_info.hpp"

#include <filesystem>
#include <stdexcept>

namespace bench::instructions {

namespace {

/// CAF's own threads have nothing to do, and are not to poll for it.
caf::actor_system_config& set_up(caf::actor_system_config& config) {
  config.set("caf.scheduler.policy", "sharing");
  config.set("caf.scheduler.max-threads", 1);
  return config;
}

template <class T>
T value_of(caf::expected<T> result) {
  if (!result)
    throw std::runtime_error{caf_mcp::describe(result.error()).message};
  return std::move(*result);
}

/// Room for the largest result of a scenario.
constexpr std::size_t message_bytes_max = std::size_t{32} * 1024 * 1024;

caf_mcp::server_options server_of(const scenario& what) {
  caf_mcp::server_options result;
  result.command = std::filesystem::read_symlink("/proc/self/exe")
                     .replace_filename(what.server)
                     .string();
  result.args = what.server_args;
  result.max_message_bytes = message_bytes_max;
  result.mode = caf_mcp::era_mode::legacy;
  return result;
}

} // namespace

host::host(const scenario& what)
  : system_{set_up(config_)},
    runtime_{system_},
    self_{system_},
    server_{value_of(caf_mcp::spawn_connection(runtime_, server_of(what)))} {
  value_of(ask(self_, server_, caf_mcp::open_connection{}));
}

void host::perform(const scenario& what) {
  assignment given{server_, {}};
  auto done = given.done.get_future();
  what.start(system_, runtime_.next_loop(), std::move(given));
  done.get();
}

void host::settle() {
  // The first answer may come before the end of the caller is known.
  for (auto i = 0; i < 2; ++i)
    value_of(ask(self_, server_, caf_mcp::get_session{}));
}

} // namespace bench::instructions
