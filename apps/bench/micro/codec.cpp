#include "caf_mcp/messages/methods.hpp"
#include "caf_mcp/messages/wire/decoder.hpp"
#include "caf_mcp/messages/wire/encoder.hpp"

#include "lines.hpp"

#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>

namespace bench {

namespace {

/// What requests of the modern era carry beside what their caller says.
caf_mcp::payload modern_meta() {
  return caf_mcp::payload{boost::json::value{
    {"io.modelcontextprotocol/protocolVersion", "2026-07-28"},
    {"io.modelcontextprotocol/clientInfo",
     {{"name", "caf-mcp-bench"}, {"version", "1"}}},
    {"io.modelcontextprotocol/clientCapabilities", boost::json::object{}}}};
}

void encode(benchmark::State& state, caf_mcp::send_request request,
            caf_mcp::payload meta) {
  const caf_mcp::outgoing_message message = caf_mcp::outgoing_request{
    123'456, std::move(request.method), std::move(request.params),
    std::move(meta), false};
  caf_mcp::encoder encoder;
  caf_mcp::byte_buffer out;
  std::int64_t bytes = 0;
  while (state.KeepRunning()) {
    benchmark::DoNotOptimize(encoder.encode(message, out));
    bytes += static_cast<std::int64_t>(out.size());
    out.consume(out.size());
  }
  state.SetBytesProcessed(bytes);
}

void encode_request(benchmark::State& state) {
  encode(state, caf_mcp::call_tool("echo", {{"message", "hello"}}), {});
}

void encode_modern_request(benchmark::State& state) {
  encode(state, caf_mcp::call_tool("echo", {{"message", "hello"}}),
         modern_meta());
}

void encode_large_request(benchmark::State& state) {
  const std::string text(static_cast<std::size_t>(state.range(0)), 'x');
  encode(state, caf_mcp::call_tool("echo", {{"message", text}}), {});
}

void decode(benchmark::State& state, const std::string& line) {
  caf_mcp::decoder decoder;
  while (state.KeepRunning())
    benchmark::DoNotOptimize(decoder.decode(line));
  state.SetBytesProcessed(state.iterations()
                          * static_cast<std::int64_t>(line.size()));
}

void decode_answer(benchmark::State& state) {
  decode(state, small_answer());
}

void decode_large_answer(benchmark::State& state) {
  decode(state, large_answer(static_cast<std::size_t>(state.range(0))));
}

void decode_rows(benchmark::State& state) {
  decode(state, answer_of_rows(static_cast<std::size_t>(state.range(0))));
}

BENCHMARK(encode_request);
BENCHMARK(encode_modern_request);
BENCHMARK(encode_large_request)->RangeMultiplier(16)->Range(1 << 16, 1 << 24);
BENCHMARK(decode_answer);
BENCHMARK(decode_large_answer)->RangeMultiplier(16)->Range(1 << 16, 1 << 24);
BENCHMARK(decode_rows)->RangeMultiplier(10)->Range(100, 10'000);

} // namespace

} // namespace bench
