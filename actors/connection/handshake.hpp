#pragma once

#include "caf_mcp/messages/close_reason.hpp"
#include "caf_mcp/messages/error_info.hpp"
#include "caf_mcp/messages/json/payload.hpp"
#include "caf_mcp/messages/protocol_version.hpp"
#include "caf_mcp/messages/server_options.hpp"

#include <boost/json/object.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace caf_mcp {

/// What client and server have agreed on.
struct session {
  caf_mcp::era era = era::legacy;
  std::string protocol_version;
  payload server_info;
  payload capabilities;
  std::string instructions;
};

/// Finds out which era a server speaks, and agrees with it on a version.
/// Decides only: its owner sends what it says, and tells it what comes back.
///
/// In the mode `auto` it asks `server/discover` first. A server that does not
/// answer in time is sent `initialize` as well, on the same process; whichever
/// is answered first decides, so that a slow modern server is not lost (see
/// docs/decisions). The era, once known, is kept for the next process.
class handshake {
public:
  /// Send this request; its answer goes to `on_result` or `on_error`.
  struct send_discover {
    std::string version;
  };

  /// Send this request, which must not be cancelled (MCP, Cancellation).
  struct send_initialize {
    std::string version;
  };

  /// Keep waiting.
  struct wait {};

  /// Start the server again and call `start`. Not a failure of the server: it
  /// did not survive the probe, so the next process is sent `initialize` alone.
  /// Does not count as a reconnect.
  struct restart {};

  /// The connection is ready; a legacy server must be sent
  /// `notifications/initialized` before anything else.
  struct ready {
    caf_mcp::session session;
  };

  /// There is no agreement.
  struct failed {
    close_reason reason;
  };

  using step = std::variant<send_discover, send_initialize, wait, restart,
                            ready, failed>;

  /// Which of the two requests an answer is for.
  enum class answer_to { discover, initialize };

  explicit handshake(std::shared_ptr<const server_options> options)
    : options_{std::move(options)} {
    // nop
  }

  /// A process is about to be started: all that was said by the one before is
  /// forgotten, but not its era.
  void forget_process();

  /// A process was started.
  step start();

  /// The server answered.
  step on_result(answer_to which, const payload& result);

  /// The server answered with an error.
  step on_error(answer_to which, const rpc_error& error);

  /// The server's answer is no valid response, or cannot be decoded; `detail`
  /// says why.
  step on_unusable_answer(answer_to which, std::string detail);

  /// The server sent an error that names no request of ours.
  step on_foreign_error(const rpc_error& error);

  /// The server sent a request. One that only clients send, while an answer to
  /// it is waited for, is our own: what was started is no server, but sends
  /// back what it reads.
  step on_request(std::string_view method);

  /// `probe_timeout` has passed since `send_discover`.
  step on_probe_timeout();

  /// `handshake_timeout` has passed since the first `start` of this attempt to
  /// connect.
  step on_timeout();

  /// The process ended before it was ready.
  step on_exit(const close_reason& reason);

  /// Returns the era that the options demand, or else that of the last process
  /// as long as nothing speaks against it.
  std::optional<era> known_era() const noexcept {
    switch (options_->mode) {
      case era_mode::legacy:
        return era::legacy;
      case era_mode::modern:
        return era::modern;
      case era_mode::automatic:
        break;
    }
    return initialize_is_open_ ? std::nullopt : era_;
  }

private:
  bool disproves_legacy(const rpc_error& error) const;
  bool may_be_legacy() const;
  step refused(std::string_view method, const rpc_error& error) const;
  step probe(std::string_view version);
  step initialize();
  step on_discover_result(const payload& result);
  step on_initialize_result(const payload& result);
  step on_version_refused(const rpc_error& error);
  step on_discover_error(const rpc_error& error);
  step no_common_version(std::string detail) const;
  step not_valid(std::string detail) const;

  std::shared_ptr<const server_options> options_;
  /// What the last process has proved, which is a guess about the next one: the
  /// program may have been replaced meanwhile.
  std::optional<era> era_;
  bool discover_is_open_ = false;
  bool initialize_is_open_ = false;
  bool is_ready_ = false;
  /// This process was sent `server/discover` and has not shown that it is of
  /// the modern era.
  bool may_reject_probe_ = false;
  /// The version that `initialize` asked for.
  std::string asked_version_;
  /// Versions that this process has refused.
  std::vector<std::string> tried_;
};

/// Returns the members of `_meta` that a modern request must carry (MCP
/// 2026-07-28, Basic, `_meta`).
payload modern_meta(const server_options& options, std::string_view version,
                    const boost::json::object& capabilities);

/// Returns the params of `initialize`.
payload initialize_params(const server_options& options,
                          std::string_view version,
                          const boost::json::object& capabilities);

} // namespace caf_mcp
