#pragma once

#include "caf_mcp/messages/json/json_document.hpp"
#include "caf_mcp/messages/json_rpc.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace caf_mcp {

/// Reads lines as JSON-RPC messages. For use by one thread at a time.
class decoder {
public:
  explicit decoder(std::size_t json_depth_max = default_json_depth)
    : reader_{json_depth_max},
      result_reader_{std::max<std::size_t>(json_depth_max, 1) - 1} {
    // nop
  }

  /// Decodes one line. Returns nothing if the line is junk: no JSON-RPC message
  /// by its looks. A message that looks right but cannot be used comes back as
  /// `undecodable_message`, with its id where a scan finds one.
  ///
  /// Classifies by the members: `method` without `id` is a notification, with
  /// `id` a request, `result` or `error` a response. Unknown members are
  /// ignored, and so is a `method` or an `error` that is null.
  ///
  /// An array is decoded element by element, so that one that cannot be used
  /// costs only itself; an array without any message is junk.
  std::optional<incoming_message> decode(std::string_view line);

private:
  std::optional<single_message> decode_one(std::string_view text);
  std::optional<single_message> decode_plain_response(std::string_view text);
  std::optional<incoming_message>
  decode_batch(const std::vector<std::string_view>& elements);

  json_reader reader_;
  /// For results, which are one level down.
  json_reader result_reader_;
};

} // namespace caf_mcp
