// Completion of the arguments of prompts and resource templates.
#include "handlers.hpp"
#include "server.hpp"

#include <string>
#include <vector>

namespace demo {

namespace {

/// Values in one answer, at most (schema, CompleteResult).
constexpr std::size_t values_max = 100;

/// Ids that `demo://item/{id}` can be completed to; more than fit an answer.
constexpr int item_count = 250;

std::vector<std::string> known_values(const request& req,
                                      std::string_view argument) {
  const auto& ref = object_member(req.params, "ref");
  const auto* type = string_member(ref, "type");
  const auto* name = string_member(ref, "name");
  const auto* uri = string_member(ref, "uri");
  std::vector<std::string> values;
  if (type != nullptr && *type == "ref/prompt" && name != nullptr
      && (*name == "greet" || *name == "summary")) {
    if (*name == "greet" && argument == "style")
      values = {"formal", "pirate", "plain"};
  } else if (type != nullptr && *type == "ref/resource" && uri != nullptr
             && *uri == "demo://item/{id}") {
    if (argument == "id")
      for (int id = 1; id <= item_count; ++id)
        values.push_back(std::to_string(id));
  } else {
    throw refusal{code::invalid_params, "Unknown params.ref"};
  }
  return values;
}

} // namespace

void on_complete(server& srv, const request& req) {
  const auto& argument = object_member(req.params, "argument");
  const auto* name = string_member(argument, "name");
  const auto* typed = string_member(argument, "value");
  if (name == nullptr || typed == nullptr)
    throw refusal{code::invalid_params,
                  "params.argument needs a name and a value"};
  auto values = known_values(req, *name);
  std::erase_if(values, [typed](const std::string& value) {
    return !value.starts_with(std::string_view{*typed});
  });
  srv.out.result(req.from, [&values](std::string& out) {
    out += R"("completion":{"values":[)";
    for (std::size_t i = 0; i < values.size() && i < values_max; ++i) {
      if (i > 0)
        out += ',';
      put_quoted(out, values[i]);
    }
    out += R"(],"total":)";
    put_integer(out, static_cast<std::int64_t>(values.size()));
    out += R"(,"hasMore":)";
    out += values.size() > values_max ? "true}" : "false}";
  });
}

} // namespace demo
