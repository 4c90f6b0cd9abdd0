#include "tools.hpp"

#include "answers.hpp"
#include "handlers.hpp"
#include "server.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace demo {

namespace {

struct tool {
  std::string_view name;
  /// The other members of its description, as JSON text.
  std::string_view description;
  void (*call)(server&, const tool_call&);
};

constexpr std::array tools{
  tool{"echo", R"("title":"Echo","description":"Returns the message.",
"inputSchema":{"type":"object","properties":{
"message":{"type":"string","description":"What to return"}},
"required":["message"]})",
       call_echo},
  tool{"add", R"("title":"Add","description":"Adds two numbers.",
"inputSchema":{"type":"object","properties":{
"a":{"type":"number"},"b":{"type":"number"}},"required":["a","b"]},
"outputSchema":{"type":"object","properties":{
"sum":{"type":"number"}},"required":["sum"]})",
       call_add},
  tool{
    "slow",
    R"("title":"Slow","description":"Takes its time and reports its progress.",
"inputSchema":{"type":"object","properties":{
"ms":{"type":"integer","minimum":0,"maximum":3600000,"default":1000,"description":"How long it takes, in milliseconds"},
"steps":{"type":"integer","minimum":1,"maximum":10000,"default":4,"description":"How often it reports progress"}}})",
    call_slow},
  tool{"hold",
       R"("title":"Hold","description":"Never answers; it can be cancelled.",
"inputSchema":{"type":"object"})",
       call_hold},
  tool{
    "fail",
    R"("title":"Fail","description":"Returns a result that says that it failed.",
"inputSchema":{"type":"object","properties":{
"message":{"type":"string"}}})",
    call_fail},
  tool{"big", R"("title":"Big","description":"Returns a text of so many bytes.",
"inputSchema":{"type":"object","properties":{
"bytes":{"type":"integer","minimum":0,"maximum":268435456}},
"required":["bytes"]})",
       call_big},
  tool{"length",
       R"("title":"Length","description":"Returns how many bytes a text has.",
"inputSchema":{"type":"object","properties":{
"text":{"type":"string"}},"required":["text"]})",
       call_length},
  tool{"crash", R"("title":"Crash","description":"Ends the server process.",
"inputSchema":{"type":"object","properties":{
"status":{"type":"integer","minimum":0,"maximum":255,"default":1,"description":"Exit status"},
"signal":{"type":"integer","minimum":1,"maximum":64,"description":"Dies by this signal instead"},
"stderr":{"type":"string","description":"Written to stderr before"}}})",
       call_crash},
  tool{
    "env",
    R"("title":"Environment","description":"Returns one environment variable of the server, or all of them.",
"inputSchema":{"type":"object","properties":{
"name":{"type":"string","description":"The variable; all of them without it"}}},
"outputSchema":{"type":"object","additionalProperties":{"type":["string","null"]}})",
    call_env},
  tool{
    "ask",
    R"("title":"Ask","description":"Asks the user for a name and an age, and returns the answer.",
"inputSchema":{"type":"object","properties":{
"rounds":{"type":"integer","minimum":1,"maximum":1000,"default":1,"description":"How often it asks; modern era only"}}})",
    call_ask},
  tool{
    "sample",
    R"("title":"Sample","description":"Has the client's model say something, and returns that.",
"inputSchema":{"type":"object","properties":{
"prompt":{"type":"string"}}})",
    call_sample},
  tool{"roots", R"("title":"Roots","description":"Returns the client's roots.",
"inputSchema":{"type":"object"})",
       call_roots},
  tool{"log",
       R"("title":"Log","description":"Sends a log message to the client.",
"inputSchema":{"type":"object","properties":{
"level":{"type":"string","enum":["debug","info","notice","warning","error","critical","alert","emergency"]},
"message":{"type":"string"}},"required":["level","message"]})",
       call_log},
  tool{
    "touch",
    R"("title":"Touch","description":"Says that a resource or a list changed.",
"inputSchema":{"type":"object","properties":{
"uri":{"type":"string","description":"The resource that changed"},
"list":{"type":"string","enum":["tools","prompts","resources"],"description":"The list that changed"},
"count":{"type":"integer","minimum":1,"maximum":100000,"default":1,"description":"How often to say so"}}})",
    call_touch},
  tool{
    "end_subscriptions",
    R"("title":"End subscriptions","description":"Ends every open subscriptions/listen from the server's side.",
"inputSchema":{"type":"object","properties":{
"how":{"type":"string","enum":["response","cancelled"],"default":"response"}}})",
    call_end_subscriptions},
};

constexpr std::string_view filler_description
  = R"("title":"Filler","description":"Does nothing, to make the list long.",
"inputSchema":{"type":"object"})";

constexpr std::string_view filler_prefix = "filler_";

/// Makes the description of a tool. Its source is broken into lines for those
/// who read it; the message must be one line.
std::string describe(std::string_view name, std::string_view members) {
  std::string text = R"({"name":")";
  text += name;
  text += R"(",)";
  std::copy_if(members.begin(), members.end(), std::back_inserter(text),
               [](char c) { return c != '\n'; });
  text += '}';
  return text;
}

bool is_filler(const server& srv, std::string_view name) {
  return srv.opts.filler_tools > 0 && name.starts_with(filler_prefix);
}

} // namespace

std::vector<std::string> list_tools(std::size_t fillers) {
  std::vector<std::string> list;
  list.reserve(tools.size() + fillers);
  for (const auto& one : tools)
    list.push_back(describe(one.name, one.description));
  for (std::size_t i = 1; i <= fillers; ++i)
    list.push_back(describe(std::string{filler_prefix} + std::to_string(i),
                            filler_description));
  return list;
}

void on_tools_list(server& srv, const request& req) {
  answer_page(srv, req, "tools", srv.tool_list);
}

void on_tools_call(server& srv, const request& req) {
  const auto name = required_text(req, "name");
  const auto found
    = std::find_if(tools.begin(), tools.end(),
                   [name](const tool& one) { return one.name == name; });
  if (found != tools.end()) {
    try {
      found->call(srv, {req, object_member(req.params, "arguments")});
    } catch (const bad_argument& bad) {
      answer_failure(srv, req.from, bad.text);
    }
  } else if (is_filler(srv, name)) {
    answer_text(srv, req.from, "done");
  } else {
    throw refusal{code::invalid_params, "Unknown tool: " + std::string{name}};
  }
}

} // namespace demo
