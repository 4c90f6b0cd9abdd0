#pragma once

#include "caf_mcp/actors/connection/answer_streams.hpp"
#include "caf_mcp/messages/json/payload.hpp"

#include <caf/error.hpp>
#include <caf/typed_response_promise.hpp>

#include <cstdint>
#include <utility>

namespace caf_mcp {

/// Where the answer to a request goes: to its caller by itself, or with other
/// answers of its pipeline. To be delivered once.
class reply {
public:
  /// Nobody waits for the answer.
  reply() = default;

  explicit reply(caf::typed_response_promise<payload> promise)
    : promise_{std::move(promise)} {
    // nop
  }

  reply(answer_stream& stream, std::uint64_t slot)
    : stream_{&stream}, slot_{slot} {
    ++stream.open;
  }

  reply(reply&& other) noexcept
    : promise_{std::move(other.promise_)},
      stream_{std::exchange(other.stream_, nullptr)},
      slot_{other.slot_} {
    // nop
  }

  reply& operator=(reply&& other) noexcept {
    promise_ = std::move(other.promise_);
    stream_ = std::exchange(other.stream_, nullptr);
    slot_ = other.slot_;
    return *this;
  }

  /// Returns whether somebody waits for the answer.
  bool pending() const noexcept {
    return stream_ != nullptr || promise_.pending();
  }

  void deliver(payload result) {
    if (stream_ != nullptr)
      add({slot_, std::move(result), {}});
    else
      promise_.deliver(std::move(result));
  }

  void deliver(caf::error problem) {
    if (stream_ != nullptr)
      add({slot_, {}, std::move(problem)});
    else
      promise_.deliver(std::move(problem));
  }

private:
  void add(pipelined_answer answer) {
    auto& stream = *std::exchange(stream_, nullptr);
    --stream.open;
    stream.ready.answers.push_back(std::move(answer));
  }

  caf::typed_response_promise<payload> promise_;
  answer_stream* stream_ = nullptr;
  std::uint64_t slot_ = 0;
};

} // namespace caf_mcp
