#include "caf_mcp/actors/nodes/peer_messages.hpp"

#include "caf_mcp/messages/fwd.hpp"

#include <caf/type_id.hpp>
#include <caf/unit.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace caf_mcp {

namespace {

using caf::type_id_t;
using caf::type_id_v;
using type_list = std::vector<type_id_t>;

/// As many as one byte can count.
constexpr std::size_t types_max = 0x7F;

/// Reads as CAF writes: the most significant byte first, no byte unused.
class byte_reader {
public:
  byte_reader(const std::byte* bytes, std::size_t size)
    : next_{bytes}, left_{size} {
    // nop
  }

  std::optional<std::uint8_t> read_byte() {
    if (left_ == 0)
      return std::nullopt;
    --left_;
    return std::to_integer<std::uint8_t>(*next_++);
  }

  std::optional<type_id_t> read_type() {
    const auto upper = read_byte();
    const auto lower = read_byte();
    if (!upper || !lower)
      return std::nullopt;
    return static_cast<type_id_t>(*upper << 8U | *lower);
  }

  std::optional<type_list> read_types() {
    const auto count = read_byte();
    if (!count || *count > types_max)
      return std::nullopt;
    type_list result;
    for (auto i = 0; i < *count; ++i) {
      const auto added = read_type();
      if (!added)
        return std::nullopt;
      result.push_back(*added);
    }
    return result;
  }

private:
  const std::byte* next_;
  std::size_t left_;
};

bool is_of_library(type_id_t type) {
  return type >= caf::id_block::caf_mcp::begin
         && type < caf::id_block::caf_mcp::end;
}

bool is_value(type_id_t type) {
  return is_of_library(type)
         || type == type_id_v<caf::unit_t> || type == type_id_v<std::uint64_t>;
}

/// Returns whether a value of the type holds no errors or messages itself.
bool is_flat(type_id_t type) {
  return type == type_id_v<error_info> || type == type_id_v<std::string>;
}

/// The context of an error may hold any message: other errors, too.
bool is_readable_error(byte_reader& source) {
  const auto is_present = source.read_byte();
  if (is_present == 0)
    return true;
  source.read_byte(); // code
  source.read_type(); // category
  const auto context = source.read_types();
  return context && std::all_of(context->begin(), context->end(), is_flat);
}

/// When two nodes meet, CAF asks for, and tells, what spawns actors on demand.
/// Those who learn of it cannot use it: the messages for that are not readable.
bool is_greeting_of_caf(const type_list& types) {
  static const type_list question{
    type_id_v<caf::sys_atom>, type_id_v<caf::get_atom>, type_id_v<std::string>};
  static const type_list answer{type_id_v<caf::ok_atom>, type_id_v<std::string>,
                                type_id_v<caf::strong_actor_ptr>,
                                type_id_v<std::string>};
  return types == question || types == answer;
}

} // namespace

bool is_readable_message(const std::byte* payload, std::size_t size) {
  byte_reader source{payload, size};
  if (source.read_byte() != 0) // actors that it was passed through
    return false;
  const auto types = source.read_types();
  if (!types)
    return false;
  if (*types == type_list{type_id_v<caf::error>})
    return is_readable_error(source);
  return is_greeting_of_caf(*types)
         || std::all_of(types->begin(), types->end(), is_value);
}

} // namespace caf_mcp
