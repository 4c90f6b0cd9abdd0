#include "command_line.hpp"

#include "caf_mcp/messages/error_info.hpp"
#include "caf_mcp/messages/nearest_name.hpp"
#include "caf_mcp/messages/validate_options.hpp"
#include "caf_mcp/version.hpp"

#include "help_text.hpp"
#include "server_flags.hpp"
#include "target.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <system_error>
#include <utility>

namespace caf_mcp::tool {

namespace {

constexpr std::string_view target_mark = "--";

/// As for the options of a server: a week.
constexpr std::int64_t timeout_ms_max = std::int64_t{7} * 24 * 60 * 60 * 1000;

/// The two halves of the command line.
struct word_lists {
  std::vector<std::string> tool;
  /// Behind the first `--`; absent without one.
  std::optional<std::vector<std::string>> server;
};

word_lists split_words(int argc, const char* const* argv) {
  word_lists result;
  const auto* begin = argv + std::min(argc, 1);
  const auto* end = argv + argc;
  const auto* mark = std::find(begin, end, target_mark);
  result.tool.assign(begin, mark);
  if (mark != end)
    result.server.emplace(mark + 1, end);
  return result;
}

caf::error read_timeout(std::optional<caf::timespan>& to,
                        const std::string& text) {
  if (text.empty())
    return {};
  auto number = std::int64_t{0};
  const auto* end = text.data() + text.size();
  auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || rest != end || number < 1
      || number > timeout_ms_max)
    return config_error(
      "timeout", "is \"" + text + "\"; must be an integer from 1 to "
                   + std::to_string(timeout_ms_max) + ", in milliseconds");
  to = std::chrono::milliseconds{number};
  return {};
}

/// The grammar of the command line, and what was read.
class command_line_parser {
public:
  command_line_parser() {
    app_.name("caf-mcp");
    app_.description("Talks to a server of the Model Context Protocol (MCP): "
                     "starts it, asks it, prints the answer, and stops it.");
    app_.formatter(std::make_shared<help_formatter>());
    app_.footer("caf-mcp tools -- npx -y @modelcontextprotocol/server-"
                "everything\n"
                "caf-mcp call echo message=hello -- ./my-server --stdio\n"
                "caf-mcp --config mcp.json --server files resources --json");
    app_.set_help_flag("-h,--help", "Print this, or the help of a command.");
    app_.set_version_flag("--version", "caf-mcp " + std::string{version},
                          "Print the version.");
    declare_options();
    declare_commands();
    flags_.declare(app_);
  }

  std::variant<invocation, requested_text, caf::error> read(word_lists words) {
    std::reverse(words.tool.begin(), words.tool.end()); // as CLI11 wants it
    try {
      app_.parse(words.tool);
    } catch (const CLI::CallForHelp&) {
      return requested_text{app_.help()};
    } catch (const CLI::CallForVersion& call) {
      return requested_text{std::string{call.what()} + '\n'};
    } catch (const CLI::ArgumentMismatch& error) {
      auto name = std::string{error.what()};
      return config_error(name.substr(0, name.find(':')), "needs a value");
    } catch (const CLI::ParseError& error) {
      return usage_error(error);
    }
    invocation result;
    if (auto error = fill(result, words.server))
      return error;
    return result;
  }

private:
  struct declared_command {
    CLI::App* app;
    std::unique_ptr<command> action;
  };

  void declare_options() {
    app_.add_flag("--json", is_json_,
                  "Print one JSON document instead of text.");
    app_.add_flag("--verbose", is_verbose_,
                  "Say on stderr what goes on, and show the server's stderr.");
    app_
      .add_option("--timeout", timeout_,
                  "Time for the server to be ready, and for the answer to "
                  "each request. Default: handshake_timeout, and "
                  "request_timeout.")
      ->type_name("MS");
    app_
      .add_option("--config", target_.config_file,
                  "Configuration file with servers by name in "
                  "\"mcpServers\", as desktop clients and editors have it.")
      ->type_name("FILE");
    app_
      .add_option("--server", target_.server_name,
                  "Name of the server in the configuration file, or on the "
                  "node.")
      ->type_name("NAME");
    app_
      .add_option("--node", target_.nodes,
                  "Node that hosts the server, see the command serve. May be "
                  "repeated: another one is used if one is lost.")
      ->type_name("HOST:PORT")
      ->allow_extra_args(false);
    app_
      .add_option("--tls-certificate", tls_.certificate,
                  "Certificate of this node in PEM, for a node or serve by "
                  "TLS; needs --tls-key and --tls-ca.")
      ->type_name("FILE");
    app_
      .add_option("--tls-key", tls_.key,
                  "Private key of the certificate in PEM, without a "
                  "passphrase.")
      ->type_name("FILE");
    app_
      .add_option("--tls-ca", tls_.ca,
                  "Certificates in PEM of the authorities that must have "
                  "signed the certificate of the other side.")
      ->type_name("FILE");
    app_
      .add_option("--sampling-command", sampling_command_,
                  "Program, with its arguments, that answers requests of the "
                  "server for sampling: it gets the params on stdin, and "
                  "writes the result to stdout.")
      ->type_name("CMD");
  }

  void declare_commands() {
    for (const auto& entry : commands()) {
      auto* app = app_.add_subcommand(std::string{entry.name},
                                      std::string{entry.summary});
      // Options of the tool may stand behind the command.
      app->fallthrough();
      auto& added = commands_.emplace_back(declared_command{app, entry.make()});
      added.action->declare(*app);
    }
    app_.require_subcommand(1);
  }

  caf::error fill(invocation& to,
                  std::optional<std::vector<std::string>>& server) {
    for (auto& each : commands_)
      if (each.app->parsed())
        to.action = std::move(each.action);
    to.level = is_verbose_ ? verbosity::verbose : verbosity::quiet;
    if (auto error = to.action->check())
      return error;
    if (auto error = read_timeout(to.timeout, timeout_))
      return error;
    if (!sampling_command_.empty()) {
      auto sampling = read_sampling_command(sampling_command_);
      if (!sampling)
        return std::move(sampling.error());
      to.sampling = std::move(*sampling);
    }
    target_.command = std::move(server);
    const auto has_many
      = !target_.config_file.empty() || !target_.nodes.empty();
    if (has_many && target_.server_name.empty())
      target_.server_name = to.action->take_server().value_or("");
    if (auto error = fill_credentials(to))
      return error;
    if (!target_.nodes.empty())
      return fill_nodes(to);
    if (is_for_tree(*to.action))
      return fill_tree(to);
    if (auto error = read_target(target_, to.server, to.warnings))
      return error;
    if (auto error = flags_.apply(to.server))
      return error;
    return validate(to.server);
  }

  caf::error fill_credentials(invocation& to) const {
    const std::array given{std::pair{"tls-certificate", &tls_.certificate},
                           std::pair{"tls-key", &tls_.key},
                           std::pair{"tls-ca", &tls_.ca}};
    const auto has = [](const auto& each) { return !each.second->empty(); };
    if (std::any_of(given.begin(), given.end(), has)) {
      if (!to.action->needs_network() && target_.nodes.empty())
        return config_error("tls",
                            "is of no use here; it is for --node and for "
                            "the command serve");
      for (const auto& each : given)
        if (!has(each))
          return config_error(each.first,
                              "is missing; --tls-certificate, --tls-key and "
                              "--tls-ca belong together");
      auto loaded = tls_credentials::load(tls_);
      if (!loaded)
        return std::move(loaded.error());
      to.credentials.emplace(std::move(*loaded));
    }
    return to.action->check_transport(transport(to));
  }

  static node_transport transport(const invocation& to) {
    return to.credentials ? node_transport::tls : node_transport::tcp;
  }

  caf::error fill_nodes(invocation& to) const {
    if (target_.command || !target_.config_file.empty())
      return config_error("node", "is given beside a command or a "
                                  "configuration; the server is either there "
                                  "or here");
    if (to.action->scope() == command_scope::tree)
      return config_error("node", "is of no use here; the command is about the "
                                  "servers of a configuration: --config FILE");
    if (target_.server_name.empty())
      return config_error("server",
                          "is missing; --node needs --server NAME, or "
                          "a name such as SERVER/TOOL");
    for (const auto& text : target_.nodes) {
      auto node = parse_node_address("node", text);
      if (!node)
        return std::move(node.error());
      node->transport = transport(to);
      to.nodes.push_back(std::move(*node));
    }
    to.server_name = target_.server_name;
    return {};
  }

  bool is_for_tree(const command& action) const {
    return action.scope() == command_scope::tree
           || (action.scope() == command_scope::either && !target_.command
               && !target_.config_file.empty() && target_.server_name.empty());
  }

  caf::error fill_tree(invocation& to) {
    auto servers = read_tree(target_, to.warnings);
    if (!servers)
      return std::move(servers.error());
    for (auto& each : *servers) {
      if (each.state != server_entry_state::usable)
        continue;
      each.care.start = start_policy::eager; // somebody waits for all of them
      if (auto error = flags_.apply(each.options))
        return error;
      if (auto error = validate(each.options))
        return error;
    }
    to.servers = std::move(*servers);
    return {};
  }

  /// Says what CLI11 found wrong, and what may have been meant.
  caf::error usage_error(const CLI::ParseError& error) const {
    for (const auto& word : app_.remaining(true))
      if (word.starts_with('-'))
        return config_error(word,
                            "is no option; " + nearest(word, option_names()));
    if (app_.get_subcommands().empty())
      return no_command();
    for (const auto& word : app_.remaining(true))
      return local_error(errc::config_invalid,
                         '"' + word + "\" is one argument too many for "
                           + app_.get_subcommands().front()->get_name());
    return local_error(errc::config_invalid, error.what());
  }

  caf::error no_command() const {
    std::vector<std::string> names;
    for (const auto& entry : commands())
      names.emplace_back(entry.name);
    for (const auto& word : app_.remaining(true))
      return local_error(errc::config_invalid, '"' + word + "\" is no command; "
                                                 + nearest(word, names));
    return local_error(errc::config_invalid,
                       "no command; `caf-mcp --help` lists them");
  }

  std::vector<std::string> option_names() const {
    std::vector<std::string> result;
    for (const auto* option : app_.get_options())
      if (option->nonpositional())
        result.push_back("--" + option->get_lnames().front());
    return result;
  }

  static std::string nearest(const std::string& word,
                             const std::vector<std::string>& known) {
    auto name = word.substr(0, word.find('='));
    std::vector<std::string_view> views{known.begin(), known.end()};
    return "the nearest is " + std::string{nearest_name(name, views)};
  }

  bool is_json_ = false;
  bool is_verbose_ = false;
  std::string timeout_;
  std::string sampling_command_;
  target target_;
  tls_files tls_;
  server_flags flags_;
  std::vector<declared_command> commands_;
  CLI::App app_;
};

} // namespace

std::variant<invocation, requested_text, caf::error>
read_command_line(int argc, const char* const* argv) {
  command_line_parser parser;
  return parser.read(split_words(argc, argv));
}

output_format format_of(int argc, const char* const* argv) {
  auto words = split_words(argc, argv).tool;
  return std::find(words.begin(), words.end(), "--json") != words.end()
           ? output_format::json
           : output_format::text;
}

} // namespace caf_mcp::tool
