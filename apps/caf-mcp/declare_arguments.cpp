#include "arguments.hpp"

#include <CLI/CLI.hpp>

namespace caf_mcp::tool {

void declare_arguments(CLI::App& app, const std::string& name,
                       std::vector<std::string>& words,
                       const std::string& about_text) {
  app.add_option(name, words,
                 "A JSON object, KEY=VALUE " + about_text
                   + ", or KEY:=JSON for any value; KEY=@FILE and KEY:=@FILE "
                     "take it from a file, @FILE and - (stdin) all of them; "
                     "later ones win.");
}

} // namespace caf_mcp::tool
