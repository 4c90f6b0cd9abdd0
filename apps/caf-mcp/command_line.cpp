#include "command_line.hpp"

#include "caf_mcp/messages/config/nearest_name.hpp"
#include "caf_mcp/messages/config/validate_options.hpp"
#include "caf_mcp/messages/error_info.hpp"
#include "caf_mcp/version.hpp"

#include "help_text.hpp"
#include "option_use.hpp"
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

/// CLI11 splits a word in brackets: one that it would split gets this in front,
/// and so does one that begins with it.
constexpr char word_mark = '\x1f';

std::string marked(const std::string& word) {
  const auto is_in_brackets = word.starts_with('[') && word.ends_with(']');
  return is_in_brackets || word.starts_with(word_mark) ? word_mark + word
                                                       : word;
}

std::string unmarked(const std::string& word) {
  return word.starts_with(word_mark) ? word.substr(1) : word;
}

void unmark_values(CLI::App& app) {
  for (auto* option : app.get_options())
    if (option->get_expected_max() > 0)
      option->transform(unmarked);
}

/// When the servers of a configuration start.
enum class start_choice : bool {
  as_configured,
  /// Somebody waits for all of them.
  all_at_once,
};

/// The grammar of the command line, and what was read.
class command_line_parser
  : public std::enable_shared_from_this<command_line_parser> {
public:
  command_line_parser() {
    app_.name("caf-mcp");
    app_.description("Starts a server of the Model Context Protocol (MCP), "
                     "sends it a request, prints the answer, and stops it.");
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
    unmark_values(app_);
    for (auto& each : commands_)
      unmark_values(*each.app);
  }

  std::variant<invocation, requested_text, caf::error>
  read(word_lists words,
       const std::function<void(const command&)>& on_command) {
    if (auto error = check_flags(words.tool))
      return error;
    std::transform(words.tool.begin(), words.tool.end(), words.tool.begin(),
                   marked);
    std::reverse(words.tool.begin(), words.tool.end()); // as CLI11 wants it
    try {
      app_.parse(words.tool);
    } catch (const CLI::CallForHelp&) {
      return requested_text{"help", app_.help()};
    } catch (const CLI::CallForVersion& call) {
      return requested_text{"version", std::string{call.what()} + '\n'};
    } catch (const CLI::ArgumentMismatch& error) {
      auto name = std::string{error.what()};
      return config_error(name.substr(0, name.find(':')), "needs a value");
    } catch (const CLI::ParseError& error) {
      return usage_error(error);
    }
    invocation result;
    for (auto& each : commands_)
      if (each.app->parsed())
        result.action = std::move(each.action);
    on_command(*result.action);
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
                  "Log progress to stderr, and show the server's stderr.");
    app_
      .add_option("--log-format", log_format_,
                  "How stderr looks: text, or json, which is one JSON object "
                  "a line. Default: text.")
      ->type_name("FORMAT");
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
                  "repeated: another one is used if one is lost, and lists "
                  "are of all.")
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
      .add_option("--tls-revoked", tls_.revoked,
                  "Lists of revoked certificates in PEM, one of each "
                  "authority; read anew when the file has changed.")
      ->type_name("FILE");
    app_
      .add_option("--tls-name", tls_.peer_names,
                  "Name that the certificate of the other side must hold. May "
                  "be repeated: one of them.")
      ->type_name("NAME")
      ->allow_extra_args(false);
    app_.add_flag("--insecure", is_insecure_,
                  "Talk to nodes, and serve, without encryption and without "
                  "asking who is who. Default: what this user runs on this "
                  "machine, and nobody else.");
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
    to.level = is_verbose_ ? verbosity::verbose : verbosity::quiet;
    if (log_format_ != "text" && log_format_ != "json")
      return config_error("log-format",
                          "is \"" + log_format_ + "\"; must be text or json");
    to.logs = log_format_ == "json" ? log_format::json : log_format::text;
    target_.command = std::move(server);
    if (auto error
        = check_options(app_, *to.action, kind_of_target(*to.action)))
      return error;
    if (auto error = to.action->check())
      return error;
    if (app_.count("--timeout") > 0)
      if (auto error = read_timeout(to.timeout, timeout_))
        return error;
    if (!sampling_command_.empty()) {
      auto sampling = read_sampling_command(sampling_command_);
      if (!sampling)
        return std::move(sampling.error());
      to.sampling = std::move(*sampling);
    }
    const auto has_many
      = !target_.config_file.empty() || !target_.nodes.empty();
    if (has_many && target_.server_name.empty())
      target_.server_name = to.action->take_server().value_or("");
    if (auto error = fill_credentials(to))
      return error;
    if (to.action->scope() == command_scope::nothing)
      return check_target_of_none();
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
    const auto has_network
      = to.action->needs_network() || !target_.nodes.empty();
    if (auto error = check_credentials(has_network))
      return error;
    const auto trust = is_insecure_               ? node_trust::everybody
                       : tls_.certificate.empty() ? node_trust::user
                                                  : node_trust::certificates;
    if (auto error = to.action->check_trust(trust))
      return error;
    if (!has_network || is_insecure_)
      return {};
    auto loaded = trust == node_trust::user ? tls_credentials::of_user()
                                            : tls_credentials::load(tls_);
    if (!loaded)
      return std::move(loaded.error());
    to.credentials.emplace(std::move(*loaded));
    return {};
  }

  /// The three files belong together; what narrows them down needs them.
  caf::error check_credentials(bool has_network) const {
    const std::array files{std::pair{"tls-certificate", &tls_.certificate},
                           std::pair{"tls-key", &tls_.key},
                           std::pair{"tls-ca", &tls_.ca}};
    const auto has = [](const auto& each) { return !each.second->empty(); };
    const auto is_given = std::any_of(files.begin(), files.end(), has)
                          || !tls_.revoked.empty() || !tls_.peer_names.empty();
    if ((is_given || is_insecure_) && !has_network)
      return config_error(is_given ? "tls" : "insecure",
                          "is of no use here; it is for --node and for "
                          "the command serve");
    if (is_given && is_insecure_)
      return config_error("insecure",
                          "is given beside options for TLS; choose one");
    for (const auto& each : files)
      if (is_given && !has(each))
        return config_error(each.first,
                            "is missing; --tls-certificate, --tls-key and "
                            "--tls-ca belong together");
    return {};
  }

  caf::error check_target_of_none() const {
    if (!target_.command && target_.config_file.empty() && target_.nodes.empty()
        && target_.server_name.empty())
      return {};
    return config_error("server", "is of no use here; the command is about no "
                                  "server");
  }

  caf::error fill_nodes(invocation& to) const {
    if (target_.command || !target_.config_file.empty())
      return config_error("node", "cannot be combined with a command or a "
                                  "configuration; the server runs either on "
                                  "the node or here");
    to.asks_nodes = to.action->can_ask_nodes()
                    && (to.action->scope() == command_scope::hub
                        || target_.server_name.empty());
    if (to.action->scope() == command_scope::hub && !to.asks_nodes)
      return config_error("node",
                          "cannot be used here; this command is about "
                          "the servers of a configuration: --config FILE");
    if (auto error = to.action->check_nodes())
      return error;
    if (target_.server_name.empty() && !to.asks_nodes)
      return config_error("server",
                          "is missing; --node needs --server NAME, or "
                          "a name such as SERVER/TOOL");
    for (const auto& text : target_.nodes) {
      auto node = parse_node_address("node", text);
      if (!node)
        return std::move(node.error());
      node->transport
        = is_insecure_ ? node_transport::tcp : node_transport::tls;
      to.nodes.push_back(std::move(*node));
    }
    to.server_name = target_.server_name;
    return {};
  }

  target_kind kind_of_target(const command& action) const {
    if (action.scope() == command_scope::nothing)
      return target_kind::nothing;
    if (!target_.nodes.empty())
      return target_kind::nodes;
    return is_for_tree(action) ? target_kind::tree : target_kind::process;
  }

  bool is_for_tree(const command& action) const {
    return action.scope() == command_scope::hub
           || (action.scope() == command_scope::either && !target_.command
               && !target_.config_file.empty() && target_.server_name.empty());
  }

  caf::error fill_tree(invocation& to) {
    const auto starts = to.action->needs_network() ? start_choice::as_configured
                                                   : start_choice::all_at_once;
    auto servers = read_servers(starts, to.warnings);
    if (!servers)
      return std::move(servers.error());
    to.servers = std::move(*servers);
    to.read_servers = [self = shared_from_this(),
                       starts](std::vector<std::string>& warnings) {
      return self->read_servers(starts, warnings);
    };
    return {};
  }

  caf::expected<std::vector<server_entry>>
  read_servers(start_choice starts, std::vector<std::string>& warnings) const {
    auto servers = read_tree(target_, warnings);
    if (!servers)
      return servers;
    for (auto& each : *servers) {
      if (each.state != server_entry_state::usable)
        continue;
      if (starts == start_choice::all_at_once)
        each.policy.start = start_policy::eager;
      if (auto error = flags_.apply(each.options))
        return error;
      if (auto error = validate(each.options))
        return error;
    }
    return servers;
  }

  /// CLI11 takes `--flag=true`, and its siblings, for the flag.
  caf::error check_flags(const std::vector<std::string>& words) const {
    for (const auto& word : words) {
      const auto sign = word.find('=');
      if (!word.starts_with("--") || sign == std::string::npos)
        continue;
      const auto name = word.substr(0, sign);
      if (is_flag(app_, name)
          || std::any_of(commands_.begin(), commands_.end(),
                         [&name](const declared_command& each) {
                           return is_flag(*each.app, name);
                         }))
        return config_error(name, "takes no value");
    }
    return {};
  }

  static bool is_flag(const CLI::App& app, const std::string& name) {
    const auto* option = app.get_option_no_throw(name);
    return option != nullptr && option->get_expected_max() == 0;
  }

  /// Says what CLI11 found wrong, and what may have been meant.
  caf::error usage_error(const CLI::ParseError& error) const {
    for (const auto& word : app_.remaining(true))
      if (word.starts_with('-'))
        return config_error(word, "is not an option; "
                                    + nearest(word, option_names()));
    if (app_.get_subcommands().empty())
      return no_command();
    for (const auto& word : app_.remaining(true))
      return local_error(errc::config_invalid,
                         '"' + unmarked(word)
                           + "\" is one argument too many for "
                           + app_.get_subcommands().front()->get_name());
    return local_error(errc::config_invalid, error.what());
  }

  caf::error no_command() const {
    std::vector<std::string> names;
    for (const auto& entry : commands())
      names.emplace_back(entry.name);
    for (const auto& word : app_.remaining(true))
      return local_error(errc::config_invalid, '"' + unmarked(word)
                                                 + "\" is not a command; "
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
  bool is_insecure_ = false;
  std::string timeout_;
  std::string log_format_ = "text";
  std::string sampling_command_;
  target target_;
  tls_files tls_;
  server_flags flags_;
  std::vector<declared_command> commands_;
  CLI::App app_;
};

} // namespace

std::variant<invocation, requested_text, caf::error>
read_command_line(int argc, const char* const* argv,
                  const std::function<void(const command&)>& on_command) {
  // What was read reads its servers anew by it.
  const auto parser = std::make_shared<command_line_parser>();
  return parser->read(split_words(argc, argv), on_command);
}

output_format format_of(int argc, const char* const* argv) {
  auto words = split_words(argc, argv).tool;
  return std::find(words.begin(), words.end(), "--json") != words.end()
           ? output_format::json
           : output_format::text;
}

log_format log_format_of(int argc, const char* const* argv) {
  const auto words = split_words(argc, argv).tool;
  const auto found = std::find(words.begin(), words.end(), "--log-format");
  const auto is_json
    = (found != words.end() && std::next(found) != words.end()
       && *std::next(found) == "json")
      || std::find(words.begin(), words.end(), "--log-format=json")
           != words.end();
  return is_json ? log_format::json : log_format::text;
}

} // namespace caf_mcp::tool
