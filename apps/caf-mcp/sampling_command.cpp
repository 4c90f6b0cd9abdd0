#include "sampling_command.hpp"

#include "caf_mcp/actors/port/child_process.hpp"
#include "caf_mcp/actors/port/find_executable.hpp"
#include "caf_mcp/messages/error_info.hpp"

#include "json_text.hpp"
#include "stop_event.hpp"

#include <CLI/CLI.hpp>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <poll.h>
#include <string_view>
#include <unistd.h>
#include <utility>
#include <variant>

namespace caf_mcp::tool {

namespace {

/// As long as a line of a server may be.
constexpr std::size_t output_bytes_max = std::size_t{8} * 1024 * 1024;

caf::error failure(const std::string& what) {
  return local_error(errc::handler_failed, "--sampling-command: " + what);
}

/// A run of the command. Ends its process group, whatever happens.
class command_run {
public:
  command_run(child_process child, std::string input)
    : child_{std::move(child)}, input_{std::move(input)} {
    // nop
  }

  command_run(const command_run&) = delete;
  command_run& operator=(const command_run&) = delete;

  ~command_run() {
    ::kill(-child_.pid, SIGKILL);
    pollfd exit{child_.exit.get(), POLLIN, 0};
    while (::poll(&exit, 1, -1) < 0 && errno == EINTR)
      continue;
    reap(child_.pid);
  }

  /// Feeds it until it has ended. Returns false if a stop came first, or if it
  /// wrote too much.
  bool finish(const std::stop_token& stop) {
    stop_event stopped{stop};
    for (;;) {
      std::array<pollfd, 4> events{{{stopped.fd(), POLLIN, 0},
                                    {child_.exit.get(), POLLIN, 0},
                                    {child_.stdout_pipe.get(), POLLIN, 0},
                                    {child_.stdin_pipe.get(), POLLOUT, 0}}};
      if (::poll(events.data(), events.size(), -1) < 0)
        continue; // EINTR
      if (events[0].revents != 0)
        return false;
      if (events[3].revents != 0)
        write_input();
      if (events[2].revents != 0 || events[1].revents != 0)
        read_output();
      if (output_.size() > output_bytes_max)
        return false;
      if (events[1].revents != 0)
        return true;
    }
  }

  exit_report end() const {
    return peek_exit(child_.pid).value_or(exit_report{});
  }

  const std::string& output() const noexcept {
    return output_;
  }

private:
  void write_input() {
    const auto rest = std::string_view{input_}.substr(input_bytes_written_);
    const auto count
      = ::write(child_.stdin_pipe.get(), rest.data(), rest.size());
    if (count > 0)
      input_bytes_written_ += static_cast<std::size_t>(count);
    const auto has_failed = count < 0 && errno != EAGAIN && errno != EINTR;
    if (has_failed || input_bytes_written_ == input_.size())
      child_.stdin_pipe.reset(); // not every program reads its input
  }

  void read_output() {
    std::array<char, 65536> chunk{};
    while (child_.stdout_pipe && output_.size() <= output_bytes_max) {
      const auto count
        = ::read(child_.stdout_pipe.get(), chunk.data(), chunk.size());
      if (count > 0)
        output_.append(chunk.data(), static_cast<std::size_t>(count));
      else if (count == 0 || (errno != EINTR && errno != EAGAIN))
        child_.stdout_pipe.reset();
      else if (errno == EAGAIN)
        return;
    }
  }

  child_process child_;
  std::string input_;
  std::size_t input_bytes_written_ = 0;
  std::string output_;
};

spawn_plan make_plan(const sampling_command& command) {
  spawn_plan plan;
  plan.executable = command.executable;
  plan.args = command.args;
  for (auto* const* each = environ; *each != nullptr; ++each)
    plan.environment.emplace_back(*each);
  plan.on_host_death = host_death_policy::kill;
  return plan;
}

caf::expected<payload> run_once(const sampling_command& command,
                                const payload& params,
                                const std::stop_token& stop) {
  auto spawned = spawn_child(make_plan(command));
  if (auto* reason = std::get_if<close_reason>(&spawned))
    return failure(describe(to_error(*reason)).message);
  command_run run{std::get<child_process>(std::move(spawned)),
                  params.to_json() + '\n'};
  if (!run.finish(stop))
    return failure(stop.stop_requested() ? "stopped" : "it writes too much");
  const auto end = run.end();
  if (end.cause == close_cause::signal)
    return failure("it was killed by signal " + std::to_string(end.number));
  if (end.number != 0)
    return failure("it ended with status " + std::to_string(end.number));
  auto result = parse_payload(run.output());
  if (result.if_object() == nullptr)
    return failure("it did not write a JSON object");
  return result;
}

} // namespace

caf::expected<sampling_command> read_sampling_command(const std::string& text) {
  auto words = CLI::detail::split_up(text);
  if (words.empty())
    return config_error("sampling-command", "must name a program");
  sampling_command result;
  result.args.assign(words.begin() + 1, words.end());
  auto program = words.front();
  if (program.find('/') != std::string::npos)
    program = std::filesystem::absolute(program).string();
  const auto* path = std::getenv("PATH");
  auto found = find_executable(program, path == nullptr ? "" : path);
  if (auto* reason = std::get_if<close_reason>(&found))
    return config_error("sampling-command",
                        describe(to_error(*reason)).message);
  result.executable = std::get<std::string>(std::move(found));
  return result;
}

blocking_handler_function run_for_sampling(sampling_command command) {
  return [command = std::move(command)](const server_request& request,
                                        const std::stop_token& stop) {
    return run_once(command, request.params, stop);
  };
}

} // namespace caf_mcp::tool
