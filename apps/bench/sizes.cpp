#include "sizes.hpp"

#include "caf_mcp/actors/client.hpp"

#include "floor_server.hpp"
#include "library_host.hpp"
#include "request.hpp"
#include "resident_memory.hpp"

#include <boost/json/monotonic_resource.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <caf/scoped_actor.hpp>

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <stdexcept>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace bench {

namespace {

constexpr std::size_t mib = std::size_t{1024} * 1024;
constexpr std::size_t sizes_mib[] = {1, 2, 4, 8, 16, 32, 64};
constexpr auto chunk = "4096";

/// 16 MiB in one write, of a bare read and parse.
constexpr double speed_ratio_min = 0.8;
/// The cost of a byte at 64 MiB in that at 1 MiB, both in those of a bare read:
/// beyond the caches, memory is slower for all.
constexpr double linear_ratio_max = 1.5;
/// Memory held for 8 MiB, in messages.
constexpr double memory_ratio_max = 3;

void check_text(const boost::json::value& result, std::size_t bytes) {
  const auto& text = result.at("content").as_array().at(0).at("text");
  if (text.as_string().size() != bytes)
    throw std::runtime_error{"a result of the wrong size"};
}

/// Reads a line, and parses it into memory that only grows.
class bare_reader {
public:
  explicit bare_reader(const client_options& options)
    : server_{options.server} {
    server_.write(initialize_line());
    read_line();
    server_.write(initialized_line());
  }

  void call(std::size_t bytes) {
    server_.write(R"({"jsonrpc":"2.0","id":1,"method":"tools/call",)"
                  R"("params":{"name":"big","arguments":{"bytes":)"
                  + std::to_string(bytes) + "}}}\n");
    const auto line = read_line();
    boost::json::monotonic_resource memory{line.size() + 1024};
    check_text(boost::json::parse(line, &memory).at("result"), bytes);
  }

private:
  std::string_view read_line() {
    std::size_t end = 0;
    do {
      if (buffer_.size() - end < mib)
        buffer_.resize(buffer_.size() * 2 + mib);
      end += server_.read(buffer_.data() + end, buffer_.size() - end);
    } while (buffer_[end - 1] != '\n');
    return {buffer_.data(), end};
  }

  floor_server server_;
  std::string buffer_;
};

class library_reader {
public:
  library_reader(const client_options& options, std::vector<std::string> args)
    : host_{options, std::move(args)}, self_{host_.system()} {
    // nop
  }

  void call(std::size_t bytes) {
    auto answer = ask(self_, host_.server(),
                      caf_mcp::call_tool("big", {{"bytes", bytes}}));
    if (!answer)
      throw std::runtime_error{caf_mcp::describe(answer.error()).message};
    check_text(answer->value(), bytes);
  }

private:
  library_host host_;
  caf::scoped_actor self_;
};

/// Calls with so many bytes; microseconds of the best of three.
template <class Reader>
double time_call(Reader& reader, std::size_t bytes) {
  auto best = clock::duration::max();
  for (auto i = 0; i < 3; ++i) {
    const auto start = clock::now();
    reader.call(bytes);
    best = std::min(best, clock::now() - start);
  }
  return to_us(best);
}

/// Rounds of one size, in MB/s.
struct speeds {
  std::vector<double> bare;
  std::vector<double> whole;
  std::vector<double> of_bare;
  std::vector<double> in_chunks;
  std::vector<double> in_chunks_of_bare;
};

speeds measure_size(const options& chosen, std::size_t bytes) {
  bare_reader bare{chosen.client};
  library_reader whole{chosen.client, {}};
  library_reader in_chunks{chosen.client, {"--write-bytes", chunk}};
  const auto amount = static_cast<double>(bytes);
  speeds result;
  for (std::size_t round = 0; round < chosen.rounds; ++round) {
    const auto bare_us = time_call(bare, bytes);
    const auto whole_us = time_call(whole, bytes);
    result.bare.push_back(amount / bare_us);
    result.whole.push_back(amount / whole_us);
    result.of_bare.push_back(bare_us / whole_us);
    const auto in_chunks_us = time_call(in_chunks, bytes);
    result.in_chunks.push_back(amount / in_chunks_us);
    result.in_chunks_of_bare.push_back(bare_us / in_chunks_us);
  }
  return result;
}

/// Returns how far one result makes the resident memory rise, in messages.
/// Measured in a process of its own, for a heap keeps what it once had.
double measure_memory_held(const options& chosen, std::size_t bytes) {
  std::array<int, 2> report{};
  if (::pipe2(report.data(), O_CLOEXEC) != 0)
    throw std::system_error{errno, std::generic_category(), "pipe2"};
  const auto child = ::fork(); // no other thread runs here
  if (child == 0) {
    library_reader reader{chosen.client, {"--write-bytes", chunk}};
    const auto before = start_of_peak();
    reader.call(bytes);
    const auto held = static_cast<double>(peak_bytes() - before);
    ::_exit(::write(report[1], &held, sizeof(held)) == sizeof(held) ? 0 : 1);
  }
  ::close(report[1]);
  double held = 0;
  const auto count = ::read(report[0], &held, sizeof(held));
  ::close(report[0]);
  ::waitpid(child, nullptr, 0);
  if (count != sizeof(held))
    throw std::runtime_error{"the process that measures memory failed"};
  return held / static_cast<double>(bytes);
}

} // namespace

table measure_sizes(const options& chosen) {
  table result{"results of many MiB",
               {"bare MB/s", "library MB/s", "of the bare", "4 KiB writes MB/s",
                "of the bare", "memory / message"},
               {},
               {},
               {{"result-sizes", "bytes of a result", "MB/s", {0, 1, 3}}}};
  std::vector<double> held;
  for (auto size : sizes_mib)
    held.push_back(measure_memory_held(chosen, size * mib));
  for (auto size : sizes_mib) {
    const auto found = measure_size(chosen, size * mib);
    result.rows.push_back(
      {std::to_string(size) + " MiB",
       {spread_of(found.bare), spread_of(found.whole), spread_of(found.of_bare),
        spread_of(found.in_chunks), spread_of(found.in_chunks_of_bare),
        spread_of({held[result.rows.size()]})}});
  }
  const auto& at_1 = result.rows.front().cells;
  const auto& at_8 = result.rows[3].cells;
  const auto& at_16 = result.rows[4].cells;
  const auto& at_64 = result.rows.back().cells;
  result.targets
    = {at_least("16 MiB results, of a bare read and parse", at_16[2].median,
                speed_ratio_min),
       at_most("byte of 64 MiB in 4 KiB writes, in bare ones, by byte of 1 MiB",
               at_1[4].median / at_64[4].median, linear_ratio_max),
       at_most("memory held for 8 MiB in 4 KiB writes, in messages",
               at_8[5].median, memory_ratio_max)};
  return result;
}

} // namespace bench
