#include "caf_mcp/messages/config/option_descriptor.hpp"

#include "caf_mcp/messages/config/option_readers.hpp"
#include "caf_mcp/messages/error_info.hpp"
#include "caf_mcp/messages/json/json_document.hpp"

#include <limits>
#include <utility>

namespace caf_mcp {

namespace {

/// A line of 2 GiB is beyond what the JSON parser and 32-bit sizes take.
constexpr std::int64_t bytes_max = std::numeric_limits<std::int32_t>::max();

/// A week, longer than any useful limit.
constexpr std::int64_t milliseconds_max = std::int64_t{7} * 24 * 60 * 60 * 1000;

constexpr std::int64_t count_max = 1'000'000;

struct bounds {
  std::int64_t min = 0;
  std::int64_t max = 0;
};

std::string allowed_numbers(option_kind kind, bounds limits) {
  auto result = "an integer from " + std::to_string(limits.min) + " to "
                + std::to_string(limits.max);
  if (kind == option_kind::bytes)
    result += ", in bytes";
  if (kind == option_kind::milliseconds)
    result += ", in milliseconds";
  return result;
}

template <auto Member>
option_descriptor number_option(std::string_view key, option_kind kind,
                                bounds limits, std::string_view help) {
  auto get = number_of<Member>;
  return {key,
          kind,
          allowed_numbers(kind, limits),
          std::to_string(get(server_options{})),
          help,
          read_number<Member>,
          get,
          limits.min,
          limits.max};
}

template <auto Member>
option_descriptor choice_option(std::string_view key, std::string_view help) {
  auto value = server_options{}.*Member;
  return {key,
          option_kind::choice,
          names_in_quotes<decltype(value)>(),
          in_quotes(to_string(value)),
          help,
          read_choice<Member>};
}

/// The options about the process itself.
void add_process_options(std::vector<option_descriptor>& to) {
  to.push_back({"command", option_kind::text,
                "the bare name of an executable or an absolute path",
                "required",
                "Executable of the server: a name that is looked up in PATH, "
                "or an absolute path.",
                read_text<&server_options::command>});
  to.push_back({"args", option_kind::text_list, "a list of strings", "[]",
                "Arguments, passed as they are; no shell sees them.",
                read_text_list<&server_options::args>});
  to.push_back({"env", option_kind::environment,
                "an object whose values are strings, {\"secret\": \"...\"} or "
                "null, which unsets the variable",
                "{}",
                "Variables of the server's environment; they win over "
                "inherited ones.",
                read_env});
  to.push_back({"inherit_env", option_kind::inherited_variables,
                "\"allowlist\", \"all\" or a list of names to inherit beside "
                "the allowlist",
                in_quotes(to_string(inherit_policy::allowlist)),
                "Variables that the server inherits from this process.",
                read_inherit_env});
  to.push_back({"cd", option_kind::nullable_text,
                "the absolute path of an existing directory, or null", "null",
                "Working directory of the server.", read_cd});
  to.push_back({"stderr", option_kind::stderr_target,
                "\"inherit\", \"discard\", \"capture\" or "
                "{\"file\": \"/absolute/path\"}",
                in_quotes(to_string(stderr_kind::inherit)),
                "Where the server's stderr goes.", read_stderr});
  to.push_back({"allow_batch_files", option_kind::flag, "true or false",
                "false",
                "Allow a .bat or .cmd file as command, which Windows runs "
                "through cmd.exe.",
                read_flag<&server_options::allow_batch_files>});
}

/// The options about the bytes of the server and its end.
void add_pipe_options(std::vector<option_descriptor>& to) {
  using enum option_kind;
  to.push_back(number_option<&server_options::max_message_bytes>(
    "max_message_bytes", bytes, {1, bytes_max},
    "Longest line that the server may write."));
  to.push_back(choice_option<&server_options::on_oversize>(
    "on_oversize", "What a longer line does: close the connection, or get "
                   "discarded as it arrives."));
  to.push_back(number_option<&server_options::max_junk_lines>(
    "max_junk_lines", count, {0, count_max},
    "Lines in a row that are no JSON-RPC and are dropped; one more closes the "
    "connection."));
  to.push_back(number_option<&server_options::max_unwritten_bytes>(
    "max_unwritten_bytes", bytes, {1, bytes_max},
    "Most that is held for a server; what goes beyond waits. Also the longest "
    "message that is sent."));
  to.push_back(number_option<&server_options::write_stall>(
    "write_stall", milliseconds, {1, milliseconds_max},
    "Time without a byte taken by the server, while more than "
    "max_unwritten_bytes wait, after which the connection closes."));
  to.push_back(number_option<&server_options::stdin_grace>(
    "stdin_grace", milliseconds, {0, milliseconds_max},
    "Time between closing the server's stdin and SIGTERM."));
  to.push_back(number_option<&server_options::term_grace>(
    "term_grace", milliseconds, {0, milliseconds_max},
    "Time between SIGTERM and SIGKILL."));
  to.push_back(choice_option<&server_options::kill_policy>(
    "kill_policy", "How the server is stopped: with signals after the grace "
                   "times, or by closing its stdin only."));
  to.push_back(choice_option<&server_options::on_host_death>(
    "on_host_death", "What reaches the server if this process dies without "
                     "running any code."));
}

/// The options about what is spoken.
void add_protocol_options(std::vector<option_descriptor>& to) {
  using enum option_kind;
  to.push_back(choice_option<&server_options::mode>(
    "mode", "Era of the protocol: with a handshake (legacy), without "
            "(modern), or found out by a probe (auto)."));
  to.push_back({"protocol_version", nullable_text, versions_in_quotes(),
                in_quotes("latest"), "Protocol version to ask the server for.",
                read_protocol_version});
  to.push_back({"client_info", implementation,
                "an object with the strings \"name\" and \"version\", and any "
                "more members",
                default_client_info(), "Name and version sent to the server.",
                read_client_info});
  to.push_back(number_option<&server_options::probe_timeout>(
    "probe_timeout", milliseconds, {1, milliseconds_max},
    "Time for the probe's answer before the handshake is tried as well."));
  to.push_back(number_option<&server_options::handshake_timeout>(
    "handshake_timeout", milliseconds, {1, milliseconds_max},
    "Time from the start of the server until it is ready."));
}

/// The options about requests and reconnects.
void add_request_options(std::vector<option_descriptor>& to) {
  using enum option_kind;
  to.push_back(number_option<&server_options::request_timeout>(
    "request_timeout", milliseconds, {1, milliseconds_max},
    "Time for the answer to a request."));
  to.push_back(number_option<&server_options::max_total_timeout>(
    "max_total_timeout", milliseconds, {1, milliseconds_max},
    "Time for the answer to a request whose timeout restarts with progress."));
  to.push_back(number_option<&server_options::max_server_requests>(
    "max_server_requests", count, {1, 65'536},
    "Handlers of requests from the server that run at once."));
  to.push_back(number_option<&server_options::max_reconnects>(
    "max_reconnects", count, {0, count_max},
    "Failed or short-lived starts in a row before the connection gives up."));
  to.push_back(number_option<&server_options::max_input_rounds>(
    "max_input_rounds", count, {0, count_max},
    "How often one call may ask for input."));
  to.push_back(number_option<&server_options::max_cached_responses>(
    "max_cached_responses", count, {0, count_max},
    "Results kept to answer the same list or read request again, as long as "
    "the server allows."));
  to.push_back({"allow_invalid_output", flag, "true or false", "false",
                "Do not check the structuredContent of tools against their "
                "outputSchema.",
                read_flag<&server_options::allow_invalid_output>});
  to.push_back(number_option<&server_options::max_json_depth>(
    "max_json_depth", count, {1, json_depth_limit},
    "Levels of nesting in a message of the server."));
  to.push_back(number_option<&server_options::flush_timeout>(
    "flush_timeout", milliseconds, {0, milliseconds_max},
    "Time that queued messages get to reach the server before a close."));
}

std::vector<option_descriptor> make_descriptors() {
  std::vector<option_descriptor> result;
  add_process_options(result);
  add_pipe_options(result);
  add_protocol_options(result);
  add_request_options(result);
  return result;
}

} // namespace

const std::vector<option_descriptor>& option_descriptors() {
  static const auto descriptors = make_descriptors();
  return descriptors;
}

const option_descriptor* find_option(std::string_view key) {
  if (key == "cwd")
    key = "cd";
  for (const auto& option : option_descriptors())
    if (option.key == key)
      return &option;
  return nullptr;
}

caf::error out_of_bounds(const option_descriptor& option, std::int64_t value) {
  return config_error(option.key, "is " + std::to_string(value) + "; must be "
                                    + option.allowed);
}

} // namespace caf_mcp
