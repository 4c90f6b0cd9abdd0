#include "caf_mcp/actors/nodes.hpp"
#include "caf_mcp/messages/error_info.hpp"

#include "command.hpp"
#include "hub_session.hpp"
#include "json_text.hpp"
#include "run.hpp"

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
    add_limit(
      app, "--peer-requests", limits_.requests_max, "N",
      "Requests and subscriptions of one peer that are held at a time.");
    add_limit(app, "--peer-bytes", limits_.bytes_max, "BYTES",
              "Bytes of the arguments of these requests.");
    app.footer("caf-mcp --config mcp.json serve --listen 127.0.0.1:4711\n"
               "caf-mcp --node 127.0.0.1:4711 --server files tools\n"
               "caf-mcp --config mcp.json --tls-certificate node.pem --tls-key "
               "node.key --tls-ca ca.pem serve --listen 0.0.0.0:4711");
  }

  command_scope scope() const override {
    return command_scope::hub;
  }

  bool needs_network() const override {
    return true;
  }

  bool is_service() const override {
    return true;
  }

  caf::error check() override {
    if (listen_.empty())
      return config_error("listen", "is missing; --listen HOST:PORT");
    auto address = parse_node_address("listen", listen_);
    if (!address)
      return std::move(address.error());
    address_ = std::move(*address);
    if (limits_.requests_max == 0)
      return config_error("peer-requests", "must be a positive integer");
    if (limits_.bytes_max == 0)
      return config_error("peer-bytes", "must be a positive integer");
    return {};
  }

  caf::error check_trust(node_trust trust) override {
    address_.transport = trust == node_trust::everybody ? node_transport::tcp
                                                        : node_transport::tls;
    if (trust != node_trust::user || is_loopback(address_))
      return {};
    return config_error("listen",
                        "is \"" + listen_
                          + "\"; without certificates, only this user is let "
                            "in, on this machine: listen at 127.0.0.1, prove "
                            "who is who with --tls-certificate, --tls-key and "
                            "--tls-ca, or let everybody in with --insecure");
  }

  caf::expected<payload> run_hub(hub_session& servers, caf::timespan) override {
    auto port
      = publish_hub(servers.system(), servers.servers(), address_, limits_);
    if (!port)
      return std::move(port.error());
    address_.port = *port;
    tell_address(servers.format());
    const auto status_text = "listening at " + to_string(address_);
    servers.manager().ready(status_text);
    while (!servers.is_asked_to_end()) {
      if (const auto status = servers.next_change_to_print())
        tell_failure(servers, *status);
      else if (servers.take_reload())
        start_reload(servers);
      else if (auto read = servers.take_configuration())
        finish_reload(servers, std::move(*read), status_text);
      else
        break;
    }
    return payload{};
  }

  bool prints_itself() const override {
    return true;
  }

  void print(const payload&, text_output&) const override {
    // nop: all was told as it happened
  }

private:
  static void add_limit(CLI::App& app, const std::string& name, std::size_t& to,
                        const std::string& unit, const std::string& help) {
    app
      .add_option(name, to,
                  help + " Must be a positive integer. Default: "
                    + std::to_string(to) + '.')
      ->type_name(unit);
  }

  static void tell_failure(hub_session& servers, const server_status& status) {
    if (status.state == server_state::failed && !servers.is_asked_to_end())
      servers.warn(status.name
                     + " has failed: " + describe(status.last_error).message,
                   status.name);
  }

  static void start_reload(hub_session& servers) {
    servers.manager().reloading();
    servers.start_reading();
  }

  static void finish_reload(hub_session& servers, configuration read,
                            const std::string& status_text) {
    const auto report = servers.reload(std::move(read));
    if (servers.is_asked_to_end())
      return;
    if (report)
      servers.note("the configuration was read anew: "
                   + std::to_string(report->added.size()) + " servers added, "
                   + std::to_string(report->removed.size()) + " removed, "
                   + std::to_string(report->replaced.size()) + " replaced");
    else
      servers.warn("the configuration stays as it was: "
                   + describe(report.error()).message);
    servers.manager().ready(
      report ? status_text : status_text + "; the new configuration is wrong");
  }

  void tell_address(output_format format) const {
    const auto text = to_string(address_);
    write_stdout(format == output_format::json
                   ? compact_json({{"listening", text}}) + '\n'
                   : "listening at " + text + '\n');
  }

  std::string listen_;
  node_address address_;
  peer_limits limits_;
};

} // namespace

std::unique_ptr<command> make_serve() {
  return std::make_unique<serve_command>();
}

} // namespace caf_mcp::tool
