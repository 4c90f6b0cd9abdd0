// Answers each message with an id, even an answer, with the line it came in, so
// that a test sees which bytes a client really writes: `line` is the text,
// `hex` the bytes.
#include "mini_server.hpp"

namespace {

std::string to_hex(std::string_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string hex;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    hex += digits[byte >> 4U];
    hex += digits[byte & 0xfU];
  }
  return hex;
}

} // namespace

int main() {
  while (const auto got = mini::receive()) {
    if (got->id.empty())
      continue;
    auto result = got->method == "initialize" ? mini::initialize_result(*got)
                                              : mini::text_result(got->line);
    result.pop_back();
    mini::reply(*got, result + R"(,"line":)"
                        + mini::json::serialize(mini::json::value(got->line))
                        + R"(,"hex":")" + to_hex(got->line) + "\"}");
  }
}
