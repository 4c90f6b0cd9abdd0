#include "caf_mcp/actors/connection/server_requests/elicitation_result.hpp"
#include "caf_mcp/actors/handlers.hpp"
#include "caf_mcp/actors/loop/caf_version.hpp"

#include <caf/actor_system.hpp>
#include <caf/result.hpp>
#include <caf/typed_event_based_actor.hpp>
#include <caf/typed_response_promise.hpp>

#include <exception>
#include <type_traits>
#include <utility>

namespace caf_mcp {

namespace {

caf::error failure(std::string what) {
  return local_error(errc::handler_failed, std::move(what));
}

/// Calls code of the user, which may throw.
template <class Function, class... Args>
caf::expected<payload> call(const Function& function, const Args&... args) {
  try {
    return function(args...);
  } catch (const std::exception& problem) {
    return failure(problem.what());
  } catch (...) {
    return failure("an exception of unknown type");
  }
}

/// Says in words of this library that an actor did not answer.
caf::error explain(const caf::error& error) {
  return error.category() == caf::type_id_v<errc>
           ? error
           : failure("the actor is gone: " + caf::to_string(error));
}

/// Runs a function that may block, in a thread of its own. Nobody links or
/// monitors it: it ends once the function has returned, and says so by its
/// answer.
request_handler::behavior_type
blocking_actor(request_handler::pointer self,
               const blocking_handler_function& function,
               const std::stop_token& stop) {
  return {
    [self, function,
     stop](const server_request& request) -> caf::result<payload> {
      self->quit();
      if (stop.stop_requested())
        return failure("stopped before it began");
      return call(function, request, stop);
    },
  };
}

/// Answers one request; see `spawn_handler`.
class handler_actor final : public request_handler::base {
public:
  handler_actor(caf::actor_config& cfg, handler how)
    : request_handler::base{cfg}, how_{std::move(how)} {
    // nop
  }

  const char* name() const override {
    return "caf_mcp.handler";
  }

  void on_exit() override {
    stop_.request_stop();
    request_handler::base::on_exit();
  }

protected:
  behavior_type make_behavior() override {
    caf_version::set_exit_handler(
      this, [this](const caf::actor_addr&, const caf::error& reason) {
        on_exit_message(reason);
      });
    return {
      [this](const server_request& request) { return on_request(request); },
    };
  }

private:
  /// The answer is not wanted any more. Code that runs in a thread is asked to
  /// stop, and this actor ends when it has returned, not before: the sender
  /// counts the code that runs by the answers that it has not got yet.
  void on_exit_message(const caf::error& reason) {
    stop_.request_stop();
    if (is_in_thread_)
      return;
    if (promise_.pending())
      promise_.deliver(failure("stopped"));
    quit(reason);
  }

  caf::result<payload> on_request(const server_request& request) {
    promise_ = make_response_promise<payload>();
    request_ = request;
    if (auto* quick = std::get_if<handler_function>(&how_))
      deliver(call(*quick, request));
    else if (auto* slow = std::get_if<blocking_handler_function>(&how_))
      run_in_thread(*slow);
    else
      ask(std::get<request_handler>(how_));
    return promise_;
  }

  void run_in_thread(const blocking_handler_function& function) {
    is_in_thread_ = true;
    ask(spawn<caf::detached>(blocking_actor, function, stop_.get_token()));
  }

  void ask(const request_handler& whom) {
    caf_version::ask(*this, whom, caf::infinite, request_)
      .then([this](payload& result) { deliver(std::move(result)); },
            [this](const caf::error& error) { deliver(explain(error)); });
  }

  void deliver(caf::expected<payload> outcome) {
    quit();
    if (!outcome)
      promise_.deliver(std::move(outcome.error()));
    else if (outcome->if_object() == nullptr)
      promise_.deliver(failure("the answer is not a JSON object"));
    else if (request_.method == "elicitation/create")
      promise_.deliver(
        elicitation_result(request_.params, std::move(*outcome)));
    else
      promise_.deliver(std::move(*outcome));
  }

  handler how_;
  server_request request_;
  caf::typed_response_promise<payload> promise_;
  std::stop_source stop_;
  /// Whether a function runs in a thread that was started for it.
  bool is_in_thread_ = false;
};

} // namespace

request_handler spawn_handler(caf::actor_system& system, handler how) {
  return system.spawn<handler_actor>(std::move(how));
}

} // namespace caf_mcp
