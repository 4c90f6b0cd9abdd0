#include "caf_mcp/actors/nodes/openssl_values.hpp"

#include <openssl/err.h>

namespace caf_mcp {

bio_ptr reading_bio(std::string_view text) {
  return bio_ptr{BIO_new_mem_buf(text.data(), static_cast<int>(text.size()))};
}

std::string written_text(BIO* memory) {
  char* text = nullptr;
  const auto size = BIO_get_mem_data(memory, &text);
  return {text, static_cast<std::size_t>(size)};
}

std::string take_openssl_error() {
  const auto code = ERR_peek_last_error();
  ERR_clear_error();
  const auto* reason = code != 0 ? ERR_reason_error_string(code) : nullptr;
  return reason != nullptr ? reason : "";
}

std::string to_text(const ASN1_TIME* time) {
  const bio_ptr out{BIO_new(BIO_s_mem())};
  ASN1_TIME_print(out.get(), time);
  return written_text(out.get());
}

} // namespace caf_mcp
