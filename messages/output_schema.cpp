#include "caf_mcp/messages/output_schema.hpp"

#include "caf_mcp/messages/excerpt.hpp"

// Else it aborts where a schema is not valid.
#define VALIJSON_USE_EXCEPTIONS 1

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string_view>
#include <valijson/adapters/boost_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>
#include <vector>

namespace caf_mcp {

namespace {

namespace json = boost::json;

constexpr std::size_t subschemas_max = 10'000;

/// Names with a space around each.
using name_list = std::string_view;

constexpr name_list annotations
  = " $comment $defs $schema contentMediaType default definitions deprecated "
    "description examples format readOnly title writeOnly ";

/// Mean the same in both dialects and in the validator.
constexpr name_list plain_keywords
  = " const enum exclusiveMaximum exclusiveMinimum maxItems maxLength "
    "maxProperties maximum minItems minLength minProperties minimum required "
    "type ";

constexpr name_list schema_keywords
  = " additionalProperties contains else if items not propertyNames then ";

constexpr name_list schema_list_keywords = " allOf anyOf oneOf ";

bool contains(name_list names, std::string_view name) {
  return name.find(' ') == name.npos
         && names.find(' ' + std::string{name} + ' ') != names.npos;
}

/// Why a schema is not checked.
struct obstacle : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Rewrites a schema with only what the validator is to see: references are
/// replaced by what they refer to.
class rewriter {
public:
  explicit rewriter(const json::value& root) : root_{root} {
    const auto* object = root.if_object();
    const auto* dialect
      = object == nullptr ? nullptr : object->if_contains("$schema");
    if (dialect == nullptr)
      return;
    const auto name = dialect->is_string()
                        ? std::string_view{dialect->get_string()}
                        : std::string_view{};
    is_draft_7_ = name.find("json-schema.org/draft-07/") != name.npos;
    if (!is_draft_7_
        && name.find("json-schema.org/draft/2020-12/") == name.npos)
      throw obstacle{"the dialect " + excerpt(name) + " is not supported"};
  }

  json::value rewrite(const json::value& schema) {
    if (++subschemas_ > subschemas_max)
      throw obstacle{"it has too many subschemas"};
    if (schema.is_bool())
      return schema;
    const auto* object = schema.if_object();
    if (object == nullptr)
      throw obstacle{"a subschema is neither an object nor a boolean"};
    const auto* reference = object->if_contains("$ref");
    if (reference == nullptr)
      return rewrite_keywords(*object);
    auto target = follow(*reference);
    if (is_draft_7_)
      return target; // draft-07, 8.3: all beside a $ref is ignored
    return json::object{
      {"allOf", json::array{std::move(target), rewrite_keywords(*object)}}};
  }

private:
  json::value follow(const json::value& reference) {
    if (!reference.is_string() || !reference.get_string().starts_with('#'))
      throw obstacle{"it refers to another document"};
    const auto pointer
      = std::string{std::string_view{reference.get_string()}.substr(1)};
    if (std::find(open_.begin(), open_.end(), pointer) != open_.end())
      throw obstacle{"it is recursive"};
    boost::system::error_code error;
    const auto* target = root_.find_pointer(pointer, error);
    if (target == nullptr)
      throw obstacle{"it refers to " + excerpt(pointer)
                     + ", which is not there"};
    open_.push_back(pointer);
    auto result = rewrite(*target);
    open_.pop_back();
    return result;
  }

  json::value rewrite_keywords(const json::object& schema) {
    json::object result;
    for (const auto& [key, value] : schema) {
      const std::string_view name = key;
      // Of multiples of fractions, the validator is not sure.
      if (contains(plain_keywords, name)
          || (name == "multipleOf" && value.is_int64()))
        result.emplace(key, value);
      else if (contains(schema_keywords, name))
        result.emplace(key, rewrite(value));
      else if (contains(schema_list_keywords, name))
        result.emplace(key, rewrite_each(value));
      else if (name == "properties")
        result.emplace(key, rewrite_members(value));
      else if (name != "$ref" && !contains(annotations, name))
        throw obstacle{"its keyword " + excerpt(name) + " is not supported"};
    }
    widen_integer(result);
    return result;
  }

  json::value rewrite_each(const json::value& list) {
    json::array result;
    if (const auto* schemas = list.if_array())
      for (const auto& each : *schemas)
        result.push_back(rewrite(each));
    return result;
  }

  json::value rewrite_members(const json::value& schemas) {
    json::object result;
    if (const auto* members = schemas.if_object())
      for (const auto& [key, value] : *members)
        result.emplace(key, rewrite(value));
    return result;
  }

  /// JSON Schema: 1.0 is an integer. To the validator it is none.
  static void widen_integer(json::object& schema) {
    const auto* type = schema.if_contains("type");
    if (type == nullptr || *type != json::value("integer")
        || schema.contains("multipleOf"))
      return;
    schema["type"] = "number";
    schema["multipleOf"] = 1.0;
  }

  const json::value& root_;
  bool is_draft_7_ = false;
  std::size_t subschemas_ = 0;
  /// The references that are being followed.
  std::vector<std::string> open_;
};

std::string describe(valijson::ValidationResults& results) {
  valijson::ValidationResults::Error error;
  if (!results.popError(error))
    return "it does not fit";
  std::string where;
  for (const auto& step : error.context)
    where += step;
  return excerpt(where + ": " + error.description);
}

} // namespace

output_verdict check_output(const payload& schema, const payload& content) {
  using adapter = valijson::adapters::BoostJsonAdapter;
  output_verdict result;
  try {
    const auto rewritten = rewriter{schema.value()}.rewrite(schema.value());
    valijson::Schema parsed;
    valijson::SchemaParser{valijson::SchemaParser::kDraft7}.populateSchema(
      adapter{rewritten}, parsed);
    valijson::ValidationResults results;
    if (!valijson::Validator{}.validate(parsed, adapter{content.value()},
                                        &results))
      result.problem = describe(results);
  } catch (const std::exception& problem) {
    result.obstacle = excerpt(problem.what());
  }
  return result;
}

} // namespace caf_mcp
