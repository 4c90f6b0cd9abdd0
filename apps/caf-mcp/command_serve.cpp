#include "caf_mcp/actors/hub/node.hpp"
#include "caf_mcp/messages/error_info.hpp"

#include "command.hpp"
#include "json_text.hpp"
#include "run.hpp"
#include "tree.hpp"

#include <CLI/CLI.hpp>

namespace caf_mcp::tool {

namespace {

class serve_command final : public command {
public:
  void declare(CLI::App& app) override {
    app
      .add_option("--listen", listen_,
                  "Where to listen. With the port 0, the system chooses one.")
      ->type_name("HOST:PORT");
    app.add_flag("--insecure", is_insecure_,
                 "Let other machines in, without encryption, and without "
                 "asking who they are.");
    app.footer("caf-mcp --config mcp.json serve --listen 127.0.0.1:4711\n"
               "caf-mcp --config mcp.json --tls-certificate node.pem --tls-key "
               "node.key --tls-ca ca.pem serve --listen 0.0.0.0:4711\n"
               "caf-mcp --node 127.0.0.1:4711 --server files tools");
  }

  command_scope scope() const override {
    return command_scope::tree;
  }

  bool needs_network() const override {
    return true;
  }

  caf::error check() override {
    if (listen_.empty())
      return config_error("listen", "is missing; --listen HOST:PORT");
    auto address = parse_node_address("listen", listen_);
    if (!address)
      return std::move(address.error());
    address_ = std::move(*address);
    return {};
  }

  caf::error check_transport(node_transport transport) override {
    address_.transport = transport;
    if (transport == node_transport::tls) {
      if (is_insecure_)
        return config_error("insecure",
                            "is given beside --tls-certificate; choose one");
      return {};
    }
    if (is_loopback(address_) || is_insecure_)
      return {};
    return config_error("listen",
                        "is \"" + listen_
                          + "\"; whoever reaches that address could use all "
                            "servers: listen at 127.0.0.1, prove who is who "
                            "with --tls-certificate, --tls-key and --tls-ca, "
                            "or allow it with --insecure");
  }

  caf::expected<payload> run_tree(tree& servers, caf::timespan) override {
    auto port = publish_hub(servers.system(), servers.servers(), address_);
    if (!port)
      return std::move(port.error());
    address_.port = *port;
    tell_address(servers.format());
    while (auto status = servers.next_change())
      if (status->state == server_state::failed)
        servers.warn(status->name
                     + " has failed: " + describe(status->last_error).message);
    return payload{};
  }

  void print(const payload&, text_output&) const override {
    // nop: all was told as it happened
  }

private:
  void tell_address(output_format format) const {
    const auto text = to_string(address_);
    write_stdout(format == output_format::json
                   ? compact_json({{"listening", text}}) + '\n'
                   : "listening at " + text + '\n');
  }

  std::string listen_;
  bool is_insecure_ = false;
  node_address address_;
};

} // namespace

std::unique_ptr<command> make_serve() {
  return std::make_unique<serve_command>();
}

} // namespace caf_mcp::tool
