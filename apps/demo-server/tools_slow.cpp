// Tools that take their time, without keeping anybody else waiting.
#include "answers.hpp"
#include "server.hpp"
#include "tools.hpp"

#include <utility>

namespace demo {

namespace {

/// A call of `slow` that is under way.
struct slow_run {
  reply_address from;
  /// The progress token as JSON text; empty when no progress is wanted.
  std::string token;
  job_queue::clock::time_point start;
  std::chrono::milliseconds total;
  std::int64_t steps;
  std::int64_t done;

  job_queue::clock::time_point next_due() const {
    return start + (done + 1) * total / steps;
  }
};

void schedule(server& srv, slow_run run);

void put_progress(std::string& out, const slow_run& run) {
  out += R"("progressToken":)" + run.token + R"(,"progress":)";
  put_integer(out, run.done);
  out += R"(,"total":)";
  put_integer(out, run.steps);
  out += R"(,"message":"step )";
  put_integer(out, run.done);
  out += " of ";
  put_integer(out, run.steps);
  out += '"';
}

void step(server& srv, slow_run run) {
  ++run.done;
  if (!run.token.empty())
    srv.out.notification("notifications/progress",
                         [&run](std::string& out) { put_progress(out, run); });
  if (run.done < run.steps)
    schedule(srv, std::move(run));
  else
    answer_text(srv, run.from,
                "done after " + std::to_string(run.total.count()) + " ms");
}

void schedule(server& srv, slow_run run) {
  const auto due = run.next_due();
  auto owner = run.from.id;
  srv.jobs.at(due, std::move(owner),
              [&srv, run = std::move(run)] { step(srv, run); });
}

/// Tests for presence: 0 and "" are tokens like any other.
std::string progress_token(const request& req) {
  const auto* token = req.meta.if_contains("progressToken");
  if (token == nullptr || !(token->is_string() || token->is_number()))
    return {};
  return to_text(*token);
}

} // namespace

void call_slow(server& srv, const tool_call& call) {
  constexpr range duration_ms{0, 3'600'000};
  constexpr range step_count{1, 10'000};
  const auto ms = call.optional_integer("ms", duration_ms).value_or(1000);
  const auto steps = call.optional_integer("steps", step_count).value_or(4);
  schedule(srv, {.from = call.req.from,
                 .token = progress_token(call.req),
                 .start = job_queue::clock::now(),
                 .total = std::chrono::milliseconds{ms},
                 .steps = steps,
                 .done = 0});
}

/// Keeps nothing of the call, so there is nothing to end when it is cancelled.
void call_hold(server&, const tool_call&) {
}

} // namespace demo
