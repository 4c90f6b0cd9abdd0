#include "hub_session.hpp"

#include "command_line.hpp"
#include "interrupt_watch.hpp"
#include "notify.hpp"
#include "run.hpp"

#include <algorithm>
#include <chrono>

namespace caf_mcp::tool {

namespace {

std::function<configuration()> reading(const invocation& what) {
  return [read = what.read_servers] {
    configuration result{caf::error{}, {}};
    result.servers = read(result.warnings);
    return result;
  };
}

std::function<void()> notice_to(const caf::scoped_actor& self) {
  return [to = caf::strong_actor_ptr{self.ptr()->ctrl()}] {
    notify(to, caf::ok_atom_v);
  };
}

} // namespace

hub_session::hub_session(caf::scoped_actor& self, hub servers,
                         const invocation& what, output_format format,
                         diagnostics& console, const service_notifier& manager,
                         const interrupt_watch& watch)
  : self_{self},
    servers_{std::move(servers)},
    format_{format},
    console_{console},
    manager_{manager},
    watch_{watch},
    reader_{reading(what), notice_to(self)} {
  if (auto known = ask(get_servers{}))
    for (const auto& status : *known)
      note(status);
  tell(self_, servers_, watch_servers{});
}

std::optional<server_status> hub_session::next_change(caf::timespan limit) {
  std::optional<server_status> result;
  if (is_interrupted_)
    return result;
  auto on_change = [this, &result](server_changed& event) {
    note(event.status);
    result = std::move(event.status);
  };
  auto on_interrupt = [this](cancel_request) { is_interrupted_ = true; };
  auto on_reload = [this](caf::update_atom) { is_reload_due_ = true; };
  auto on_read = [this](caf::ok_atom) { is_read_ = true; };
  if (limit == caf::infinite)
    self_->receive(on_change, on_interrupt, on_reload, on_read);
  else
    self_->receive(
      on_change, on_interrupt, on_reload, on_read, caf::after(limit) >> [] {});
  return result;
}

std::optional<server_status> hub_session::next_change_to_print() {
  while (!is_interrupted_ && !is_reload_due_ && !std::exchange(is_read_, false)
         && !has_failed_to_write() && !reader_is_gone())
    if (auto change = next_change(reader_check_interval))
      return change;
  return std::nullopt;
}

caf::expected<reload_report> hub_session::reload(configuration read) {
  for (const auto& each : read.warnings)
    warn(each);
  if (!read.servers)
    return std::move(read.servers.error());
  return ask(reload_servers{std::move(*read.servers)});
}

bool hub_session::is_asked_to_end() const noexcept {
  return watch_.was_interrupted();
}

void hub_session::wait_until_settled(caf::timespan limit) {
  wait_until(limit,
             [this](const std::string& name) { return is_settled(name); });
}

void hub_session::wait_until_tried(caf::timespan limit) {
  wait_until(limit, [this](const std::string& name) {
    return is_settled(name) || lost_.contains(name);
  });
}

template <class Predicate>
void hub_session::wait_until(caf::timespan limit, Predicate is_enough) {
  using clock = std::chrono::steady_clock;
  const auto is_over = [&] {
    return std::all_of(states_.begin(), states_.end(),
                       [&](const auto& each) { return is_enough(each.first); });
  };
  const auto end = clock::now() + limit;
  for (auto now = clock::now(); !is_over() && now < end; now = clock::now())
    if (!next_change(end - now))
      return;
}

/// The tool has all servers started at once, so that idle ones are on their
/// way, too.
bool hub_session::is_settled(const std::string& name) const {
  const auto state = states_.at(name);
  return state != server_state::idle && caf_mcp::is_settled(state);
}

void hub_session::note(const server_status& status) {
  states_[status.name] = status.state;
  if (status.state == server_state::waiting)
    lost_.insert(status.name);
}

} // namespace caf_mcp::tool
