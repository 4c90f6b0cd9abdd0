#include "request_sizes.hpp"

#include "caf_mcp/messages/methods.hpp"

#include "bare_peer.hpp"
#include "message_sizes.hpp"
#include "resident_memory.hpp"
#include "waiting_caller.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serializer.hpp>

#include <stdexcept>

namespace bench {

namespace {

/// The cost of a byte at 64 MiB in that at 1 MiB, both in bare ones.
constexpr double request_ratio_max = 1.3;

caf_mcp::send_request make_request_of(std::size_t bytes) {
  return caf_mcp::call_tool("length", {{"text", std::string(bytes, 'x')}});
}

void check_answer(const boost::json::value& result, std::size_t bytes) {
  const auto& text = result.at("content").as_array().at(0).at("text");
  if (text.as_string() != std::to_string(bytes))
    throw std::runtime_error{"a request of the wrong size"};
}

/// Serialises into a buffer that only grows, and writes that at once.
class bare_caller {
public:
  explicit bare_caller(const client_options& options) : peer_{options} {
    // nop
  }

  void call(const caf_mcp::send_request& request, std::size_t bytes) {
    line_ = R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":)";
    auto end = line_.size();
    line_.resize(end + bytes + kib);
    serializer_.reset(&request.params.value());
    end += serializer_.read(line_.data() + end, line_.size() - end).size();
    line_.resize(end);
    line_ += "}\n";
    const auto answer = boost::json::parse(peer_.call(line_));
    check_answer(answer.at("result"), bytes);
  }

private:
  bare_peer peer_;
  boost::json::serializer serializer_;
  std::string line_;
};

void call(waiting_caller& library, const caf_mcp::send_request& request,
          std::size_t bytes) {
  check_answer(library.call(request).value(), bytes);
}

/// Returns how far one request makes the resident memory rise, in bytes, beyond
/// what the caller holds.
std::size_t measure_request_memory(const options& chosen, std::size_t bytes) {
  waiting_caller library{chosen.client};
  const auto request = make_request_of(bytes);
  const auto before = start_of_peak();
  call(library, request, bytes);
  return peak_bytes() - before;
}

std::vector<spread> measure_request_speed(const options& chosen,
                                          std::size_t bytes) {
  bare_caller bare{chosen.client};
  waiting_caller library{chosen.client};
  const auto request = make_request_of(bytes);
  const auto amount = static_cast<double>(bytes);
  std::vector<double> bare_speed;
  std::vector<double> speed;
  std::vector<double> of_bare;
  for (std::size_t round = 0; round < chosen.rounds; ++round) {
    const auto bare_us = time_call(bytes, [&] { bare.call(request, bytes); });
    const auto us = time_call(bytes, [&] { call(library, request, bytes); });
    bare_speed.push_back(amount / bare_us);
    speed.push_back(amount / us);
    of_bare.push_back(bare_us / us);
  }
  return {spread_of(bare_speed), spread_of(speed), spread_of(of_bare)};
}

} // namespace

table measure_request_sizes(const options& chosen) {
  table result{"requests of any size, one at a time",
               {"bare MB/s", "library MB/s", "of the bare", "memory / message"},
               {},
               {},
               {{"request-sizes", "bytes of a request", "MB/s", {0, 1}}}};
  result.rows = measure_each_size(
    [&](std::size_t bytes) { return measure_request_speed(chosen, bytes); },
    [&](std::size_t bytes) { return measure_request_memory(chosen, bytes); });
  result.targets = {at_most(
    "cost of a byte of 64 MiB requests, by 1 MiB, beyond the bare one",
    cells_of(result, "1 MiB")[2].median / cells_of(result, "64 MiB")[2].median,
    request_ratio_max)};
  return result;
}

} // namespace bench
