#include "caf_mcp/messages/wire/encoder.hpp"

#include "caf_mcp/messages/json/json_writer.hpp"
#include "caf_mcp/messages/json/utf8.hpp"

namespace caf_mcp {

namespace {

constexpr std::string_view meta_key = "_meta";
constexpr std::string_view token_key = "progressToken";

/// Returns the member `_meta` of `params`, or nullptr.
const boost::json::value* find_meta(const payload& params) {
  const auto* object = params.if_object();
  return object != nullptr ? object->if_contains(meta_key) : nullptr;
}

/// Returns whether `_meta` can be merged into `params`: they are absent, or an
/// object whose `_meta`, if any, is an object.
bool takes_meta(const payload& params) {
  if (!params)
    return true;
  const auto* meta = find_meta(params);
  return params.if_object() != nullptr
         && (meta == nullptr || meta->is_object());
}

bool has_member(const boost::json::object* object, std::string_view key) {
  return object != nullptr && object->contains(key);
}

bool has_token(const payload& params) {
  const auto* meta = find_meta(params);
  return meta != nullptr && has_member(meta->if_object(), token_key);
}

/// Writes the parts of one message.
class message_writer {
public:
  explicit message_writer(byte_buffer& out) : out_{out}, json_{out} {
    // nop
  }

  /// Returns what is wrong with the message, of which `text` was written.
  encode_result result(std::string_view text) const {
    if (!json_.is_finite())
      return encode_result::not_finite;
    if (!(json_.is_ascii() && is_id_ascii_) && !is_valid_utf8(text))
      return encode_result::not_utf8;
    return encode_result::written;
  }

  void write(const outgoing_request& message) {
    out_.append(R"({"jsonrpc":"2.0","id":)");
    json_.write_integer(message.id);
    out_.append(R"(,"method":)");
    json_.write_text(message.method);
    write_params(message);
    out_.append('}');
  }

  void write(const outgoing_notification& message) {
    out_.append(R"({"jsonrpc":"2.0","method":)");
    json_.write_text(message.method);
    if (message.params) {
      out_.append(R"(,"params":)");
      write_payload(message.params);
    }
    out_.append('}');
  }

  void write(const outgoing_response& message) {
    out_.append(R"({"jsonrpc":"2.0","id":)");
    out_.append(message.id_json);
    is_id_ascii_ = false;
    std::visit([&](const auto& outcome) { write_outcome(outcome); },
               message.outcome);
    out_.append('}');
  }

private:
  void write_payload(const payload& value) {
    json_.spell(value.spellings());
    json_.write(value.value());
  }

  void write_outcome(const payload& result) {
    out_.append(R"(,"result":)");
    if (result)
      write_payload(result);
    else
      out_.append("{}");
  }

  void write_outcome(const rpc_error& error) {
    out_.append(R"(,"error":{"code":)");
    json_.write_integer(error.code);
    out_.append(R"(,"message":)");
    json_.write_text(error.message);
    if (error.data) {
      out_.append(R"(,"data":)");
      write_payload(error.data);
    }
    out_.append('}');
  }

  void write_params(const outgoing_request& message) {
    const auto changes_meta
      = message.meta || message.wants_progress || has_token(message.params);
    if (!message.params && !changes_meta)
      return;
    out_.append(R"(,"params":)");
    if (!changes_meta || !takes_meta(message.params)) {
      write_payload(message.params);
      return;
    }
    out_.append('{');
    write_meta(message);
    json_.spell(message.params.spellings());
    if (const auto* params = message.params.if_object()) {
      auto first = false;
      for (const auto& [key, value] : *params)
        if (key != meta_key)
          json_.write_member(key, value, first);
    }
    out_.append('}');
  }

  void write_meta(const outgoing_request& message) {
    const auto* meta = find_meta(message.params);
    const auto* own = meta != nullptr ? meta->if_object() : nullptr;
    const auto* added = message.meta.if_object();
    auto first = true;
    out_.append(R"("_meta":{)");
    json_.spell(message.params.spellings());
    if (own != nullptr)
      for (const auto& [key, value] : *own)
        if (key != token_key)
          json_.write_member(key, value, first);
    json_.spell(message.meta.spellings());
    if (added != nullptr)
      for (const auto& [key, value] : *added)
        if (!has_member(own, key))
          json_.write_member(key, value, first);
    // MCP, Progress: a token is unique among the active requests. Callers know
    // nothing of each other's.
    if (message.wants_progress) {
      out_.append(first ? R"("progressToken":)" : R"(,"progressToken":)");
      json_.write_integer(message.id);
    }
    out_.append('}');
  }

  byte_buffer& out_;
  json_writer<byte_buffer> json_;
  /// Whether no id was written as it came, which may be any text.
  bool is_id_ascii_ = true;
};

} // namespace

encode_result encoder::encode(const outgoing_message& message,
                              byte_buffer& out) {
  const auto size_before = out.size();
  message_writer writer{out};
  std::visit([&writer](const auto& each) { writer.write(each); }, message);
  const auto result = writer.result(out.view().substr(size_before));
  if (result == encode_result::written)
    out.append('\n');
  else
    out.truncate(size_before);
  return result;
}

} // namespace caf_mcp
