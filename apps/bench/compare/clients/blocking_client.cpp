#include "caf_mcp/actors/client.hpp"

#include "library_host.hpp"
#include "request.hpp"

#include <caf/scoped_actor.hpp>

#include <deque>
#include <stdexcept>
#include <utility>

namespace bench {

namespace {

class blocking_client final : public client {
public:
  explicit blocking_client(const client_options& options)
    : host_{options}, self_{host_.system()} {
    // nop
  }

  outcome run(const load& work) override {
    return work.in_flight == 1 ? run_sequential(work) : run_pipelined(work);
  }

private:
  outcome run_sequential(const load& work) {
    outcome result;
    result.latencies.reserve(work.requests);
    const auto start = clock::now();
    auto sent = start;
    for (std::size_t i = 0; i < work.requests; ++i) {
      auto answer = ask(self_, host_.server(), make_request());
      if (!answer)
        fail(answer.error());
      if (i == 0)
        check_result(answer->value());
      auto now = clock::now();
      result.latencies.push_back(now - sent);
      sent = now;
    }
    result.wall = clock::now() - start;
    return result;
  }

  /// Waits for the answers in the order of the requests.
  outcome run_pipelined(const load& work) {
    outcome result;
    const auto start = clock::now();
    auto send
      = [this] { return ask(self_.ptr(), host_.server(), make_request()); };
    std::deque<decltype(send())> pending;
    std::size_t requests = 0;
    for (std::size_t answers = 0; answers < work.requests; ++answers) {
      for (; pending.size() < work.in_flight && requests < work.requests;
           ++requests)
        pending.push_back(send());
      std::move(pending.front())
        .receive(
          [answers](const caf_mcp::payload& answer) {
            if (answers == 0)
              check_result(answer.value());
          },
          fail);
      pending.pop_front();
    }
    result.wall = clock::now() - start;
    return result;
  }

  [[noreturn]] static void fail(const caf::error& error) {
    throw std::runtime_error{caf_mcp::describe(error).message};
  }

  library_host host_;
  caf::scoped_actor self_;
};

} // namespace

std::unique_ptr<client> make_blocking_client(const client_options& options) {
  return std::make_unique<blocking_client>(options);
}

} // namespace bench
