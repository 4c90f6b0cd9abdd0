// The messages that wait to be written, and how each looks.
#pragma once

#include "json_text.hpp"
#include "protocol.hpp"

#include <string>
#include <string_view>

namespace demo {

/// Where an answer goes: what must be kept of a request to answer it later.
struct reply_address {
  /// The request's id as JSON text, exactly as it has to be echoed.
  std::string id;
  era spoken;
};

/// Collects messages and writes them together.
///
/// `put_members` is called with the buffer and appends `"name":value` pairs,
/// with commas between them. It must not throw: half a message would stay.
class outbox {
public:
  /// @param server_info the server info object as JSON text.
  /// @param write_bytes as in `options`.
  outbox(std::string server_info, std::size_t write_bytes);

  /// Answers a request.
  template <class F>
  void result(const reply_address& to, F put_members) {
    put_result(to, "complete", put_members);
  }

  /// Answers a modern request with "ask the user this, then call again".
  template <class F>
  void input_required(const reply_address& to, F put_members) {
    put_result(to, "input_required", put_members);
  }

  /// Answers a request with an error. `data` is JSON text; empty: none.
  void error(const reply_address& to, int code, std::string_view message,
             std::string_view data = {});

  /// Ends a `subscriptions/listen` gracefully (2026-07-28, schema,
  /// SubscriptionsListenResult).
  void listen_result(std::string_view id);

  template <class F>
  void notification(std::string_view method, F put_members) {
    buffer_ += R"({"jsonrpc":"2.0","method":")";
    buffer_ += method;
    buffer_ += R"(","params":{)";
    put_members(buffer_);
    buffer_ += "}}\n";
  }

  /// Sends a request of our own. `params` is JSON text; empty: none.
  void request(std::int64_t id, std::string_view method,
               std::string_view params);

  std::size_t size() const {
    return buffer_.size();
  }

  /// The server info object as JSON text.
  std::string_view server_info() const {
    return server_info_;
  }

  /// Writes everything to stdout.
  /// @returns false when the client is gone.
  bool flush();

private:
  void begin_response(std::string_view id);

  template <class F>
  void put_result(const reply_address& to, std::string_view type,
                  F& put_members) {
    begin_response(to.id);
    buffer_ += R"("result":{)";
    if (to.spoken == era::modern) {
      buffer_ += R"("resultType":")";
      buffer_ += type;
      buffer_ += meta_member_;
    }
    const auto size_before = buffer_.size();
    put_members(buffer_);
    if (to.spoken == era::modern && buffer_.size() == size_before)
      buffer_.pop_back();
    buffer_ += "}}\n";
  }

  std::string buffer_;
  const std::string server_info_;
  const std::size_t write_bytes_;
  /// What follows the `resultType` in every modern result.
  std::string meta_member_;
};

} // namespace demo
