#include "raw_command.hpp"

#include "arguments.hpp"

#include <CLI/CLI.hpp>

namespace caf_mcp::tool {

caf::error raw_command::check() {
  auto read = read_arguments(words_);
  if (!read)
    return std::move(read.error());
  if (!words_.empty())
    params_ = std::move(*read);
  return {};
}

void raw_command::declare_message(CLI::App& app) {
  app.add_option("METHOD", method_, "Name of the method.")->required();
  declare_arguments(app, "PARAM", words_);
}

} // namespace caf_mcp::tool
