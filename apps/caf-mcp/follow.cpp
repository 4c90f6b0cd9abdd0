#include "follow.hpp"

#include "caf_mcp/actors/connection/subscriptions/listen_filters.hpp"
#include "caf_mcp/messages/error_info.hpp"

#include "client.hpp"
#include "run.hpp"

#include <CLI/CLI.hpp>
#include <caf/after.hpp>

#include <algorithm>
#include <charconv>
#include <limits>
#include <string_view>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace caf_mcp::tool {

namespace {

using clock = std::chrono::steady_clock;

/// Long enough for any run of the tool: a year.
constexpr std::uint64_t number_max = std::uint64_t{365} * 24 * 3600 * 1000;

/// Events between the connection and this thread.
constexpr std::uint64_t under_way_max = 100;

/// Events that wait beyond these when stdout is slow.
constexpr std::uint32_t waiting_max = 10'000;

caf::error read_number(std::string_view name, const std::string& text,
                       std::optional<std::uint64_t>& to) {
  if (text.empty())
    return {};
  auto number = std::uint64_t{0};
  const auto* end = text.data() + text.size();
  auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || rest != end || number < 1 || number > number_max)
    return config_error(name, "is \"" + text
                                + "\"; must be an integer from 1 to "
                                + std::to_string(number_max));
  to = number;
  return {};
}

/// One run of `follow`: takes the messages of the subscription.
class follower {
public:
  follower(client& server, const follow_limits& limits,
           const event_printer& print_event, const notice_printer& print_notice)
    : server_{server},
      limits_{limits},
      print_event_{print_event},
      print_notice_{print_notice} {
    // nop
  }

  caf::expected<payload> run(const listen_filter& filter) {
    listen_options options;
    options.credit = under_way_max;
    options.max_buffer = waiting_max;
    auto id = server_.ask(listen{filter, options});
    if (!id)
      return std::move(id.error());
    const auto end = limits_.end();
    while (!is_over_) {
      const auto rest = std::max(end - clock::now(), clock::duration::zero());
      const auto patience
        = std::min<clock::duration>(rest, reader_check_interval);
      server_.self()->receive(
        [this](const subscription_accepted& x) {
          notice("accepted", x.filter);
        },
        [this](const subscription_resumed& x) { notice("resumed", x.filter); },
        [this](const events_dropped& x) {
          notice({{"event", "dropped"}, {"count", x.count}});
        },
        [this](const subscription_event& x) { on_event(x); },
        [this](subscription_closed& x) { on_closed(x); },
        caf::after(patience) >>
          [this, end] { is_over_ = clock::now() >= end || reader_is_gone(); });
    }
    server_.tell(cancel_subscription{*id});
    if (error_)
      return std::move(error_);
    return payload{boost::json::object{}};
  }

private:
  void on_event(const subscription_event& x) {
    text_output out{who()};
    print_event_(x.event, out);
    write(out);
    ++count_;
    is_over_ = is_over_ || count_ == limits_.count();
    if (!is_over_)
      server_.tell(grant_events{x.id});
  }

  void on_closed(subscription_closed& x) {
    is_over_ = true;
    error_ = std::move(x.error);
    if (x.how == subscription_end::finished
        || x.how == subscription_end::withdrawn)
      notice({{"event", "closed"}, {"how", to_string(x.how)}});
  }

  void notice(std::string_view event, const listen_filter& filter) {
    auto accepted = listen_params(filter).value().at("notifications");
    notice({{"event", event}, {"notifications", std::move(accepted)}});
  }

  void notice(const boost::json::object& what) {
    text_output out{who()};
    print_notice_(what, out);
    write(out);
  }

  void write(text_output& out) {
    is_over_ = !write_stdout(out.take()) || reader_is_gone() || is_over_;
  }

  static reader who() {
    return ::isatty(STDOUT_FILENO) == 1 ? reader::person : reader::program;
  }

  client& server_;
  const follow_limits& limits_;
  const event_printer& print_event_;
  const notice_printer& print_notice_;
  std::uint64_t count_ = 0;
  bool is_over_ = false;
  caf::error error_;
};

} // namespace

void follow_limits::declare(CLI::App& app) {
  app.add_option("--count", count_text_, "Stop after this many.")
    ->type_name("N");
  app.add_option("--for", time_text_, "Stop after this time.")->type_name("MS");
}

caf::error follow_limits::check() {
  if (auto error = read_number("count", count_text_, count_))
    return error;
  return read_number("for", time_text_, time_ms_);
}

std::chrono::steady_clock::time_point follow_limits::end() const {
  return clock::now()
         + std::chrono::milliseconds{time_ms_.value_or(number_max)};
}

caf::expected<payload> follow(client& server, const listen_filter& filter,
                              const follow_limits& limits,
                              const event_printer& print_event,
                              const notice_printer& print_notice) {
  return follower{server, limits, print_event, print_notice}.run(filter);
}

} // namespace caf_mcp::tool
