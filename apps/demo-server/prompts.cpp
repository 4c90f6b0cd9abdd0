// The prompts.
#include "answers.hpp"
#include "handlers.hpp"
#include "server.hpp"

#include <string>
#include <vector>

namespace demo {

namespace {

void answer_prompt(server& srv, const request& req,
                   std::string_view description, std::string_view text) {
  srv.out.result(req.from, [&](std::string& out) {
    out += R"("description":)";
    put_quoted(out, description);
    out += R"(,"messages":[{"role":"user","content":{"type":"text","text":)";
    put_quoted(out, text);
    out += "}}]";
  });
}

void get_greet(server& srv, const request& req) {
  const auto& arguments = object_member(req.params, "arguments");
  const auto* name = string_member(arguments, "name");
  if (name == nullptr)
    throw refusal{code::invalid_params, "Missing argument: name"};
  const auto* style = string_member(arguments, "style");
  std::string text = "Greet ";
  text += *name;
  if (style != nullptr) {
    text += " in this style: ";
    text += *style;
  }
  answer_prompt(srv, req, "A greeting", text);
}

} // namespace

void on_prompts_list(server& srv, const request& req) {
  static const std::vector<std::string> list{
    R"({"name":"greet","title":"Greet","description":"Greets somebody",)"
    R"("arguments":[{"name":"name","description":"Who","required":true},)"
    R"({"name":"style","description":"How: plain, formal or pirate"}]})",
    R"({"name":"summary","title":"Summary",)"
    R"("description":"Summarizes the resources"})"};
  answer_page(srv, req, "prompts", list);
}

void on_prompts_get(server& srv, const request& req) {
  const auto name = required_text(req, "name");
  if (name == "greet")
    get_greet(srv, req);
  else if (name == "summary")
    answer_prompt(srv, req, "A summary", "Summarize demo://greeting.");
  else
    throw refusal{code::invalid_params, "Unknown prompt: " + std::string{name}};
}

} // namespace demo
