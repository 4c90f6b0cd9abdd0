#pragma once

#include "caf_mcp/actors/client.hpp"
#include "caf_mcp/actors/pipeline.hpp"
#include "caf_mcp/messages/error_info.hpp"

#include <caf/actor_system.hpp>
#include <caf/event_based_actor.hpp>

#include <cstddef>
#include <future>
#include <string>
#include <utility>
#include <vector>

namespace tests {

/// One word for each answer, in the order of the answers: the text of a result,
/// or the name of an error.
using answers = std::vector<std::string>;

inline std::string text_of(const caf_mcp::payload& result) {
  return std::string{
    result.member("content").value().as_array().at(0).at("text").as_string()};
}

/// Makes requests through a pipeline, and ends when all are answered.
class pipeline_caller final : public caf::event_based_actor {
public:
  pipeline_caller(caf::actor_config& cfg, caf_mcp::connection server,
                  std::vector<caf_mcp::send_request> requests,
                  std::size_t in_flight, std::promise<answers> done)
    : caf::event_based_actor{cfg},
      requests_{this, std::move(server)},
      work_{std::move(requests)},
      in_flight_{in_flight},
      done_{std::move(done)} {
    // nop
  }

  caf::behavior make_behavior() override {
    while (next_ < work_.size() && next_ < in_flight_)
      ask_next();
    return {}; // lives on until its last answer
  }

private:
  void ask_next() {
    requests_.ask(
      work_[next_++],
      [this](const caf_mcp::payload& result) { on_answer(text_of(result)); },
      [this](const caf::error& error) {
        on_answer(caf_mcp::describe(error).name);
      });
  }

  void on_answer(std::string what) {
    heard_.push_back(std::move(what));
    if (next_ < work_.size())
      ask_next();
    else if (heard_.size() == work_.size())
      done_.set_value(std::move(heard_));
  }

  caf_mcp::pipeline<> requests_;
  std::vector<caf_mcp::send_request> work_;
  std::size_t in_flight_;
  std::size_t next_ = 0;
  answers heard_;
  std::promise<answers> done_;
};

/// Spawns a caller; its answers are what the future holds.
inline std::future<answers>
start_pipeline(caf::actor_system& system, const caf_mcp::connection& server,
               std::vector<caf_mcp::send_request> requests,
               std::size_t in_flight) {
  std::promise<answers> done;
  auto result = done.get_future();
  system.spawn<pipeline_caller>(server, std::move(requests), in_flight,
                                std::move(done));
  return result;
}

/// Returns requests to echo the numbers from 0 on.
inline std::vector<caf_mcp::send_request> echoes(std::size_t count) {
  std::vector<caf_mcp::send_request> result;
  for (std::size_t i = 0; i < count; ++i)
    result.push_back(
      caf_mcp::call_tool("echo", {{"message", std::to_string(i)}}));
  return result;
}

} // namespace tests
