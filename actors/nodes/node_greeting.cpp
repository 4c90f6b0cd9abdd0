#include "caf_mcp/actors/nodes/node_greeting.hpp"

#include <openssl/err.h>
#include <openssl/x509_vfy.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <fcntl.h>
#include <sys/socket.h>
#include <utility>

namespace caf_mcp {

namespace {

using boost::asio::ip::tcp;

/// The first words of a peer in CAF's protocol: a header, of a fixed size, that
/// announces its name.
constexpr std::size_t header_bytes = 32;
constexpr unsigned char hello_operation = 1;
constexpr std::uint32_t hello_bytes_max = 4096;

std::uint32_t announced_bytes(const unsigned char* header) {
  return std::uint32_t{header[4]} << 24U | std::uint32_t{header[5]} << 16U
         | std::uint32_t{header[6]} << 8U | std::uint32_t{header[7]};
}

/// Returns whether an error is the other side's alert about our certificate
/// (RFC 8446, 6.2): 42 to 48 for one that it does not take, 116 for none.
bool is_about_certificate(unsigned long code) {
  const auto alert = ERR_GET_REASON(code) - SSL_AD_REASON_OFFSET;
  return ERR_GET_LIB(code) == ERR_LIB_SSL
         && ((alert >= SSL_AD_BAD_CERTIFICATE && alert <= SSL_AD_UNKNOWN_CA)
             || alert == SSL_AD_CERTIFICATE_REQUIRED);
}

} // namespace

node_greeting::node_greeting(tcp::socket socket, node_role role,
                             const std::shared_ptr<tls_context>& context)
  : socket_{std::move(socket)},
    timer_{socket_.get_executor()},
    role_{role},
    has_tls_{context != nullptr} {
  boost::system::error_code ignored;
  socket_.non_blocking(true, ignored);
  socket_.set_option(tcp::no_delay{true}, ignored);
  ::fcntl(socket_.native_handle(), F_SETFD, FD_CLOEXEC);
  if (!context)
    return;
  if (context->refresh_revoked())
    session_ = context->new_session(role, socket_.native_handle());
  else
    why_ = "the list of revoked certificates cannot be read";
}

void node_greeting::start(clock::time_point deadline, handler on_end) {
  on_end_ = std::move(on_end);
  timer_.expires_at(deadline);
  timer_.async_wait(
    [weak = weak_from_this()](const boost::system::error_code& error) {
      auto self = weak.lock();
      if (self && !error)
        self->stop("it does not answer");
    });
  advance();
}

void node_greeting::stop(const std::string& why) {
  finish(false, why);
}

void node_greeting::advance() {
  const auto next = step();
  if (next == progress_kind::done)
    return finish(true, {});
  if (next == progress_kind::failed)
    return finish(false, why_);
  socket_.async_wait(
    next == progress_kind::want_read ? tcp::socket::wait_read
                                     : tcp::socket::wait_write,
    [self = shared_from_this()](const boost::system::error_code& error) {
      if (self->on_end_ && !error)
        self->advance();
    });
}

node_greeting::progress_kind node_greeting::step() {
  if (!has_tls_)
    return step_in_the_clear();
  return session_ ? step_by_tls() : progress_kind::failed;
}

node_greeting::progress_kind node_greeting::step_by_tls() {
  ERR_clear_error();
  if (SSL_is_init_finished(session_.get()) == 0)
    if (auto result = SSL_do_handshake(session_.get()); result != 1)
      return failure_of(result);
  std::array<unsigned char, header_bytes> header{};
  const auto result
    = SSL_peek(session_.get(), header.data(), static_cast<int>(header.size()));
  if (role_ == node_role::caller && tls_context::is_taken(session_.get()))
    return progress_kind::done;
  if (result <= 0)
    return failure_of(result);
  // What one peer writes at once is in one record.
  if (role_ == node_role::listener
      && static_cast<std::size_t>(result) == header.size()
      && is_hello(header.data()))
    return progress_kind::done;
  why_ = "it does not speak the protocol of nodes";
  return progress_kind::failed;
}

node_greeting::progress_kind node_greeting::step_in_the_clear() {
  if (role_ == node_role::caller)
    return progress_kind::done;
  std::array<unsigned char, header_bytes> header{};
  const auto count
    = ::recv(socket_.native_handle(), header.data(), header.size(), MSG_PEEK);
  if (count < 0 && (errno == EAGAIN || errno == EINTR))
    return progress_kind::want_read;
  // Our peers write it at once; a part of it would wake this for ever.
  if (static_cast<std::size_t>(count) == header.size()
      && is_hello(header.data()))
    return progress_kind::done;
  why_ = "it does not speak the protocol of nodes";
  return progress_kind::failed;
}

node_greeting::progress_kind node_greeting::failure_of(int result) {
  const auto kind = SSL_get_error(session_.get(), result);
  if (kind == SSL_ERROR_WANT_READ)
    return progress_kind::want_read;
  if (kind == SSL_ERROR_WANT_WRITE)
    return progress_kind::want_write;
  const auto verified = SSL_get_verify_result(session_.get());
  if (verified != X509_V_OK)
    why_ = "its certificate is refused: "
           + std::string{X509_verify_cert_error_string(verified)};
  else if (const auto code = ERR_peek_last_error(); is_about_certificate(code))
    why_ = "it refuses our certificate: " + take_openssl_error();
  else if (auto reason = take_openssl_error(); !reason.empty())
    why_ = reason;
  else
    why_ = "it has closed the connection";
  return progress_kind::failed;
}

bool node_greeting::is_hello(const unsigned char* header) {
  return header[0] == hello_operation
         && announced_bytes(header) <= hello_bytes_max;
}

void node_greeting::finish(bool is_done, std::string why) {
  auto on_end = std::exchange(on_end_, nullptr);
  if (!on_end)
    return;
  timer_.cancel();
  if (!is_done) {
    boost::system::error_code ignored;
    session_.reset();
    socket_.close(ignored);
    on_end(std::nullopt, std::move(why));
    return;
  }
  boost::system::error_code error;
  node_socket result;
  result.session = std::move(session_);
  if (result.session)
    result.peer = fingerprint_of_peer(result.session.get());
  result.fd = socket_.release(error);
  on_end(std::move(result), {});
}

} // namespace caf_mcp
