#include "help_text.hpp"

#include "command.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

namespace caf_mcp::tool {

namespace {

constexpr std::size_t line_columns = 80;

/// Where explanations start.
constexpr std::size_t text_column = 28;

/// Appends `text` from the current column on, broken into lines that all start
/// at `column`.
void append_wrapped(std::string& to, std::string_view text,
                    std::size_t column) {
  auto used = column;
  while (!text.empty()) {
    auto word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    if (used > column && used + 1 + word.size() > line_columns) {
      to += '\n';
      to.append(column, ' ');
      used = column;
    } else if (used > column) {
      to += ' ';
      ++used;
    }
    to += word;
    used += word.size();
  }
  to += '\n';
}

/// Appends a name and its explanation, on the next line if the name is long.
void append_entry(std::string& to, std::string_view name,
                  std::string_view text) {
  auto begin = "  " + std::string{name};
  if (begin.size() + 2 > text_column)
    begin += '\n' + std::string(text_column, ' ');
  else
    begin.resize(text_column, ' ');
  to += begin;
  append_wrapped(to, text, text_column);
}

std::string argument_usage(const CLI::Option& option) {
  auto name = option.get_name();
  if (option.get_expected_max() > 1)
    name += "...";
  return option.get_required() ? name : '[' + name + ']';
}

std::vector<const CLI::Option*> arguments_of(const CLI::App& app) {
  return app.get_options(
    [](const CLI::Option* option) { return option->get_positional(); });
}

/// Returns how many servers the command is about.
command_scope scope_of(const CLI::App& app) {
  for (const auto& entry : commands())
    if (entry.name == app.get_name())
      return entry.make()->scope();
  return command_scope::server;
}

bool can_ask_nodes(const CLI::App& app) {
  for (const auto& entry : commands())
    if (entry.name == app.get_name())
      return entry.make()->can_ask_nodes();
  return false;
}

std::string usage(const CLI::App& app) {
  const auto is_tool = app.get_parent() == nullptr;
  std::string words = is_tool ? "COMMAND [ARG...]" : app.get_name();
  for (const auto* option : arguments_of(app))
    words += ' ' + argument_usage(*option);
  const auto scope = scope_of(app);
  std::vector<std::string> forms;
  if (scope == command_scope::nothing)
    forms.push_back(words);
  else if (scope != command_scope::hub) {
    forms.push_back(words + " -- SERVER-COMMAND [SERVER-ARG...]");
    forms.push_back("--config FILE --server NAME " + words);
  }
  if (scope == command_scope::hub || scope == command_scope::either)
    forms.push_back("--config FILE " + words);
  if (can_ask_nodes(app))
    forms.push_back("--node HOST:PORT " + words);
  if (is_tool)
    forms.push_back("--node HOST:PORT --server NAME " + words);
  std::string text;
  for (const auto& form : forms)
    text += (text.empty() ? "usage: " : "       ")
            + ("caf-mcp [OPTION...] " + form) + '\n';
  return text;
}

void append_commands(std::string& to) {
  to += "\nCommands:\n";
  for (const auto& entry : commands())
    append_entry(to, entry.name, entry.summary);
}

void append_arguments(std::string& to, const CLI::App& app) {
  auto options = arguments_of(app);
  if (!options.empty())
    to += "\nArguments:\n";
  for (const auto* option : options)
    append_entry(to, option->get_name(), option->get_description());
}

void append_options(std::string& to, const CLI::App& app) {
  for (const auto& group : app.get_groups()) {
    auto options = app.get_options([&app, &group](const CLI::Option* option) {
      const auto is_help = option == app.get_help_ptr();
      return option->get_group() == group && option->nonpositional()
             && (app.get_parent() == nullptr || !is_help);
    });
    if (options.empty())
      continue;
    to += '\n' + group + ":\n";
    for (const auto* option : options) {
      auto name = option->get_name(false, true);
      if (auto comma = name.find(','); comma != std::string::npos)
        name.insert(comma + 1, " ");
      if (auto type = option->get_type_name(); !type.empty())
        name += ' ' + type;
      append_entry(to, name, option->get_description());
    }
  }
}

void append_examples(std::string& to, std::string_view examples) {
  to += "\nExamples:\n";
  while (!examples.empty()) {
    auto line = examples.substr(0, examples.find('\n'));
    examples.remove_prefix(std::min(line.size() + 1, examples.size()));
    to += "  ";
    to += line;
    to += '\n';
  }
}

} // namespace

std::string help_formatter::make_help(const CLI::App* app, std::string,
                                      CLI::AppFormatMode) const {
  auto text = usage(*app) + '\n';
  append_wrapped(text, app->get_description(), 0);
  const auto is_tool = app->get_parent() == nullptr;
  if (is_tool)
    append_commands(text);
  append_arguments(text, *app);
  append_options(text, *app);
  append_examples(text, app->get_footer());
  text += is_tool
            ? "\n`caf-mcp COMMAND --help` says more about a command.\n"
            : "\nThe options of `caf-mcp --help` can be given here, too.\n";
  return text;
}

} // namespace caf_mcp::tool
