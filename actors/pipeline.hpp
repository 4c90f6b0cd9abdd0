#pragma once

#include "caf_mcp/actors/interfaces.hpp"
#include "caf_mcp/actors/loop/caf_version.hpp"
#include "caf_mcp/actors/pipeline_slots.hpp"
#include "caf_mcp/actors/unsent_requests.hpp"
#include "caf_mcp/messages/pipeline.hpp"

#include <caf/error.hpp>
#include <caf/event_based_actor.hpp>
#include <caf/timespan.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

namespace caf_mcp {

/// Returns a number that no other pipeline of this process has.
std::uint64_t next_pipeline();

/// Many requests of one actor to one server, be it a `connection`, a server of
/// a hub or one of another node, at a fraction of what as many `ask` cost: the
/// requests that the actor makes while it handles a message leave as one
/// message, and answers that came meanwhile arrive as one. Use it where many
/// requests are in flight; a lone one is as fast either way.
///
/// A member of an event-based actor, and only to be used by it. Requests and
/// answers mean what they mean with `ask`: each request has one answer, errors
/// are read with `describe`, tags, progress and cancellation work the same.
/// Answers come in the order in which the server gave them. What the actor
/// sends by `ask` or `tell` after a request, as to cancel it, arrives after it.
/// Requests that are
/// open when the pipeline is destroyed keep their handlers.
template <class Self = caf::event_based_actor>
class pipeline {
public:
  pipeline(Self* self, mcp_server server)
    : state_{std::make_shared<state>(self, std::move(server))} {
    // nop
  }

  /// Sends `request`, after those before it. One of the handlers is called
  /// later, in the context of the actor.
  void ask(send_request request, std::function<void(const payload&)> on_result,
           std::function<void(const caf::error&)> on_error) {
    state_->slots.add(std::move(request),
                      {std::move(on_result), std::move(on_error)});
    state_->on_request();
  }

private:
  /// Requests that leave at once, so that the connection begins while the actor
  /// still makes others.
  static constexpr std::size_t burst_max = 64;

  struct state final : std::enable_shared_from_this<state>, unsent_requests {
    state(Self* self, mcp_server server)
      : self{self}, server{std::move(server)} {
      // nop
    }

    /// The first request leaves at once: what CAF waits for keeps an actor
    /// without a behavior alive.
    void on_request() {
      if (!awaits_answers && !flushes_soon) {
        flush();
        return;
      }
      on_held_back(self->ctrl());
      if (!std::exchange(flushes_soon, true))
        caf_version::run_next(self, [hold = this->shared_from_this()] {
          hold->flushes_soon = false;
          hold->flush();
        });
    }

    void flush() override {
      on_sent();
      if (awaits_answers) {
        if (slots.requests() > 0)
          caf_version::tell(self, server,
                            send_pipelined{number, slots.take_requests()});
        return;
      }
      if (slots.open() == 0)
        return;
      awaits_answers = true;
      caf_version::ask(*self, server, caf::infinite,
                       await_answers{number, slots.take_requests()})
        .then(
          [hold = this->shared_from_this()](const pipelined_answers& message) {
            hold->on_answers(message);
          },
          [hold = this->shared_from_this()](const caf::error& error) {
            hold->on_failure(error);
          });
    }

    void on_answers(const pipelined_answers& message) {
      awaits_answers = false;
      const auto flushed_soon = std::exchange(flushes_soon, true);
      for (const auto& answer : message.answers) {
        slots.complete(answer);
        if (slots.requests() >= burst_max)
          flush();
      }
      flushes_soon = flushed_soon;
      flush();
    }

    /// The server cannot be used: nothing that was sent there is answered.
    void on_failure(const caf::error& error) {
      awaits_answers = false;
      slots.fail_all(error);
    }

    Self* self;
    mcp_server server;
    pipeline_slots slots;
    std::uint64_t number = next_pipeline();
    bool awaits_answers = false;
    bool flushes_soon = false;
  };

  std::shared_ptr<state> state_;
};

} // namespace caf_mcp
