#include "arguments.hpp"

#include "caf_mcp/messages/error_info.hpp"
#include "caf_mcp/messages/json/json_document.hpp"
#include "caf_mcp/messages/json/utf8.hpp"
#include "caf_mcp/messages/qualified_name.hpp"

#include <utility>

namespace caf_mcp::tool {

namespace {

caf::error refuse(std::string_view word, std::string_view why) {
  auto message = '"' + to_valid_utf8(std::string{word}) + "\" ";
  message += why;
  return config_error("arguments", message);
}

caf::error add_object(std::vector<payload_member>& to, std::string_view word) {
  json_reader reader;
  auto document = reader.read(word);
  if (!document)
    return refuse(word, "is not JSON: " + reader.error().message());
  const auto* object = document.if_object();
  if (object == nullptr)
    return refuse(word, "is not a JSON object");
  for (const auto& member : *object)
    to.push_back({member.key(), document.part(&member.value())});
  return {};
}

caf::error add_json(std::vector<payload_member>& to, std::string_view word,
                    std::string_view key, std::string_view text) {
  json_reader reader;
  auto document = reader.read(text);
  if (!document)
    return refuse(word, "must have JSON after \":=\"; "
                          + reader.error().message()
                          + " (a string needs no \":\": KEY=TEXT)");
  to.push_back({std::string{key}, std::move(document)});
  return {};
}

caf::error add(std::vector<payload_member>& to, std::string_view word) {
  if (!is_valid_utf8(word))
    return refuse(word, "is not valid UTF-8");
  if (word.starts_with('{'))
    return add_object(to, word);
  auto sign = word.find('=');
  if (sign == std::string_view::npos || sign == 0 || word.starts_with(":="))
    return refuse(word, "is neither a JSON object nor KEY=VALUE nor KEY:=JSON");
  auto key = word.substr(0, sign);
  auto text = word.substr(sign + 1);
  if (key.ends_with(':'))
    return add_json(to, word, key.substr(0, key.size() - 1), text);
  to.push_back({std::string{key}, payload{boost::json::value(text)}});
  return {};
}

} // namespace

caf::expected<payload> read_arguments(const std::vector<std::string>& words) {
  std::vector<payload_member> result;
  for (const auto& word : words)
    if (auto error = add(result, word))
      return error;
  return compose_object(result);
}

std::optional<std::string> take_server_name(std::string& name) {
  auto parts = split_qualified_name(name);
  if (!parts)
    return std::nullopt;
  name = std::move(parts->item);
  return std::move(parts->server);
}

} // namespace caf_mcp::tool
