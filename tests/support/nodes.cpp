#include "tests/support/nodes.hpp"

#include "tests/support/host.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/processes.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <chrono>
#include <utility>

namespace tests {

node_config::node_config(const caf_mcp::tls_credentials& tls,
                         caf::timespan patience) {
  tls.load_into(*this);
  set("caf.middleman.heartbeat-interval",
      caf::timespan{std::chrono::milliseconds{200}});
  set("caf.middleman.connection-timeout", patience);
}

node_host::node_host(caf::timespan patience)
  : node_host{value(caf_mcp::tls_credentials::of_user()), patience} {
  // nop
}

node_host::node_host(caf_mcp::tls_credentials credentials,
                     caf::timespan patience)
  : tls{std::move(credentials)},
    config{tls, patience},
    system{config},
    runtime{std::in_place, system},
    self{std::in_place, system} {
  // nop
}

node_host::~node_host() {
  self.reset();
  runtime.reset();
  CHECK(children().empty());
}

std::string demo_servers(const std::vector<std::string>& names) {
  boost::json::object servers;
  for (const auto& name : names)
    servers[name] = {{"command", binary("demo-server")}};
  return boost::json::serialize(
    boost::json::value{{"mcpServers", std::move(servers)}});
}

serving_node::serving_node(const setup& how) {
  std::vector<std::string> words{"--json", "--config",
                                 directory_.write("mcp.json", how.servers)};
  words.insert(words.end(), how.options.begin(), how.options.end());
  words.insert(words.end(), {"serve", "--listen", how.listen});
  run_.emplace(std::move(words));
  run_->wait_for_output("listening");
  run_->wait_for_output("\n");
  auto line = boost::json::parse(run_->shown()).as_object();
  const auto& text = line.at("listening").as_string();
  address_ = value(
    caf_mcp::parse_node_address("listening", {text.data(), text.size()}));
  if (std::find(how.options.begin(), how.options.end(), "--insecure")
      != how.options.end())
    address_.transport = caf_mcp::node_transport::tcp;
}

} // namespace tests
