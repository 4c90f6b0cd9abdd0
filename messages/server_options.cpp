#include "caf_mcp/messages/server_options.hpp"

#include "caf_mcp/version.hpp"

namespace caf_mcp {

implementation this_library() {
  return {"caf-mcp", std::string{version}, {}};
}

std::string shown_value(const std::map<std::string, std::string>& as_written,
                        const std::string& text) {
  const auto found = as_written.find(text);
  return found == as_written.end() ? text : found->second;
}

} // namespace caf_mcp
