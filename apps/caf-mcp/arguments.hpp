#pragma once

#include "caf_mcp/messages/json/payload.hpp"

#include "value_schema.hpp"

#include <caf/error.hpp>
#include <caf/expected.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI { // NOLINT(readability-identifier-naming): CLI11's own name

class App;

} // namespace CLI

namespace caf_mcp::tool {

/// Declares such arguments, of any number, of a command.
void declare_arguments(CLI::App& app, const std::string& name,
                       std::vector<std::string>& words,
                       const std::string& about_text = "for a string");

/// An argument as a person typed it.
struct typed_argument {
  enum class form {
    /// `KEY=VALUE`: `text` is to be read by a schema.
    text,
    /// `KEY:=JSON`.
    json,
    /// A JSON object, whose members are arguments.
    object,
  };

  form how = form::text;
  std::string key;
  /// What was typed for the value; where it is from a file, `@FILE`.
  std::string shown;
  /// Ends with a line feed where it is from a file that does.
  std::string text;
  /// Of all but a text.
  payload value;
};

/// Splits words such as `{"a": 1}`, `key=text`, `key:=2.5`, `key=@file`,
/// `key:=@file`, `@file` and `-`, each at its first `=`, and reads the files.
/// Fails with a `config_invalid` that shows the one that is none of these.
caf::expected<std::vector<typed_argument>>
split_arguments(const std::vector<std::string>& words);

/// Makes an object of arguments as `schema` says, numbers with the digits that
/// were typed; `a.b=1` is a member of a member where the schema has such. Fails
/// with a `config_invalid` that names key, value and type of what does not fit,
/// or a key that the schema has not, and the nearest one.
caf::expected<payload>
compose_arguments(const std::vector<typed_argument>& arguments,
                  const value_schema& schema = {});

/// The same for words, and without a schema: each text is a string.
caf::expected<payload> read_arguments(const std::vector<std::string>& words);

/// The same with all values as strings, JSON as the text that it is, as
/// prompts take their arguments.
caf::expected<payload>
read_text_arguments(const std::vector<std::string>& words);

/// Adds one argument to an object, as `compose_arguments` does.
caf::error add_argument(payload& object, const typed_argument& argument,
                        const value_schema& schema);

/// Returns the keys, such as `a` and `b.c`, that `schema` requires and `object`
/// lacks. Those that have a default are for the server to fill in.
std::vector<std::string> missing_keys(const payload& object,
                                      const value_schema& schema);

/// Returns the schema of what a key such as `a` or `b.c` names.
value_schema schema_of_key(const value_schema& schema, std::string_view key);

/// Takes the server's part off a qualified name (see `qualified_name`), and
/// returns it; nothing if `name` has none.
std::optional<std::string> take_server_name(std::string& name);

} // namespace caf_mcp::tool
