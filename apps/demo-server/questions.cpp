#include "questions.hpp"

#include <algorithm>
#include <utility>

namespace demo {

void open_questions::ask(outbox& out, const reply_address& call,
                         std::string_view method, std::string_view params) {
  calls_.emplace(++last_id_, call);
  out.request(last_id_, method, params);
}

std::optional<reply_address> open_questions::take(const json::value& id) {
  const auto* number = id.if_int64();
  const auto found = number == nullptr ? calls_.end() : calls_.find(*number);
  if (found == calls_.end())
    return std::nullopt;
  auto call = std::move(found->second);
  calls_.erase(found);
  return call;
}

void open_questions::cancel(outbox& out, std::string_view call_id) {
  const auto found
    = std::find_if(calls_.begin(), calls_.end(), [call_id](const auto& item) {
        return item.second.id == call_id;
      });
  if (found == calls_.end())
    return;
  out.notification("notifications/cancelled", [found](std::string& text) {
    text += R"("requestId":)";
    put_integer(text, found->first);
    text += R"(,"reason":"the call that asked was cancelled")";
  });
  calls_.erase(found);
}

} // namespace demo
