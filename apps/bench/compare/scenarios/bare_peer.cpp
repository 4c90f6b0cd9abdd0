#include "bare_peer.hpp"

#include "apps/bench/compare/clients/request.hpp"

namespace bench {

namespace {

/// Room for one read: what a pipe holds.
constexpr std::size_t read_bytes = std::size_t{1024} * 1024;

} // namespace

bare_peer::bare_peer(const client_options& options) : server_{options.server} {
  call(initialize_line());
  server_.write(initialized_line());
}

std::string_view bare_peer::call(std::string_view line) {
  server_.write(line);
  return read_line();
}

void bare_peer::give_back() {
  buffer_ = {};
}

std::string_view bare_peer::read_line() {
  std::size_t end = 0;
  do {
    if (buffer_.size() - end < read_bytes)
      buffer_.resize(buffer_.size() * 2 + read_bytes);
    end += server_.read(buffer_.data() + end, buffer_.size() - end);
  } while (buffer_[end - 1] != '\n');
  return {buffer_.data(), end};
}

} // namespace bench
