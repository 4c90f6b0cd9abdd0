#pragma once

#include "caf_mcp/messages/requests.hpp"

#include "command.hpp"

#include <boost/json/object.hpp>

#include <string>

namespace caf_mcp::tool {

/// Returns the exit status of a command about many servers, by the `servers` of
/// its result, an array or an object of objects with `state`: `no_connection`
/// if there are some, and none could be started.
exit_status status_of_servers(const payload& result);

/// What the four commands that list something share: `run` returns an object
/// with the items of all pages, as one page of the protocol would hold them.
/// Over many servers, they have qualified names, and `servers` holds the
/// status of each server; over nodes, both have the member `node`.
class list_command : public command {
public:
  explicit list_command(list_kind kind) : kind_{kind} {
    // nop
  }

  void declare(CLI::App& app) override;
  command_scope scope() const override {
    return command_scope::either;
  }

  caf::expected<payload> run(client& server) override;
  caf::expected<payload> run_hub(hub_session& servers,
                                 caf::timespan limit) override;
  bool can_ask_nodes() const override {
    return true;
  }

  caf::expected<payload> run_nodes(nodes_session& nodes) override;
  void print(const payload& result, text_output& out) const override;
  exit_status status(const payload& result) const override {
    return status_of_servers(result);
  }

protected:
  /// Prints one item; behind its name the member `node`, if it has one.
  virtual void print_item(const boost::json::object& item,
                          text_output& out) const = 0;

private:
  list_kind kind_;
};

} // namespace caf_mcp::tool
