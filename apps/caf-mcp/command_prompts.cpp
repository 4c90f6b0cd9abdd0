#include "json_text.hpp"
#include "list_command.hpp"
#include "listing_text.hpp"
#include "printable.hpp"

#include <boost/json/array.hpp>

namespace caf_mcp::tool {

namespace {

bool is_required(const boost::json::object& argument) {
  const auto* flag = argument.if_contains("required");
  return flag != nullptr && flag->is_bool() && flag->get_bool();
}

class prompts_command final : public list_command {
public:
  prompts_command() : list_command{list_kind::prompts} {
    // nop
  }

protected:
  void print_item(const boost::json::object& prompt,
                  text_output& out) const override {
    print_heading(prompt, text_at(prompt, "name"), out);
    std::vector<std::vector<std::string>> rows;
    for (const auto& each : array_at(prompt, "arguments")) {
      const auto& argument = as_object(each);
      rows.push_back({one_line(text_at(argument, "name")),
                      is_required(argument) ? "required" : "optional",
                      one_line(text_at(argument, "description"))});
    }
    out.table("      ", rows);
  }
};

} // namespace

std::unique_ptr<command> make_prompts() {
  return std::make_unique<prompts_command>();
}

} // namespace caf_mcp::tool
