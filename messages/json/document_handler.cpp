#include "caf_mcp/messages/json/document_handler.hpp"

#include "caf_mcp/messages/json/number_spellings.hpp"

#include <bit>

namespace caf_mcp {

namespace {

/// A quiet NaN whose last bits are free.
constexpr std::uint64_t mark = 0x7FFC000000000000;
constexpr std::uint64_t place_bits = 0x0003FFFFFFFFFFFF;

} // namespace

std::optional<std::size_t>
document_handler::marked(const boost::json::value& value) noexcept {
  const auto* number = value.if_double();
  if (number == nullptr)
    return std::nullopt;
  const auto bits = std::bit_cast<std::uint64_t>(*number);
  if ((bits & ~place_bits) != mark)
    return std::nullopt;
  return bits & place_bits;
}

bool document_handler::on_double(double, text_view text, error_code&) {
  const std::string_view digits{text.data(), text.size()};
  const auto number = read_double(digits);
  if (is_beyond_double(digits, number))
    push_mark(text);
  else
    stack.push_double(number);
  return true;
}

void document_handler::push_mark(text_view text) {
  stack.push_double(std::bit_cast<double>(mark | spelled.size()));
  spelled.emplace_back(text.data(), text.size());
}

} // namespace caf_mcp
