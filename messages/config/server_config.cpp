#include "caf_mcp/messages/config/server_config.hpp"

#include "caf_mcp/messages/config/config_text.hpp"
#include "caf_mcp/messages/config/option_readers.hpp"
#include "caf_mcp/messages/config/options_json.hpp"
#include "caf_mcp/messages/config/supervision_json.hpp"
#include "caf_mcp/messages/config/validate_options.hpp"
#include "caf_mcp/messages/error_info.hpp"
#include "caf_mcp/messages/json/utf8.hpp"

#include <array>
#include <cstddef>
#include <utility>

namespace caf_mcp {

namespace {

constexpr std::array<std::string_view, 6> expanded_keys{
  "command", "args", "env", "cd", "cwd", "stderr",
};

/// Where an entry stands, for messages.
struct place {
  std::string_view file;
  std::string_view server;

  std::string prefix() const {
    return std::string{file} + ": server " + in_quotes(server) + ": ";
  }
};

/// Puts the place in front of the message of a `config_invalid`, and its parts
/// beside the key in its data.
caf::error located(const caf::error& error, const place& where) {
  auto info = describe(error);
  boost::json::object data;
  if (const auto* known = info.data.if_object())
    data = *known;
  data["server"] = to_valid_utf8(std::string{where.server});
  data["file"] = to_valid_utf8(std::string{where.file});
  return local_error(errc::config_invalid, where.prefix() + info.message,
                     payload{std::move(data)});
}

bool has_flag(const boost::json::object& entry, std::string_view key,
              bool expected) {
  const auto* value = entry.if_contains(key);
  const auto* flag = value != nullptr ? value->if_bool() : nullptr;
  return flag != nullptr && *flag == expected;
}

bool is_disabled(const boost::json::object& entry) {
  return has_flag(entry, "disabled", true) || has_flag(entry, "enabled", false);
}

/// Returns an error if no process stands behind the entry.
caf::error check_transport(const boost::json::object& entry) {
  if (const auto* type = entry.if_contains("type"))
    if (as_text(*type) != "stdio")
      return config_error("type", "is " + shown(*type)
                                    + "; only \"stdio\" is supported");
  for (std::string_view key : {"url", "serverUrl", "httpUrl"})
    if (entry.contains(key) && !entry.contains("command"))
      return config_error(key, "servers behind a URL are not supported, only "
                               "those with a command");
  return {};
}

/// Returns the options of an entry as the file has them, as far as they can be
/// read: what stands for the value of a variable may be of another shape.
server_options read_as_written(const boost::json::object& entry) {
  server_options result;
  for (const auto& member : entry)
    if (const auto* option = find_option(member.key()))
      static_cast<void>(option->read(result, *option, member.value()));
  return result;
}

/// Notes the texts of `expanded` that differ from those of `written`, from
/// which it was made.
void note_expansions(std::map<std::string, std::string>& to,
                     const boost::json::value& expanded,
                     const boost::json::value& written) {
  if (expanded.is_string() && expanded != written)
    to.emplace(as_text(expanded), as_text(written));
  if (const auto* items = expanded.if_array())
    for (std::size_t i = 0; i < items->size(); ++i)
      note_expansions(to, (*items)[i], written.get_array()[i]);
  if (const auto* members = expanded.if_object())
    for (const auto& member : *members)
      note_expansions(to, member.value(),
                      written.get_object().at(member.key()));
}

/// Fills in the options; those that are there already are the defaults.
caf::error read_entry(server_entry& to, boost::json::object entry,
                      const variable_lookup& lookup,
                      std::vector<std::string>& warnings) {
  const auto written = entry;
  for (auto key : expanded_keys)
    if (auto* value = entry.if_contains(key)) {
      if (auto error = expand_variables(*value, key, lookup))
        return error;
      note_expansions(to.options.as_written, *value, written.at(key));
    }
  if (auto error = take_supervision(to.policy, entry))
    return error;
  auto options
    = options_from_json(entry, warnings, std::move(to.options), &written);
  if (!options)
    return std::move(options.error());
  to.options = std::move(*options);
  return validate(to.options, read_as_written(written));
}

using key_path = std::vector<std::string>;

/// The place of a key: that of the servers, the name of one, and its own.
enum path_part : std::size_t { servers_part, name_part, key_part };

/// Returns whether the key may decide what other nodes are offered, so that to
/// take either of its values would be to guess.
bool decides_offer(const key_path& path) {
  return path.size() > name_part
         && (path.size() == key_part || path[key_part] == "remote"
             || path[key_part] == "tools");
}

class config_reader {
public:
  config_reader(const variable_lookup& lookup, std::string_view file,
                const server_options& defaults, std::vector<key_path> repeated)
    : lookup_{lookup},
      file_{file},
      defaults_{defaults},
      repeated_{std::move(repeated)} {
    // nop
  }

  void add(std::string_view name, const boost::json::value& value) {
    auto where = place{file_, name};
    auto& to = result_.servers.emplace_back();
    to.name = name;
    to.options = defaults_;
    if (!value.is_object()) {
      mark(to, server_entry_state::broken,
           local_error(errc::config_invalid, "must be an object"), where);
      return;
    }
    // First of all: what is hidden from other nodes is hidden, broken or not.
    auto entry = value.get_object();
    if (auto error = check_repeated(where)) {
      to.policy.offer.remote = false;
      mark(to, server_entry_state::broken, error, where);
    } else if (error = take_offer(to.policy.offer, entry); error)
      mark(to, server_entry_state::broken, error, where);
    else if (auto no_process = check_transport(entry))
      mark(to, server_entry_state::unsupported, no_process, where);
    else
      add_process(to, entry, where);
  }

  server_config take() {
    return std::move(result_);
  }

private:
  /// Fails if a key of the server stands twice that must not; others are odd.
  caf::error check_repeated(const place& where) {
    for (const auto& path : repeated_) {
      if (path.size() <= name_part || path[name_part] != where.server)
        continue;
      const auto& key = path.back();
      if (decides_offer(path))
        return config_error(key, path.size() == key_part
                                   ? "the name stands twice in the file"
                                   : "stands twice; must stand once");
      result_.warnings.push_back(where.prefix() + "the key " + in_quotes(key)
                                 + " stands twice; the last one counts");
    }
    return {};
  }

  /// Editors take these tools from their own models.
  static void check_disabled_tools(const boost::json::object& entry,
                                   const server_offer& offer,
                                   std::vector<std::string>& warnings) {
    const auto* names = entry.if_contains("disabledTools");
    const auto* items = names != nullptr ? names->if_array() : nullptr;
    if (items == nullptr)
      return;
    for (const auto& item : *items)
      if (offers_tool(offer, as_text(item)))
        warnings.push_back("\"disabledTools\" is ignored, although it has "
                           + shown(item)
                           + "; \"tools\": {\"deny\": [...]} keeps tools "
                             "from other nodes");
  }

  void add_process(server_entry& to, const boost::json::object& entry,
                   const place& where) {
    std::vector<std::string> warnings;
    check_disabled_tools(entry, to.policy.offer, warnings);
    auto error = read_entry(to, entry, lookup_, warnings);
    for (const auto& warning : warnings)
      result_.warnings.push_back(where.prefix() + warning);
    if (is_disabled(entry))
      mark(to, server_entry_state::disabled,
           config_error("disabled", "the server is disabled"), where);
    else if (error)
      mark(to, server_entry_state::broken, error, where);
  }

  static void mark(server_entry& entry, server_entry_state state,
                   const caf::error& error, const place& where) {
    entry.state = state;
    entry.error = located(error, where);
  }

  const variable_lookup& lookup_;
  std::string_view file_;
  const server_options& defaults_;
  std::vector<key_path> repeated_;
  server_config result_;
};

/// Returns the object that holds the servers, or nullptr.
const boost::json::value* find_servers(const boost::json::value& document) {
  const auto* object = document.if_object();
  if (object == nullptr)
    return nullptr;
  const auto* servers = object->if_contains("mcpServers");
  return servers != nullptr ? servers : object->if_contains("servers");
}

std::string known_names(const server_config& config) {
  std::string result;
  for (const auto& entry : config.servers)
    result += (result.empty() ? "" : ", ") + in_quotes(entry.name);
  return result.empty() ? "none" : result;
}

} // namespace

caf::expected<server_config>
parse_server_config(std::string_view text, const variable_lookup& lookup,
                    std::string_view file, const server_options& defaults) {
  auto document = parse_config_text(text, file);
  if (!document)
    return std::move(document.error());
  const auto* servers = find_servers(*document);
  if (servers == nullptr || !servers->is_object())
    return config_error("mcpServers", std::string{file}
                                        + " must be an object that holds the "
                                          "servers by name in \"mcpServers\" "
                                          "or \"servers\"");
  auto repeated = repeated_keys(text);
  for (const auto& path : repeated)
    if (path.size() == name_part)
      return config_error(path.front(), "stands twice in " + std::string{file}
                                          + "; must stand once");
  auto reader = config_reader{lookup, file, defaults, std::move(repeated)};
  for (const auto& server : servers->get_object())
    reader.add(server.key(), server.value());
  return reader.take();
}

caf::expected<server_config>
load_server_config(const std::string& path, const server_options& defaults) {
  auto text = read_config_file(path);
  if (!text)
    return std::move(text.error());
  return parse_server_config(*text, host_variable, path, defaults);
}

caf::expected<server_options> find_server(const server_config& config,
                                          std::string_view name) {
  for (const auto& entry : config.servers) {
    if (entry.name != name)
      continue;
    if (entry.state != server_entry_state::usable)
      return entry.error;
    return entry.options;
  }
  return local_error(errc::not_found, "no server is called " + in_quotes(name)
                                        + "; known are " + known_names(config));
}

} // namespace caf_mcp
