#include "caf_mcp/messages/server_options.hpp"

#include "caf_mcp/version.hpp"

namespace caf_mcp {

implementation this_library() {
  return {"caf-mcp", std::string{version}, {}};
}

} // namespace caf_mcp
