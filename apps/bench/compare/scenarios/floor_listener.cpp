#include "floor_listener.hpp"

#include "apps/bench/compare/clients/request.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace bench {

floor_listener::floor_listener(const client_options& options, std::string uri)
  : server_{options.server}, uri_{std::move(uri)} {
  lines_ = initialize_line();
  exchange(1);
  lines_ = initialized_line();
  append_request("resources/subscribe", R"({"uri":")" + uri_ + R"("})");
  exchange(1);
}

clock::duration floor_listener::run(std::size_t calls,
                                    std::size_t events_per_call) {
  const auto params = R"({"name":"touch","arguments":{"uri":")" + uri_
                      + R"(","count":)" + std::to_string(events_per_call)
                      + "}}";
  events_ = 0;
  const auto start = clock::now();
  for (std::size_t i = 0; i < calls; ++i)
    append_request("tools/call", params);
  exchange(calls);
  const auto time = clock::now() - start;
  if (events_ != calls * events_per_call)
    throw std::runtime_error{"not as many events as were asked for"};
  return time;
}

void floor_listener::append_request(std::string_view method,
                                    std::string_view params) {
  lines_ += R"({"jsonrpc":"2.0","id":)" + std::to_string(++last_id_)
            + R"(,"method":")";
  lines_ += method;
  lines_ += R"(","params":)";
  lines_ += params;
  lines_ += "}\n";
}

void floor_listener::exchange(std::size_t answers) {
  server_.write(lines_);
  lines_.clear();
  answers_ = 0;
  while (answers_ < answers)
    read_lines();
}

void floor_listener::read_lines() {
  end_ += server_.read(buffer_.data() + end_, buffer_.size() - end_);
  std::size_t begin = 0;
  while (const auto* newline = static_cast<const char*>(
           std::memchr(buffer_.data() + begin, '\n', end_ - begin))) {
    const auto stop = static_cast<std::size_t>(newline - buffer_.data());
    take_line({buffer_.data() + begin, stop - begin});
    begin = stop + 1;
  }
  std::copy(buffer_.data() + begin, buffer_.data() + end_, buffer_.data());
  end_ -= begin;
}

void floor_listener::take_line(std::string_view line) {
  memory_.release();
  parser_.reset(&memory_);
  parser_.write(line.data(), line.size());
  const auto message = parser_.release();
  const auto& members = message.as_object();
  if (members.contains("result"))
    ++answers_;
  else if (message.at("method") == "notifications/resources/updated"
           && message.at("params").at("uri").as_string() == uri_)
    ++events_;
  else
    throw std::runtime_error{"unexpected message: " + std::string{line}};
}

} // namespace bench
