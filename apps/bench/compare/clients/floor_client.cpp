#include "client.hpp"
#include "floor_server.hpp"
#include "request.hpp"

#include <boost/json/monotonic_resource.hpp>
#include <boost/json/parser.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>

namespace bench {

namespace {

namespace json = boost::json;

/// What a client cannot do without: write a line, read, find the newline, parse
/// into memory that is used again, look up the id.
class floor_client final : public client {
public:
  explicit floor_client(const client_options& options)
    : server_{options.server} {
    server_.write(initialize_line());
    while (answers_ == 0)
      read_answers(); // of `initialize`, the id of no request
    answers_ = 0;
    server_.write(initialized_line());
  }

  outcome run(const load& work) override {
    outcome result;
    const auto is_sequential = work.in_flight == 1;
    if (is_sequential)
      result.latencies.reserve(work.requests);
    first_id_ = next_id_;
    const auto last_id = next_id_ + static_cast<std::int64_t>(work.requests);
    const auto start = clock::now();
    auto sent = start;
    answers_ = 0;
    for (std::size_t outstanding = 0; answers_ < work.requests;) {
      for (; outstanding < work.in_flight && next_id_ < last_id; ++outstanding)
        append_line(next_id_++, lines_);
      server_.write(lines_);
      lines_.clear();
      outstanding -= read_answers();
      if (is_sequential) {
        auto now = clock::now();
        result.latencies.push_back(now - sent);
        sent = now;
      }
    }
    result.wall = clock::now() - start;
    return result;
  }

private:
  /// Reads once, and takes the answers that are complete. Returns how many.
  std::size_t read_answers() {
    const auto answers_before = answers_;
    end_ += server_.read(buffer_.data() + end_, buffer_.size() - end_);
    std::size_t begin = 0;
    while (const auto* newline = static_cast<const char*>(
             std::memchr(buffer_.data() + begin, '\n', end_ - begin))) {
      const auto stop = static_cast<std::size_t>(newline - buffer_.data());
      take_answer({buffer_.data() + begin, stop - begin});
      begin = stop + 1;
    }
    std::copy(buffer_.data() + begin, buffer_.data() + end_, buffer_.data());
    end_ -= begin;
    return answers_ - answers_before;
  }

  void take_answer(std::string_view line) {
    memory_.release();
    parser_.reset(&memory_);
    parser_.write(line.data(), line.size());
    const auto message = parser_.release();
    const auto id = message.at("id").get_int64();
    if (id >= next_id_)
      throw std::runtime_error{"unexpected answer: " + std::string{line}};
    if (id == first_id_)
      check_result(message.at("result"));
    ++answers_;
  }

  floor_server server_;
  std::int64_t first_id_ = 1;
  std::int64_t next_id_ = 1;
  std::size_t answers_ = 0;
  std::string lines_;
  std::array<char, 262'144> buffer_;
  std::size_t end_ = 0;
  std::array<unsigned char, 16'384> arena_;
  json::monotonic_resource memory_{arena_.data(), arena_.size()};
  json::parser parser_;
};

} // namespace

std::unique_ptr<client> make_floor_client(const client_options& options) {
  return std::make_unique<floor_client>(options);
}

} // namespace bench
