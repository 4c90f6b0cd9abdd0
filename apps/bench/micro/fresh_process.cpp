// What the memory of large messages costs a process that has had none yet, and
// one that has: in page faults above all, which no benchmark that repeats
// itself in one process sees.
#include "caf_mcp/messages/methods.hpp"
#include "caf_mcp/messages/wire/decoder.hpp"
#include "caf_mcp/messages/wire/encoder.hpp"
#include "caf_mcp/messages/wire/framer.hpp"

#include "lines.hpp"

#include <benchmark/benchmark.h>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace bench {

namespace {

/// As much as a port owner reads at once.
constexpr std::size_t read_bytes = std::size_t{64} * 1024;

constexpr int messages_before = 20;

/// What one message took.
struct cost {
  double seconds = 0;
  long page_faults = 0;
};

long page_faults() {
  rusage seen{};
  ::getrusage(RUSAGE_SELF, &seen);
  return seen.ru_minflt;
}

cost measure(const std::function<void()>& handle_message) {
  const auto faults_before = page_faults();
  const auto start = std::chrono::steady_clock::now();
  handle_message();
  const std::chrono::duration<double> time
    = std::chrono::steady_clock::now() - start;
  return {time.count(), page_faults() - faults_before};
}

/// Measures one message in a process of its own, after `before` others.
cost measure_in_child(const std::function<void()>& handle_message, int before) {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0)
    throw std::runtime_error{"cannot make a pipe"};
  const auto child = ::fork();
  if (child == 0) {
    for (auto i = 0; i < before; ++i)
      handle_message();
    const auto found = measure(handle_message);
    ::_exit(::write(ends[1], &found, sizeof(found)) == sizeof(found) ? 0 : 1);
  }
  ::close(ends[1]);
  cost found;
  const auto count = ::read(ends[0], &found, sizeof(found));
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  if (child < 0 || count != sizeof(found))
    throw std::runtime_error{"a child has found nothing"};
  return found;
}

void run(benchmark::State& state, const std::function<void()>& handle_message) {
  double faults = 0;
  while (state.KeepRunning()) {
    const auto found
      = measure_in_child(handle_message, static_cast<int>(state.range(1)));
    state.SetIterationTime(found.seconds);
    faults += static_cast<double>(found.page_faults);
  }
  state.counters["page faults"]
    = benchmark::Counter{faults, benchmark::Counter::kAvgIterations};
}

std::size_t size_of(const benchmark::State& state) {
  return static_cast<std::size_t>(state.range(0));
}

/// A result that arrives in chunks, is framed and decoded.
void fresh_process_result(benchmark::State& state) {
  const auto line = large_answer(size_of(state)) + '\n';
  caf_mcp::framer framer{std::size_t{64} * 1024 * 1024};
  caf_mcp::decoder decoder;
  run(state, [&] {
    for (std::size_t at = 0; at < line.size(); at += read_bytes) {
      const auto bytes = std::min(read_bytes, line.size() - at);
      std::memcpy(framer.prepare(bytes), line.data() + at, bytes);
      framer.commit(bytes);
    }
    while (const auto found = framer.next())
      benchmark::DoNotOptimize(decoder.decode(found->text));
  });
}

void fresh_process_plain_result(benchmark::State& state) {
  const auto line = large_answer(size_of(state)) + '\n';
  std::string buffer;
  run(state, [&] {
    buffer.clear();
    for (std::size_t at = 0; at < line.size(); at += read_bytes)
      buffer.append(line, at, read_bytes);
    benchmark::DoNotOptimize(boost::json::parse(buffer));
  });
}

/// A request that is encoded and written.
void fresh_process_request(benchmark::State& state) {
  const std::string text(size_of(state), 'x');
  auto request = caf_mcp::call_tool("echo", {{"message", text}});
  const caf_mcp::outgoing_message message = caf_mcp::outgoing_request{
    123'456, std::move(request.method), std::move(request.params), {}, false};
  caf_mcp::encoder encoder;
  caf_mcp::byte_buffer out;
  run(state, [&] {
    benchmark::DoNotOptimize(encoder.encode(message, out));
    out.consume(out.size());
  });
}

void fresh_process_plain_request(benchmark::State& state) {
  const boost::json::value params{
    {"name", "echo"},
    {"arguments", {{"message", std::string(size_of(state), 'x')}}}};
  run(state, [&] {
    const auto text = boost::json::serialize(params);
    benchmark::DoNotOptimize(text.data());
  });
}

/// Sizes, each for the first message and for one after others.
void set_up(benchmark::internal::Benchmark* which) {
  for (const auto kib : {64, 512, 1024, 2048, 4096, 8192})
    for (const auto before : {0, messages_before})
      which->Args({std::int64_t{kib} * 1024, before});
  which->ArgNames({"bytes", "before"})->UseManualTime()->Iterations(30);
}

BENCHMARK(fresh_process_result)->Apply(set_up);
BENCHMARK(fresh_process_plain_result)->Apply(set_up);
BENCHMARK(fresh_process_request)->Apply(set_up);
BENCHMARK(fresh_process_plain_request)->Apply(set_up);

} // namespace

} // namespace bench
