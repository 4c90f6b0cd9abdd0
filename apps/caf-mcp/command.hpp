#pragma once

#include "caf_mcp/actors/hub/node.hpp"
#include "caf_mcp/messages/payload.hpp"

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
class tree;

/// How many servers a command talks to.
enum class command_scope {
  /// One, which the command line names.
  server,
  /// All of a configuration file.
  tree,
  /// One if the command line names it, else all.
  either,
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

  /// Checks what depends on how nodes talk.
  virtual caf::error check_transport(node_transport) {
    return {};
  }

  /// Talks to the one server. Returns the document that `--json` prints.
  virtual caf::expected<payload> run(client&) {
    return payload{};
  }

  /// The same for all servers; `limit` is the time for them to be ready.
  virtual caf::expected<payload> run_tree(tree&, caf::timespan) {
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

} // namespace caf_mcp::tool
