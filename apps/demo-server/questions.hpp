// Requests that the server sends to a legacy client and whose answers it
// awaits.
#pragma once

#include "outbox.hpp"

#include <boost/json/object.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>

namespace demo {

/// Open questions to the client. Each belongs to the tool call that asked it.
/// The ids are the server's own; they count from 1 like those of many clients,
/// on purpose: a client must keep the two id spaces apart.
class open_questions {
public:
  /// Sends a question.
  void ask(outbox& out, const reply_address& call, std::string_view method,
           std::string_view params);

  /// Takes the question that `id` names, if it is open.
  /// @returns the call that asked it.
  std::optional<reply_address> take(const json::value& id);

  /// Forgets the question of a call that was cancelled and tells the client.
  void cancel(outbox& out, std::string_view call_id);

private:
  std::map<std::int64_t, reply_address> calls_;
  std::int64_t last_id_ = 0;
};

} // namespace demo
