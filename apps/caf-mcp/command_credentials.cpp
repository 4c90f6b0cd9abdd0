#include "caf_mcp/actors/authority.hpp"
#include "caf_mcp/messages/error_info.hpp"

#include "command.hpp"
#include "json_text.hpp"

#include <CLI/CLI.hpp>

#include <charconv>
#include <chrono>
#include <system_error>

namespace caf_mcp::tool {

namespace {

constexpr int days_max = 3650;

class credentials_command final : public command {
public:
  void declare(CLI::App& app) override {
    app.add_option("ACTION", action_, "init, issue or revoke.")->required();
    app.add_option("NAME", name_,
                   "The node. Others insist on it with --tls-name.");
    app
      .add_option("--directory", directory_,
                  "Folder of the authority. Nobody else may use it. Default: "
                  "credentials.")
      ->type_name("DIR");
    app
      .add_option("--days", days_,
                  "How long the certificate holds. Default: 365.")
      ->type_name("N");
    app.footer("caf-mcp credentials init\n"
               "caf-mcp credentials issue node1\n"
               "caf-mcp credentials revoke node1 --directory /root/nodes");
  }

  command_scope scope() const override {
    return command_scope::nothing;
  }

  caf::error check() override {
    const auto is_init = action_ == "init";
    if (!is_init && action_ != "issue" && action_ != "revoke")
      return config_error("ACTION", "is \"" + action_
                                      + "\"; must be init, issue or revoke");
    if (is_init != name_.empty())
      return config_error("NAME", is_init ? "is of no use to init"
                                          : "is missing; " + action_ + " NAME");
    if (!days_.empty() && action_ != "issue")
      return config_error("days", "is of no use to " + action_);
    return read_days();
  }

  caf::expected<payload> run_alone() override {
    if (action_ == "init") {
      auto made = certificate_authority::create(directory_);
      return made ? of_authority(*made) : caf::expected<payload>{made.error()};
    }
    auto known = certificate_authority::open(directory_);
    if (!known)
      return std::move(known.error());
    if (action_ == "issue") {
      auto files = known->issue(name_, validity_);
      return files ? of_node(*files) : caf::expected<payload>{files.error()};
    }
    if (auto error = known->revoke(name_))
      return error;
    return of_authority(*known);
  }

  void print(const payload& result, text_output& out) const override {
    for (const auto& [key, file] : result.value().as_object())
      out.line(std::string{key} + ": " + std::string{file.as_string()});
  }

private:
  caf::error read_days() {
    auto days = static_cast<int>(validity_.count());
    const auto* end = days_.data() + days_.size();
    const auto [rest, error] = std::from_chars(days_.data(), end, days);
    const auto is_number
      = days_.empty() || (error == std::errc{} && rest == end);
    if (!is_number || days < 1 || days > days_max)
      return config_error("days", "is \"" + days_
                                    + "\"; must be an integer from 1 to "
                                    + std::to_string(days_max));
    validity_ = std::chrono::days{days};
    return {};
  }

  static caf::expected<payload>
  of_authority(const certificate_authority& made) {
    return payload{{{"ca", made.folder() + "/ca.pem"},
                    {"revoked", made.folder() + "/revoked.pem"}}};
  }

  static caf::expected<payload> of_node(const tls_files& files) {
    return payload{{{"certificate", files.certificate},
                    {"key", files.key},
                    {"ca", files.ca},
                    {"revoked", files.revoked}}};
  }

  std::string action_;
  std::string name_;
  std::string directory_ = "credentials";
  std::string days_;
  std::chrono::days validity_{365};
};

} // namespace

std::unique_ptr<command> make_credentials() {
  return std::make_unique<credentials_command>();
}

} // namespace caf_mcp::tool
