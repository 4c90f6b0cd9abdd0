#pragma once

#include "caf_mcp/actors/nodes/openssl_values.hpp"

#include <memory>
#include <string>
#include <unistd.h>
#include <utility>

namespace caf_mcp {

/// A connected socket whose other side has proved who it is, unless it was not
/// to be asked. Closes it.
struct node_socket {
  node_socket() = default;

  node_socket(node_socket&& other) noexcept
    : fd{std::exchange(other.fd, -1)},
      session{std::move(other.session)},
      peer{std::move(other.peer)},
      place{std::move(other.place)} {
    // nop
  }

  node_socket& operator=(node_socket&& other) noexcept {
    std::swap(fd, other.fd);
    std::swap(session, other.session);
    std::swap(peer, other.peer);
    std::swap(place, other.place);
    return *this;
  }

  ~node_socket() {
    session.reset();
    if (fd >= 0)
      ::close(fd);
  }

  int fd = -1;
  /// Null without TLS.
  ssl_ptr session;
  /// What tells the other side from others, by its certificate; empty without
  /// TLS.
  std::string peer;
  /// Holds a place among the connections that a node takes.
  std::shared_ptr<void> place;
};

} // namespace caf_mcp
