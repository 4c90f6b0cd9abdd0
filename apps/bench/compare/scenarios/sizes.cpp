#include "sizes.hpp"

#include "caf_mcp/messages/methods.hpp"

#include "bare_peer.hpp"
#include "message_sizes.hpp"
#include "resident_memory.hpp"
#include "waiting_caller.hpp"

#include <boost/json/monotonic_resource.hpp>
#include <boost/json/parse.hpp>

#include <memory>
#include <stdexcept>
#include <vector>

namespace bench {

namespace {

constexpr auto chunk = "4096";

/// 8 MiB, the largest by default, in one write, of a bare read and parse.
constexpr double speed_ratio_min = 0.8;
/// 64 MiB, which take a raised limit: a cost that grows faster than a message
/// shows here.
constexpr double large_speed_ratio_min = 0.6;
/// Memory held for 8 MiB, in messages.
constexpr double memory_ratio_max = 3;

void check_text(const boost::json::value& result, std::size_t bytes) {
  const auto& text = result.at("content").as_array().at(0).at("text");
  if (text.as_string().size() != bytes)
    throw std::runtime_error{"a result of the wrong size"};
}

/// Reads a line, and parses it. Keeps the memory of small lines alone, as the
/// library does.
void call(bare_peer& bare, std::size_t bytes) {
  const auto line
    = bare.call(R"({"jsonrpc":"2.0","id":1,"method":"tools/call",)"
                R"("params":{"name":"big","arguments":{"bytes":)"
                + std::to_string(bytes) + "}}}\n");
  const auto room = line.size() + kib;
  const auto memory = std::make_unique_for_overwrite<unsigned char[]>(room);
  boost::json::monotonic_resource resource{memory.get(), room};
  check_text(boost::json::parse(line, &resource).at("result"), bytes);
  if (bytes > mib)
    bare.give_back();
}

void call(waiting_caller& library, std::size_t bytes) {
  const auto result
    = library.call(caf_mcp::call_tool("big", {{"bytes", bytes}}));
  check_text(result.value(), bytes);
}

template <class Caller>
double time_of(Caller& caller, std::size_t bytes) {
  return time_call(bytes, [&] { call(caller, bytes); });
}

/// Rounds of one size, in MB/s.
struct pass_speeds {
  std::vector<double> bare;
  std::vector<double> whole;
  std::vector<double> of_bare;
  std::vector<double> in_chunks;
  std::vector<double> in_chunks_of_bare;
};

std::vector<spread> measure_result_speed(const options& chosen,
                                         std::size_t bytes) {
  bare_peer bare{chosen.client};
  waiting_caller whole{chosen.client};
  waiting_caller in_chunks{chosen.client, {"--write-bytes", chunk}};
  const auto amount = static_cast<double>(bytes);
  pass_speeds found;
  for (std::size_t round = 0; round < chosen.rounds; ++round) {
    const auto bare_us = time_of(bare, bytes);
    const auto whole_us = time_of(whole, bytes);
    found.bare.push_back(amount / bare_us);
    found.whole.push_back(amount / whole_us);
    found.of_bare.push_back(bare_us / whole_us);
    const auto in_chunks_us = time_of(in_chunks, bytes);
    found.in_chunks.push_back(amount / in_chunks_us);
    found.in_chunks_of_bare.push_back(bare_us / in_chunks_us);
  }
  return {spread_of(found.bare), spread_of(found.whole),
          spread_of(found.of_bare), spread_of(found.in_chunks),
          spread_of(found.in_chunks_of_bare)};
}

/// Returns how far one result makes the resident memory rise, in bytes.
std::size_t measure_result_memory(const options& chosen, std::size_t bytes) {
  waiting_caller library{chosen.client, {"--write-bytes", chunk}};
  const auto before = start_of_peak();
  call(library, bytes);
  return peak_bytes() - before;
}

} // namespace

table measure_sizes(const options& chosen) {
  table result{"results of any size, one at a time",
               {"bare MB/s", "library MB/s", "of the bare", "4 KiB writes MB/s",
                "4 KiB, of the bare", "memory / message"},
               {},
               {},
               {{"result-sizes", "bytes of a result", "MB/s", {0, 1, 3}}}};
  result.rows = measure_each_size(
    [&](std::size_t bytes) { return measure_result_speed(chosen, bytes); },
    [&](std::size_t bytes) { return measure_result_memory(chosen, bytes); });
  const auto& at_8 = cells_of(result, "8 MiB");
  const auto& at_64 = cells_of(result, "64 MiB");
  result.targets
    = {at_least("8 MiB results, of a bare read and parse", at_8[2].median,
                speed_ratio_min),
       at_least("64 MiB results, of a bare read and parse", at_64[2].median,
                large_speed_ratio_min),
       at_least("64 MiB in 4 KiB writes, of a bare read and parse",
                at_64[4].median, large_speed_ratio_min),
       at_most("memory held for 8 MiB in 4 KiB writes, in messages",
               at_8[5].median, memory_ratio_max)};
  return result;
}

} // namespace bench
