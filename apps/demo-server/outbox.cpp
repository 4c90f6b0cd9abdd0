#include "outbox.hpp"

#include "wire.hpp"

#include <unistd.h>
#include <utility>

namespace demo {

namespace {

/// Memory kept between batches, in bytes; more is given back after a burst.
constexpr std::size_t kept_capacity = 4'194'304;

} // namespace

outbox::outbox(std::string server_info, std::size_t write_bytes)
  : server_info_{std::move(server_info)}, write_bytes_{write_bytes} {
  // Servers SHOULD name themselves in every result (2026-07-28, schema,
  // ResultMetaObject), so the text is made once.
  meta_member_ = R"(","_meta":{")";
  meta_member_ += meta_key::server_info;
  meta_member_ += R"(":)" + server_info_ + "},";
}

void outbox::begin_response(std::string_view id) {
  buffer_ += R"({"jsonrpc":"2.0","id":)";
  buffer_ += id;
  buffer_ += ',';
}

void outbox::error(const reply_address& to, int code, std::string_view message,
                   std::string_view data) {
  begin_response(to.id);
  buffer_ += R"("error":{"code":)";
  put_integer(buffer_, code);
  buffer_ += R"(,"message":)";
  put_quoted(buffer_, message);
  if (!data.empty()) {
    buffer_ += R"(,"data":)";
    buffer_ += data;
  }
  buffer_ += "}}\n";
}

void outbox::listen_result(std::string_view id) {
  begin_response(id);
  buffer_ += R"("result":{"resultType":"complete","_meta":{")";
  buffer_ += meta_key::subscription_id;
  buffer_ += R"(":)";
  buffer_ += id;
  buffer_ += "}}}\n";
}

void outbox::request(std::int64_t id, std::string_view method,
                     std::string_view params) {
  buffer_ += R"({"jsonrpc":"2.0","id":)";
  put_integer(buffer_, id);
  buffer_ += R"(,"method":")";
  buffer_ += method;
  buffer_ += '"';
  if (!params.empty()) {
    buffer_ += R"(,"params":)";
    buffer_ += params;
  }
  buffer_ += "}\n";
}

bool outbox::flush() {
  const std::string_view all{buffer_};
  const auto piece = write_bytes_ > 0 ? write_bytes_ : all.size();
  auto written = true;
  for (std::size_t at = 0; at < all.size() && written; at += piece)
    written = write_all(STDOUT_FILENO, all.substr(at, piece));
  buffer_.clear();
  if (buffer_.capacity() > kept_capacity)
    buffer_.shrink_to_fit();
  return written;
}

} // namespace demo
