#include "client.hpp"
#include "floor_server.hpp"
#include "request.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <array>
#include <filesystem>
#include <stdexcept>

namespace bench {

namespace {

namespace json = boost::json;

constexpr auto node = CAF_MCP_NODE_BIN_DIR "/node";
constexpr auto script = CAF_MCP_PEERS_DIR "/client.mjs";
/// Is there when the packages are whole; see ./dev.
constexpr auto packages = CAF_MCP_PEERS_DIR "/node_modules/.installed-lock";

/// A process of Node.js that does the work; see peers/client.mjs for what is
/// said to it, and what it answers.
class sdk_client final : public client {
public:
  sdk_client(const std::string& name, const client_options& options)
    : process_{node, {"--no-warnings", script, name, options.server}} {
    read_line(); // the handshake is done
  }

  outcome run(const load& work) override {
    const json::object message{{"requests", work.requests},
                               {"in_flight", work.in_flight}};
    process_.write(json::serialize(message) + '\n');
    const auto answer = json::parse(read_line());
    check_result(answer.at("result"));
    used_ = {std::chrono::microseconds{answer.at("used_us").as_int64()},
             answer.at("waits").as_int64()};
    outcome result;
    result.wall = std::chrono::nanoseconds{answer.at("wall_ns").as_int64()};
    for (const auto& each : answer.at("latencies_ns").as_array())
      result.latencies.emplace_back(std::chrono::nanoseconds{each.as_int64()});
    return result;
  }

  usage used() const override {
    return used_;
  }

private:
  /// Each line answers one of ours, so none comes with the next.
  std::string read_line() {
    std::string line;
    std::array<char, 65'536> buffer;
    while (!line.ends_with('\n'))
      line.append(buffer.data(), process_.read(buffer.data(), buffer.size()));
    return line;
  }

  floor_server process_;
  usage used_;
};

} // namespace

std::unique_ptr<client> make_sdk_1_client(const client_options& options) {
  return std::make_unique<sdk_client>("sdk-1", options);
}

std::unique_ptr<client> make_sdk_2_client(const client_options& options) {
  return std::make_unique<sdk_client>("sdk-2", options);
}

std::string why_no_sdk_client() {
  if (!std::filesystem::exists(node))
    return "no Node.js is set up; `./dev bench` brings one";
  if (!std::filesystem::exists(packages))
    return "not installed; `./dev bench` installs it";
  return {};
}

} // namespace bench
