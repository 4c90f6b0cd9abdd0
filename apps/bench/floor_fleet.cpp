#include "floor_fleet.hpp"

#include "request.hpp"

#include <stdexcept>

namespace bench {

floor_fleet::floor_fleet(const client_options& options, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    servers_.push_back(std::make_unique<floor_server>(options.server));
    servers_.back()->write(initialize_line());
  }
  for (const auto& each : servers_) {
    read_answer(*each);
    each->write(initialized_line());
  }
}

std::vector<clock::duration>
floor_fleet::tour(const std::vector<std::size_t>& order) {
  std::vector<clock::duration> result;
  result.reserve(order.size());
  auto sent = clock::now();
  for (const auto number : order) {
    const auto& server = *servers_[number];
    line_.clear();
    append_line(++last_id_, line_);
    server.write(line_);
    const auto answer = read_answer(server);
    if (answer.at("id").get_int64() != last_id_)
      throw std::runtime_error{"an answer to another request"};
    if (result.empty())
      check_result(answer.at("result"));
    const auto now = clock::now();
    result.push_back(now - sent);
    sent = now;
  }
  return result;
}

boost::json::value floor_fleet::read_answer(const floor_server& server) {
  std::size_t end = 0;
  do
    end += server.read(buffer_.data() + end, buffer_.size() - end);
  while (buffer_[end - 1] != '\n');
  memory_.release();
  parser_.reset(&memory_);
  parser_.write(buffer_.data(), end - 1);
  return parser_.release();
}

} // namespace bench
