#pragma once

#include "caf_mcp/messages/env_value.hpp"
#include "caf_mcp/messages/fwd.hpp"
#include "caf_mcp/messages/json/payload.hpp"
#include "caf_mcp/messages/option_choices.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace caf_mcp {

/// Which variables of this process the server gets, before `env` is applied. A
/// value that starts with `()`, an exported shell function, is never inherited.
struct inherited_variables {
  inherit_policy policy = inherit_policy::allowlist;
  /// Names beside those of the allowlist.
  std::vector<std::string> extra_names;

  friend bool operator==(const inherited_variables&, const inherited_variables&)
    = default;
};

/// Where the server's stderr goes. Never into its stdout.
struct stderr_target {
  stderr_kind kind = stderr_kind::inherit;
  /// Absolute path, for `stderr_kind::file` only; created if need be.
  std::string file;

  friend bool operator==(const stderr_target&, const stderr_target&) = default;
};

/// What the client tells servers about itself: `Implementation` in the schema.
struct implementation {
  std::string name;
  std::string version;
  /// An object with more members of `Implementation`, e.g. `title`, passed
  /// through; or absent.
  payload more;

  friend bool operator==(const implementation&, const implementation&)
    = default;
};

/// Returns the name and version of this library.
implementation this_library();

/// How to start one MCP server and how to deal with it. Members are named as
/// the keys in a configuration file; `option_descriptors` tells their bounds
/// and `validate` enforces them. Whoever chooses these runs code as this user:
/// never build them from the output of a model or a server.
struct server_options {
  // -- the process ------------------------------------------------------------

  /// A bare name, looked up in `PATH` at every start, or an absolute path. Runs
  /// directly, never through a shell. Required.
  std::string command;

  /// Passed to the command as they are.
  std::vector<std::string> args;

  /// Names to values; wins over what is inherited.
  std::map<std::string, env_value> env;

  /// Which variables of this process the server gets.
  inherited_variables inherit_env;

  /// Working directory, an absolute path; absent: that of this process.
  std::optional<std::string> cd;

  /// Called `stderr` in a configuration file; here that name is a macro.
  stderr_target stderr_to;

  /// Whether a `.bat` or `.cmd` file may be the command, see
  /// `check_batch_file`.
  bool allow_batch_files = false;

  // -- what the server writes and reads ---------------------------------------

  /// Bytes of the longest line the server may write. Not 0.
  std::size_t max_message_bytes = std::size_t{8} * 1024 * 1024;

  /// What happens to a longer line.
  oversize_policy on_oversize = oversize_policy::close;

  /// Lines in a row that are no JSON-RPC messages and only get dropped. 0: the
  /// first one closes the connection.
  std::uint32_t max_junk_lines = 10;

  /// Bytes that the port owner holds for a server; what goes beyond waits as it
  /// is. No message may be longer. Not 0.
  std::size_t max_unwritten_bytes = std::size_t{16} * 1024 * 1024;

  /// Time without a byte taken by the server, while more than
  /// `max_unwritten_bytes` wait, after which the connection closes. Not 0.
  std::chrono::milliseconds write_stall{10'000};

  /// Levels of nesting in a message of the server. Not 0.
  std::size_t max_json_depth = 512;

  // -- its end ----------------------------------------------------------------

  /// Time that queued messages get to reach the server before its stdin is
  /// closed. 0: what the pipe does not take at once is lost.
  std::chrono::milliseconds flush_timeout{500};

  /// Time between closing stdin and SIGTERM (MCP, Transports, Shutdown). 0: at
  /// once.
  std::chrono::milliseconds stdin_grace{2000};

  /// Time between SIGTERM and SIGKILL. 0: at once.
  std::chrono::milliseconds term_grace{2000};

  /// Whether signals are sent at all.
  stop_policy kill_policy = stop_policy::escalate;

  /// What reaches the server when this process dies, even by SIGKILL.
  host_death_policy on_host_death = host_death_policy::term;

  // -- the protocol -----------------------------------------------------------

  /// Which era to speak.
  era_mode mode = era_mode::automatic;

  /// The version to ask for; empty: the latest of the era.
  std::string protocol_version;

  /// What servers are told about the client.
  implementation client_info = this_library();

  /// Time for the answer to `server/discover` before `initialize` is tried too.
  /// Short is safe: a late answer still counts. Not 0.
  std::chrono::milliseconds probe_timeout{3000};

  /// Time from the start of the process to a connection that is ready. Long,
  /// for the first start of an `npx` or `uvx` server downloads it. Not 0.
  std::chrono::milliseconds handshake_timeout{60'000};

  // -- requests ---------------------------------------------------------------

  /// Time for an answer unless a request says otherwise (MCP, Timeouts). Not 0.
  std::chrono::milliseconds request_timeout{60'000};

  /// Time for an answer where progress restarts `request_timeout` (MCP,
  /// Timeouts). Not 0.
  std::chrono::milliseconds max_total_timeout{600'000};

  /// Handlers of requests from the server that run at once. Not 0.
  std::uint32_t max_server_requests = 16;

  /// Starts in a row that fail or live less than 10 s before the connection
  /// gives up. 0: never starts the server again.
  std::uint32_t max_reconnects = 5;

  /// How often one call may be answered with `input_required`. 0: never.
  std::uint32_t max_input_rounds = 10;

  /// Results kept to answer the same list or read request again, as long as the
  /// server allows with `ttlMs` (modern era). 0: none.
  std::uint32_t max_cached_responses = 0;
  /// Whether the `structuredContent` of a tool may break the `outputSchema`
  /// that the tool was listed with; else it is checked, see `check_output`.
  bool allow_invalid_output = false;

  // -- for errors -------------------------------------------------------------

  /// Texts that variables were expanded in, with what the configuration file
  /// has in their place. No option, and never rendered: what variables hold may
  /// be secret.
  std::map<std::string, std::string> as_written;

  friend bool operator==(const server_options&, const server_options&)
    = default;
};

/// Returns what an error may show for `text`, the value of an option: what the
/// configuration file has in its place.
std::string shown_value(const std::map<std::string, std::string>& as_written,
                        const std::string& text);

template <class Inspector>
bool inspect(Inspector& f, inherited_variables& x) {
  return f.object(x).fields(f.field("policy", x.policy),
                            f.field("extra_names", x.extra_names));
}

template <class Inspector>
bool inspect(Inspector& f, stderr_target& x) {
  return f.object(x).fields(f.field("kind", x.kind), f.field("file", x.file));
}

template <class Inspector>
bool inspect(Inspector& f, implementation& x) {
  return f.object(x).fields(f.field("name", x.name),
                            f.field("version", x.version),
                            f.field("more", x.more));
}

/// Leaves out the text of secrets, and `as_written`.
template <class Inspector>
bool inspect(Inspector& f, server_options& x) {
  return f.object(x).fields(
    f.field("command", x.command), f.field("args", x.args),
    f.field("env", x.env), f.field("inherit_env", x.inherit_env),
    f.field("cd", x.cd), f.field("stderr", x.stderr_to),
    f.field("allow_batch_files", x.allow_batch_files),
    f.field("max_message_bytes", x.max_message_bytes),
    f.field("on_oversize", x.on_oversize),
    f.field("max_junk_lines", x.max_junk_lines),
    f.field("max_unwritten_bytes", x.max_unwritten_bytes),
    f.field("write_stall", x.write_stall),
    f.field("max_json_depth", x.max_json_depth),
    f.field("flush_timeout", x.flush_timeout),
    f.field("stdin_grace", x.stdin_grace), f.field("term_grace", x.term_grace),
    f.field("kill_policy", x.kill_policy),
    f.field("on_host_death", x.on_host_death), f.field("mode", x.mode),
    f.field("protocol_version", x.protocol_version),
    f.field("client_info", x.client_info),
    f.field("probe_timeout", x.probe_timeout),
    f.field("handshake_timeout", x.handshake_timeout),
    f.field("request_timeout", x.request_timeout),
    f.field("max_total_timeout", x.max_total_timeout),
    f.field("max_server_requests", x.max_server_requests),
    f.field("max_reconnects", x.max_reconnects),
    f.field("max_input_rounds", x.max_input_rounds),
    f.field("max_cached_responses", x.max_cached_responses),
    f.field("allow_invalid_output", x.allow_invalid_output));
}

} // namespace caf_mcp
