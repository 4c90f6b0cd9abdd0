#include "command.hpp"

namespace caf_mcp::tool {

const std::vector<command_entry>& commands() {
  static const std::vector<command_entry> entries{
    {"info", "Shows what the server says about itself.", make_info},
    {"ping", "Measures the time of a round trip.", make_ping},
    {"tools", "Lists the tools and their arguments.", make_tools},
    {"resources", "Lists the resources.", make_resources},
    {"templates", "Lists the templates of resource URIs.", make_templates},
    {"prompts", "Lists the prompts and their arguments.", make_prompts},
    {"call", "Calls a tool.", make_call},
    {"read", "Reads a resource.", make_read},
    {"prompt", "Gets a prompt, filled in.", make_prompt},
    {"complete", "Completes an argument of a prompt or a template.",
     make_complete},
    {"listen", "Prints what changes, one JSON line an event.", make_listen},
    {"logs", "Prints what the server logs.", make_logs},
    {"request", "Sends any request.", make_request},
    {"notify", "Sends any notification.", make_notify},
    {"status", "Shows the status of all servers of a file or node.",
     make_status},
    {"serve", "Lets other nodes use a configuration's servers.", make_serve},
    {"credentials", "Makes, issues and revokes certificates for nodes.",
     make_credentials},
  };
  return entries;
}

} // namespace caf_mcp::tool
