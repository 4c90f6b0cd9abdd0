#include "floor_fleet.hpp"

#include "apps/bench/compare/clients/request.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <sys/epoll.h>
#include <system_error>
#include <unistd.h>

namespace bench {

namespace {

/// Says which servers have written something.
class readiness {
public:
  explicit readiness(const std::vector<std::unique_ptr<floor_server>>& servers)
    : fd_{::epoll_create1(EPOLL_CLOEXEC)}, events_(servers.size()) {
    if (fd_ < 0)
      fail();
    for (std::size_t number = 0; number < servers.size(); ++number) {
      epoll_event event{};
      event.events = EPOLLIN;
      event.data.u64 = number;
      if (::epoll_ctl(fd_, EPOLL_CTL_ADD, servers[number]->readable(), &event)
          != 0)
        fail();
    }
  }

  readiness(const readiness&) = delete;
  readiness& operator=(const readiness&) = delete;

  ~readiness() {
    ::close(fd_);
  }

  /// Waits for one at least; calls `use` with the number of each.
  template <class Function>
  void wait(Function use) {
    const auto count
      = ::epoll_wait(fd_, events_.data(), static_cast<int>(events_.size()), -1);
    if (count < 0)
      fail();
    for (auto i = 0; i < count; ++i)
      use(events_[static_cast<std::size_t>(i)].data.u64);
  }

private:
  [[noreturn]] static void fail() {
    throw std::system_error{errno, std::generic_category(), "epoll"};
  }

  int fd_;
  std::vector<epoll_event> events_;
};

} // namespace

floor_fleet::floor_fleet(const client_options& options, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    servers_.push_back(std::make_unique<floor_server>(options.server));
    servers_.back()->write(initialize_line());
  }
  for (const auto& each : servers_) {
    take_answers(*each);
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
    append_request();
    send(server);
    take_answers(server);
    const auto now = clock::now();
    result.push_back(now - sent);
    sent = now;
  }
  return result;
}

clock::duration floor_fleet::run(const load& each) {
  struct progress {
    std::size_t requests = 0;
    std::size_t answers = 0;
  };
  std::vector<progress> all(servers_.size());
  readiness ready{servers_};
  auto send_up_to = [&](std::size_t number, std::size_t count) {
    auto& sent = all[number].requests;
    for (; count > 0 && sent < each.requests; --count, ++sent)
      append_request();
    send(*servers_[number]);
  };
  const auto start = clock::now();
  for (std::size_t number = 0; number < servers_.size(); ++number)
    send_up_to(number, each.in_flight);
  for (auto busy = servers_.size(); busy > 0;)
    ready.wait([&](std::size_t number) {
      const auto count = take_answers(*servers_[number]);
      all[number].answers += count;
      if (all[number].answers == each.requests)
        --busy;
      send_up_to(number, count);
    });
  return clock::now() - start;
}

void floor_fleet::append_request() {
  append_line(++last_id_, lines_);
}

void floor_fleet::send(const floor_server& server) {
  server.write(lines_);
  lines_.clear();
}

std::size_t floor_fleet::take_answers(const floor_server& server) {
  std::size_t end = 0;
  do
    end += server.read(buffer_.data() + end, buffer_.size() - end);
  while (buffer_[end - 1] != '\n');
  std::size_t count = 0;
  for (std::size_t begin = 0; begin < end; ++count) {
    const auto* newline = static_cast<const char*>(
      std::memchr(buffer_.data() + begin, '\n', end - begin));
    const auto stop = static_cast<std::size_t>(newline - buffer_.data());
    take_answer({buffer_.data() + begin, stop - begin});
    begin = stop + 1;
  }
  return count;
}

void floor_fleet::take_answer(std::string_view line) {
  memory_.release();
  parser_.reset(&memory_);
  parser_.write(line.data(), line.size());
  const auto message = parser_.release();
  const auto id = message.at("id").get_int64();
  if (id > last_id_ || !message.as_object().contains("result"))
    throw std::runtime_error{"unexpected answer: " + std::string{line}};
  if (id == 1)
    check_result(message.at("result"));
}

} // namespace bench
