#include "json_text.hpp"
#include "list_command.hpp"
#include "listing_text.hpp"

namespace caf_mcp::tool {

namespace {

class tools_command final : public list_command {
public:
  tools_command() : list_command{list_kind::tools} {
    // nop
  }

protected:
  void print_item(const boost::json::object& tool,
                  text_output& out) const override {
    print_heading(tool, text_at(tool, "name"), out);
    out.table("      ", schema_rows(object_at(tool, "inputSchema")));
  }
};

} // namespace

std::unique_ptr<command> make_tools() {
  return std::make_unique<tools_command>();
}

} // namespace caf_mcp::tool
