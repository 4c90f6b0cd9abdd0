#pragma once

#include "caf_mcp/actors/nodes.hpp"
#include "caf_mcp/messages/json/payload.hpp"

#include "exit_status.hpp"
#include "text_output.hpp"

#include <caf/error.hpp>
#include <caf/expected.hpp>
#include <caf/timespan.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI { // NOLINT(readability-identifier-naming): CLI11's own name

class App;

} // namespace CLI

namespace caf_mcp::tool {

class client;
class hub_session;
class nodes_session;

/// How many servers a command talks to.
enum class command_scope {
  /// None.
  nothing,
  /// One, which the command line names.
  server,
  /// All of a configuration file.
  hub,
  /// One if the command line names it, else all.
  either,
};

/// Whom the command lets in, or talks to, among nodes.
enum class node_trust {
  /// This user, on this machine.
  user,
  /// Who has a certificate of the authorities that were given.
  certificates,
  /// Everybody.
  everybody,
};

/// How a result or a failure is printed.
enum class output_format : bool { text, json };

/// One command of the tool.
class command {
public:
  command() = default;
  command(const command&) = delete;
  command& operator=(const command&) = delete;
  virtual ~command() = default;

  /// Declares the arguments, and examples as the footer. `app` outlives this.
  virtual void declare(CLI::App& app) = 0;

  /// Reads the arguments, before anything is started.
  virtual caf::error check() {
    return {};
  }

  /// Takes the server's part off the qualified name that the arguments hold,
  /// and returns it. Called if the server is not named otherwise.
  virtual std::optional<std::string> take_server() {
    return std::nullopt;
  }

  virtual command_scope scope() const {
    return command_scope::server;
  }

  /// Returns whether the command talks to other nodes.
  virtual bool needs_network() const {
    return false;
  }

  /// Returns whether the command goes on until it is told to end, by SIGTERM,
  /// which is then no failure.
  virtual bool is_service() const {
    return false;
  }

  /// Returns whether the command ends by itself once `--timeout` is over.
  virtual bool has_time_limit() const {
    return !is_service();
  }

  /// Checks what depends on who is let in.
  virtual caf::error check_trust(node_trust) {
    return {};
  }

  /// Does what needs no server.
  virtual caf::expected<payload> run_alone() {
    return payload{};
  }

  /// Talks to the one server. Returns the document that `--json` prints.
  virtual caf::expected<payload> run(client&) {
    return payload{};
  }

  /// The same for all servers; `limit` is the time for them to be ready.
  virtual caf::expected<payload> run_hub(hub_session&, caf::timespan) {
    return payload{};
  }

  /// Returns whether the command can be about all servers of some nodes.
  virtual bool can_ask_nodes() const {
    return false;
  }

  /// Checks the arguments for servers of nodes.
  virtual caf::error check_nodes() const {
    return {};
  }

  /// The same for all servers of some nodes.
  virtual caf::expected<payload> run_nodes(nodes_session&) {
    return payload{};
  }

  /// Returns whether `run` prints all there is as it comes.
  virtual bool prints_itself() const {
    return false;
  }

  /// Prints what `run` returned, for people.
  virtual void print(const payload& result, text_output& out) const = 0;

  /// Says how the tool ends after `result`.
  virtual exit_status status(const payload&) const {
    return exit_status::done;
  }
};

/// How a command is listed and made.
struct command_entry {
  std::string_view name;
  /// One sentence.
  std::string_view summary;
  std::unique_ptr<command> (*make)();
};

/// Returns all commands in the order of the help text.
const std::vector<command_entry>& commands();

std::unique_ptr<command> make_info();
std::unique_ptr<command> make_ping();
std::unique_ptr<command> make_tools();
std::unique_ptr<command> make_resources();
std::unique_ptr<command> make_templates();
std::unique_ptr<command> make_prompts();
std::unique_ptr<command> make_call();
std::unique_ptr<command> make_read();
std::unique_ptr<command> make_prompt();
std::unique_ptr<command> make_complete();
std::unique_ptr<command> make_listen();
std::unique_ptr<command> make_logs();
std::unique_ptr<command> make_request();
std::unique_ptr<command> make_notify();
std::unique_ptr<command> make_status();
std::unique_ptr<command> make_serve();
std::unique_ptr<command> make_credentials();

} // namespace caf_mcp::tool
