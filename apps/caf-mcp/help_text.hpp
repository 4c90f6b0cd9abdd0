#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace caf_mcp::tool {

/// Lays out the help of the tool and of its commands: usage, what it is for,
/// commands, arguments, options, examples; 80 columns.
class help_formatter final : public CLI::Formatter {
public:
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override;
};

} // namespace caf_mcp::tool
