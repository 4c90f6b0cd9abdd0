// The resources: a text, an image, and items made from a template.
#include "answers.hpp"
#include "handlers.hpp"
#include "server.hpp"

#include <string>
#include <vector>

namespace demo {

namespace {

constexpr std::string_view greeting_uri = "demo://greeting";
constexpr std::string_view logo_uri = "demo://logo";
constexpr std::string_view item_prefix = "demo://item/";

/// A PNG image of one transparent pixel, in Base64.
constexpr std::string_view logo_base64
  = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60"
    "e6"
    "kgAAAABJRU5ErkJggg==";

/// One entry of a read result.
struct resource_contents {
  std::string_view uri;
  std::string_view mime_type;
  /// `text` or `blob`.
  std::string_view member;
  std::string_view value;
};

void answer_read(server& srv, const request& req,
                 const resource_contents& contents) {
  srv.out.result(req.from, [&](std::string& out) {
    out += R"("contents":[{"uri":)";
    put_quoted(out, contents.uri);
    out += R"(,"mimeType":)";
    put_quoted(out, contents.mime_type);
    out += ',';
    put_quoted(out, contents.member);
    out += ':';
    put_quoted(out, contents.value);
    out += "}]";
    put_cache_hints(out, req.from.spoken);
  });
}

/// The code changed with the era (2026-07-28, schema, InvalidParamsError).
[[noreturn]] void refuse_uri(const request& req, std::string_view uri) {
  const auto error_code = req.from.spoken == era::modern
                            ? code::invalid_params
                            : code::resource_not_found;
  std::string data = R"({"uri":)";
  put_quoted(data, uri);
  data += '}';
  throw refusal{error_code, "Resource not found", data};
}

} // namespace

void on_resources_list(server& srv, const request& req) {
  static const std::vector<std::string> list{
    R"({"uri":"demo://greeting","name":"greeting","title":"Greeting",)"
    R"("description":"A friendly text","mimeType":"text/plain"})",
    R"({"uri":"demo://logo","name":"logo","title":"Logo",)"
    R"("description":"A very small image","mimeType":"image/png"})"};
  answer_page(srv, req, "resources", list);
}

void on_templates_list(server& srv, const request& req) {
  static const std::vector<std::string> list{
    R"({"uriTemplate":"demo://item/{id}","name":"item","title":"Item",)"
    R"("description":"An item by its id","mimeType":"application/json"})"};
  answer_page(srv, req, "resourceTemplates", list);
}

void on_resources_read(server& srv, const request& req) {
  const auto uri = required_text(req, "uri");
  if (uri == greeting_uri) {
    answer_read(srv, req, {uri, "text/plain", "text", "Hello from the demo."});
  } else if (uri == logo_uri) {
    answer_read(srv, req, {uri, "image/png", "blob", logo_base64});
  } else if (uri.starts_with(item_prefix) && uri.size() > item_prefix.size()) {
    std::string text = R"({"id":)";
    put_quoted(text, uri.substr(item_prefix.size()));
    text += '}';
    answer_read(srv, req, {uri, "application/json", "text", text});
  } else {
    refuse_uri(req, uri);
  }
}

} // namespace demo
