#include "caf_mcp/actors/connection/output_schema.hpp"

#include "caf_mcp/messages/json/excerpt.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <compare>
#include <cstddef>
#include <stdexcept>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

namespace caf_mcp {

namespace {

namespace json = boost::json;

/// Schemas within schemas that are open at once. A document of the greatest
/// depth stays below it, if it goes through two schemas a level.
constexpr std::size_t depth_max = 1'500;

/// Steps between two looks at the stop token.
constexpr std::uint64_t steps_of_turn = 1'024;

/// Bytes of a string that are read in one step.
constexpr std::size_t bytes_of_step = 64;

/// Why a schema is not checked.
struct unsupported : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct over_budget : std::runtime_error {
  over_budget() : std::runtime_error{"its check takes too long"} {
    // nop
  }
};

[[noreturn]] void malformed(std::string_view keyword) {
  throw unsupported{"its keyword " + std::string{keyword} + " is malformed"};
}

/// Compares by value: an integer and a double are equal if they are the same
/// number. A `long double` holds both exactly.
std::partial_ordering compare(const json::value& a, const json::value& b) {
  return a.to_number<long double>() <=> b.to_number<long double>();
}

bool is_integer(const json::value& number) {
  return !number.is_double()
         || number.get_double() == std::floor(number.get_double());
}

bool has_type(const json::value& content, std::string_view name) {
  if (name == "number")
    return content.is_number();
  if (name == "integer") // JSON Schema: 1.0 is one
    return content.is_number() && is_integer(content);
  if (name == "string")
    return content.is_string();
  if (name == "object")
    return content.is_object();
  if (name == "array")
    return content.is_array();
  if (name == "boolean")
    return content.is_bool();
  if (name == "null")
    return content.is_null();
  malformed("type");
}

/// Returns the number of characters of a text in UTF-8.
std::size_t characters_of(std::string_view text) {
  return static_cast<std::size_t>(
    std::count_if(text.begin(), text.end(), [](char byte) {
      return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
    }));
}

const json::value& member(const json::object& schema, std::string_view key,
                          const json::value& otherwise) {
  const auto* found = schema.if_contains(key);
  return found == nullptr ? otherwise : *found;
}

class checker {
public:
  using rule
    = bool (checker::*)(const json::object& schema, const json::value& demand,
                        const json::value& content);

  struct keyword {
    std::string_view name;
    rule check;
  };

  static constexpr std::size_t keyword_count = 42;
  static const std::array<keyword, keyword_count> keywords;

  checker(const json::value& root, const check_budget& budget)
    : root_{root}, left_{budget.steps_max}, stop_{budget.stop} {
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
      throw unsupported{"the dialect " + excerpt(name) + " is not supported"};
  }

  bool fits(const json::value& schema, const json::value& content) {
    step();
    if (const auto* all_or_nothing = schema.if_bool())
      return *all_or_nothing || fail("a schema that is false", schema);
    const auto* members = schema.if_object();
    if (members == nullptr)
      throw unsupported{"a subschema is neither an object nor a boolean"};
    if (++depth_ > depth_max)
      throw unsupported{"it is nested too deep"};
    const auto result = fits_keywords(*members, content);
    --depth_;
    return result;
  }

  /// Returns where the content breaks the schema, and which keyword of it.
  std::string problem() const {
    return excerpt(problem_);
  }

private:
  /// A part of the content: the name of a member, or the index of an item.
  using place = std::variant<std::string_view, std::size_t>;

  void step(std::uint64_t count = 1) {
    if (count > left_)
      throw over_budget{};
    left_ -= count;
    if (++since_look_ < steps_of_turn)
      return;
    since_look_ = 0;
    if (stop_.stop_requested())
      throw over_budget{};
  }

  void step_over(std::string_view text) {
    step(1 + text.size() / bytes_of_step);
  }

  bool fits_keywords(const json::object& schema, const json::value& content) {
    // Draft-07, 8.3: all beside a $ref is ignored.
    if (const auto* reference = schema.if_contains("$ref");
        reference != nullptr && is_draft_7_)
      return refer(schema, *reference, content);
    require_support(schema);
    for (const auto& [name, demand] : schema) {
      step();
      if (const auto check = find(name)->check;
          check != nullptr && !(this->*check)(schema, demand, content))
        return fail(name, demand);
    }
    return true;
  }

  /// Comes before any check: a keyword may change what another one means.
  void require_support(const json::object& schema) {
    if (!supported_.insert(&schema).second)
      return;
    for (const auto& [name, _] : schema) {
      step();
      if (find(name) == nullptr)
        throw unsupported{"its keyword " + excerpt(name) + " is not supported"};
    }
  }

  static const keyword* find(std::string_view name) {
    const auto* found
      = std::lower_bound(keywords.begin(), keywords.end(), name,
                         [](const keyword& each, std::string_view wanted) {
                           return each.name < wanted;
                         });
    return found == keywords.end() || found->name != name ? nullptr : found;
  }

  /// Remembers the innermost demand that is not met, if that is the result.
  bool fail(std::string_view name, const json::value& demand) {
    if (trials_ == 0 && problem_.empty()) {
      problem_ = where() + ": does not meet " + std::string{name};
      if (demand.is_number() || demand.is_bool())
        problem_ += ' ' + json::serialize(demand);
      else if (const auto* text = demand.if_string())
        problem_ += ' ' + excerpt(*text);
    }
    return false;
  }

  std::string where() const {
    std::string result;
    for (const auto& each : path_) {
      result += '/';
      if (const auto* name = std::get_if<std::string_view>(&each))
        result += *name;
      else
        result += std::to_string(std::get<std::size_t>(each));
    }
    return result.empty() ? "/" : result;
  }

  bool fits_at(place at, const json::value& schema,
               const json::value& content) {
    path_.push_back(at);
    const auto result = fits(schema, content);
    path_.pop_back();
    return result;
  }

  /// Tries a schema whose failure is not that of the content.
  bool would_fit(const json::value& schema, const json::value& content) {
    ++trials_;
    const auto result = fits(schema, content);
    --trials_;
    return result;
  }

  // -- keywords ---------------------------------------------------------------

  bool refer(const json::object&, const json::value& reference,
             const json::value& content) {
    if (!reference.is_string() || !reference.get_string().starts_with('#'))
      throw unsupported{"it refers to another document"};
    const auto pointer = std::string_view{reference.get_string()}.substr(1);
    step_over(pointer);
    boost::system::error_code error;
    const auto* target = root_.find_pointer(pointer, error);
    if (target == nullptr)
      throw unsupported{"it refers to " + excerpt(pointer)
                        + ", which is not there"};
    return fits(*target, content);
  }

  bool type(const json::object&, const json::value& demand,
            const json::value& content) {
    if (const auto* name = demand.if_string())
      return has_type(content, *name);
    return any(demand, "type", [&](const json::value& each) {
      if (!each.is_string())
        malformed("type");
      return has_type(content, each.get_string());
    });
  }

  bool constant(const json::object&, const json::value& demand,
                const json::value& content) {
    return equal(demand, content);
  }

  bool enumeration(const json::object&, const json::value& demand,
                   const json::value& content) {
    return any(demand, "enum",
               [&](const json::value& each) { return equal(each, content); });
  }

  bool maximum(const json::object&, const json::value& demand,
               const json::value& content) {
    return !content.is_number() || compare(content, number(demand)) <= 0;
  }

  bool minimum(const json::object&, const json::value& demand,
               const json::value& content) {
    return !content.is_number() || compare(content, number(demand)) >= 0;
  }

  bool exclusive_maximum(const json::object&, const json::value& demand,
                         const json::value& content) {
    return !content.is_number() || compare(content, number(demand)) < 0;
  }

  bool exclusive_minimum(const json::object&, const json::value& demand,
                         const json::value& content) {
    return !content.is_number() || compare(content, number(demand)) > 0;
  }

  /// Of multiples of fractions nobody can be sure.
  bool multiple_of(const json::object&, const json::value& demand,
                   const json::value& content) {
    const auto* divisor = demand.if_int64();
    if (divisor == nullptr || *divisor <= 0)
      throw unsupported{"its keyword multipleOf is no integer above 0"};
    return !content.is_number()
           || std::fmod(content.to_number<long double>(),
                        static_cast<long double>(*divisor))
                == 0;
  }

  bool max_length(const json::object&, const json::value& demand,
                  const json::value& content) {
    return !content.is_string() || length(content) <= count(demand);
  }

  bool min_length(const json::object&, const json::value& demand,
                  const json::value& content) {
    return !content.is_string() || length(content) >= count(demand);
  }

  bool max_items(const json::object&, const json::value& demand,
                 const json::value& content) {
    return !content.is_array() || content.get_array().size() <= count(demand);
  }

  bool min_items(const json::object&, const json::value& demand,
                 const json::value& content) {
    return !content.is_array() || content.get_array().size() >= count(demand);
  }

  bool max_properties(const json::object&, const json::value& demand,
                      const json::value& content) {
    return !content.is_object() || content.get_object().size() <= count(demand);
  }

  bool min_properties(const json::object&, const json::value& demand,
                      const json::value& content) {
    return !content.is_object() || content.get_object().size() >= count(demand);
  }

  bool required(const json::object&, const json::value& demand,
                const json::value& content) {
    const auto* members = content.if_object();
    return members == nullptr
           || all(demand, "required", [&](const json::value& name) {
                if (!name.is_string())
                  malformed("required");
                step_over(name.get_string());
                return members->contains(name.get_string());
              });
  }

  bool unique_items(const json::object&, const json::value& demand,
                    const json::value& content) {
    const auto* items = content.if_array();
    if (items == nullptr || demand != json::value(true))
      return true;
    for (auto one = items->begin(); one != items->end(); ++one)
      for (const auto* other = items->begin(); other != one; ++other)
        if (equal(*one, *other))
          return false;
    return true;
  }

  bool properties(const json::object&, const json::value& demand,
                  const json::value& content) {
    if (!demand.is_object())
      malformed("properties");
    const auto* members = content.if_object();
    if (members == nullptr)
      return true;
    for (const auto& [key, schema] : demand.get_object()) {
      step_over(key);
      if (const auto* found = members->if_contains(key))
        if (!fits_at(std::string_view{key}, schema, *found))
          return false;
    }
    return true;
  }

  bool additional_properties(const json::object& schema,
                             const json::value& demand,
                             const json::value& content) {
    static const json::value none(json::object_kind);
    const auto& named = member(schema, "properties", none);
    const auto* members = content.if_object();
    if (members == nullptr || !named.is_object())
      return true;
    for (const auto& [key, value] : *members) {
      step_over(key);
      if (!named.get_object().contains(key)
          && !fits_at(std::string_view{key}, demand, value))
        return false;
    }
    return true;
  }

  bool property_names(const json::object&, const json::value& demand,
                      const json::value& content) {
    const auto* members = content.if_object();
    if (members == nullptr)
      return true;
    for (const auto& [key, _] : *members) {
      step_over(key);
      if (!fits_at(std::string_view{key}, demand, json::value(key)))
        return false;
    }
    return true;
  }

  bool items(const json::object&, const json::value& demand,
             const json::value& content) {
    const auto* elements = content.if_array();
    if (elements == nullptr)
      return true;
    for (std::size_t i = 0; i < elements->size(); ++i)
      if (!fits_at(i, demand, (*elements)[i]))
        return false;
    return true;
  }

  bool some(const json::object&, const json::value& demand,
            const json::value& content) {
    return !content.is_array()
           || any(content, "contains", [&](const json::value& each) {
                return would_fit(demand, each);
              });
  }

  bool all_of(const json::object&, const json::value& demand,
              const json::value& content) {
    return all(demand, "allOf",
               [&](const json::value& each) { return fits(each, content); });
  }

  bool any_of(const json::object&, const json::value& demand,
              const json::value& content) {
    return any(demand, "anyOf", [&](const json::value& each) {
      return would_fit(each, content);
    });
  }

  bool one_of(const json::object&, const json::value& demand,
              const json::value& content) {
    std::size_t fitting = 0;
    any(demand, "oneOf", [&](const json::value& each) {
      return would_fit(each, content) && ++fitting > 1;
    });
    return fitting == 1;
  }

  bool negation(const json::object&, const json::value& demand,
                const json::value& content) {
    return !would_fit(demand, content);
  }

  bool condition(const json::object& schema, const json::value& demand,
                 const json::value& content) {
    static const json::value anything(true);
    const auto* next = would_fit(demand, content) ? "then" : "else";
    return fits(member(schema, next, anything), content);
  }

  // -- what keywords share ----------------------------------------------------

  template <class Predicate>
  bool all(const json::value& list, std::string_view name, Predicate holds) {
    return !any(list, name,
                [&](const json::value& each) { return !holds(each); });
  }

  template <class Predicate>
  bool any(const json::value& list, std::string_view name, Predicate holds) {
    const auto* elements = list.if_array();
    if (elements == nullptr)
      malformed(name);
    return std::any_of(elements->begin(), elements->end(),
                       [&](const json::value& each) {
                         step();
                         return holds(each);
                       });
  }

  static const json::value& number(const json::value& demand) {
    if (!demand.is_number())
      throw unsupported{"a limit of it is no number"};
    return demand;
  }

  static std::size_t count(const json::value& demand) {
    boost::system::error_code error;
    const auto result = demand.to_number<std::size_t>(error);
    if (error)
      throw unsupported{"a limit of it is no count"};
    return result;
  }

  std::size_t length(const json::value& content) {
    step_over(content.get_string());
    return characters_of(content.get_string());
  }

  /// JSON Schema: numbers by value, objects whatever the order of members.
  bool equal(const json::value& a, const json::value& b) {
    step();
    if (a.is_number() && b.is_number())
      return compare(a, b) == 0;
    if (a.kind() != b.kind())
      return false;
    if (a.is_string()) {
      step_over(a.get_string());
      return a.get_string() == b.get_string();
    }
    if (a.is_array())
      return equal(a.get_array(), b.get_array());
    return a.is_object() ? equal(a.get_object(), b.get_object()) : a == b;
  }

  bool equal(const json::array& a, const json::array& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [this](const json::value& one, const json::value& other) {
                        return equal(one, other);
                      });
  }

  bool equal(const json::object& a, const json::object& b) {
    return a.size() == b.size()
           && std::all_of(a.begin(), a.end(), [&](const auto& each) {
                step_over(each.key());
                const auto* other = b.if_contains(each.key());
                return other != nullptr && equal(each.value(), *other);
              });
  }

  const json::value& root_;
  std::uint64_t left_;
  std::stop_token stop_;
  bool is_draft_7_ = false;
  std::uint64_t since_look_ = 0;
  /// Of which every keyword is known.
  std::unordered_set<const json::object*> supported_;
  std::size_t depth_ = 0;
  /// Schemas that are tried, within each other.
  std::size_t trials_ = 0;
  std::vector<place> path_;
  std::string problem_;
};

/// In the order of their names. Those without a rule are annotations, or read
/// by others.
constexpr std::array<checker::keyword, checker::keyword_count>
  checker::keywords{{
    {"$comment", nullptr},
    {"$defs", nullptr},
    {"$ref", &checker::refer},
    {"$schema", nullptr},
    {"additionalProperties", &checker::additional_properties},
    {"allOf", &checker::all_of},
    {"anyOf", &checker::any_of},
    {"const", &checker::constant},
    {"contains", &checker::some},
    {"contentMediaType", nullptr},
    {"default", nullptr},
    {"definitions", nullptr},
    {"deprecated", nullptr},
    {"description", nullptr},
    {"else", nullptr},
    {"enum", &checker::enumeration},
    {"examples", nullptr},
    {"exclusiveMaximum", &checker::exclusive_maximum},
    {"exclusiveMinimum", &checker::exclusive_minimum},
    {"format", nullptr},
    {"if", &checker::condition},
    {"items", &checker::items},
    {"maxItems", &checker::max_items},
    {"maxLength", &checker::max_length},
    {"maxProperties", &checker::max_properties},
    {"maximum", &checker::maximum},
    {"minItems", &checker::min_items},
    {"minLength", &checker::min_length},
    {"minProperties", &checker::min_properties},
    {"minimum", &checker::minimum},
    {"multipleOf", &checker::multiple_of},
    {"not", &checker::negation},
    {"oneOf", &checker::one_of},
    {"properties", &checker::properties},
    {"propertyNames", &checker::property_names},
    {"readOnly", nullptr},
    {"required", &checker::required},
    {"then", nullptr},
    {"title", nullptr},
    {"type", &checker::type},
    {"uniqueItems", &checker::unique_items},
    {"writeOnly", nullptr},
  }};

static_assert(std::is_sorted(checker::keywords.begin(), checker::keywords.end(),
                             [](const auto& a, const auto& b) {
                               return a.name < b.name;
                             }));

} // namespace

output_check check_output(const payload& schema, const payload& content,
                          const check_budget& budget) {
  using outcome = output_check::outcome;
  try {
    checker check{schema.value(), budget};
    if (check.fits(schema.value(), content.value()))
      return {};
    return {outcome::misfits, check.problem()};
  } catch (const over_budget& problem) {
    return {outcome::over_budget, problem.what()};
  } catch (const std::exception& problem) {
    return {outcome::unsupported, excerpt(problem.what())};
  }
}

} // namespace caf_mcp
