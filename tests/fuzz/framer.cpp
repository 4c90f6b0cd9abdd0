#include "caf_mcp/messages/wire/framer.hpp"

#include "tests/fuzz/require.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using caf_mcp::frame_kind;
using caf_mcp::framer;

namespace {

constexpr std::size_t tail_bytes_max = std::size_t{4} * 1024;

using frames = std::vector<std::pair<frame_kind, std::string>>;

/// What a fuzzer's input asks for: the first bytes are the limit and the sizes
/// of the chunks, the rest is what a server writes.
struct scenario {
  std::size_t line_bytes_max = 1;
  std::string_view chunk_sizes;
  std::string_view input;
};

scenario read_scenario(std::string_view bytes) {
  scenario result;
  if (bytes.size() < 2)
    return result;
  result.line_bytes_max = 1 + static_cast<unsigned char>(bytes[0]);
  auto sizes = std::min<std::size_t>(static_cast<unsigned char>(bytes[1]),
                                     bytes.size() - 2);
  result.chunk_sizes = bytes.substr(2, sizes);
  result.input = bytes.substr(2 + sizes);
  return result;
}

void write(framer& target, std::string_view chunk) {
  std::copy(chunk.begin(), chunk.end(), target.prepare(chunk.size()));
  target.commit(chunk.size());
}

void check_text(frame_kind kind, std::string_view text, std::size_t limit) {
  REQUIRE(text.find('\n') == std::string_view::npos);
  REQUIRE(text.size()
          <= (kind == frame_kind::oversized_end ? tail_bytes_max : limit));
}

frames in_one_piece(const scenario& wanted) {
  framer reader{wanted.line_bytes_max};
  write(reader, wanted.input);
  frames result;
  while (auto found = reader.finish())
    result.emplace_back(found->kind, found->text);
  return result;
}

frames in_chunks(const scenario& wanted) {
  framer reader{wanted.line_bytes_max};
  frames result;
  auto rest = wanted.input;
  for (std::size_t i = 0; !rest.empty(); ++i) {
    auto size = rest.size();
    if (!wanted.chunk_sizes.empty())
      size = static_cast<unsigned char>(
        wanted.chunk_sizes[i % wanted.chunk_sizes.size()]);
    auto chunk = rest.substr(0, std::max<std::size_t>(size, 1));
    rest.remove_prefix(chunk.size());
    write(reader, chunk);
    while (auto found = reader.next()) {
      check_text(found->kind, found->text, wanted.line_bytes_max);
      result.emplace_back(found->kind, found->text);
    }
    REQUIRE(reader.capacity()
            <= 4 * (wanted.line_bytes_max + tail_bytes_max + chunk.size()));
  }
  while (auto found = reader.finish())
    result.emplace_back(found->kind, found->text);
  return result;
}

} // namespace

/// Frames do not depend on how the input is cut.
// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  auto wanted = read_scenario({reinterpret_cast<const char*>(data), size});
  REQUIRE(in_one_piece(wanted) == in_chunks(wanted));
  return 0;
}
