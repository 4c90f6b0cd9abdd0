#include "caf_mcp/actors/connection/handshake.hpp"

#include "caf_mcp/messages/error_payload.hpp"
#include "caf_mcp/messages/json/excerpt.hpp"

#include <boost/json/array.hpp>

#include <algorithm>
#include <utility>

namespace caf_mcp {

namespace {

/// MCP 2026-07-28, Errors: UnsupportedProtocolVersion.
constexpr std::int64_t unsupported_protocol_version_code = -32022;

constexpr std::int64_t method_not_found_code = -32601; // JSON-RPC 2.0, 5.1

constexpr std::string_view server_info_key
  = "io.modelcontextprotocol/serverInfo";

boost::json::value to_json(const implementation& info) {
  boost::json::object result;
  if (const auto* more = info.more.if_object())
    for (const auto& [key, value] : *more)
      result.emplace(key, value);
  result["name"] = info.name;
  result["version"] = info.version;
  return result;
}

std::string join(const std::vector<std::string>& names) {
  std::string result;
  for (const auto& name : names)
    result += (result.empty() ? "" : ", ") + name;
  return result.empty() ? "none" : result;
}

/// Returns the strings of an array; what is no string is left out.
std::vector<std::string> strings(const payload& array) {
  std::vector<std::string> result;
  if (const auto* items = array.value().if_array())
    for (const auto& item : *items)
      if (const auto* text = item.if_string())
        result.emplace_back(text->data(), text->size());
  return result;
}

std::string describe_error(std::string_view method, const rpc_error& error) {
  return std::string{method} + " was answered with error "
         + std::to_string(error.code) + ": " + excerpt(error.message);
}

/// A modern server does not know `initialize`, or not the version it names.
bool denies_initialize(const rpc_error& error) {
  return error.code == method_not_found_code
         || error.code == unsupported_protocol_version_code;
}

std::string modern_versions() {
  std::vector<std::string> result;
  for (const auto& revision : known_revisions)
    if (revision.era == era::modern)
      result.emplace_back(revision.version);
  return join(result);
}

} // namespace

void handshake::forget_process() {
  discover_is_open_ = false;
  initialize_is_open_ = false;
  is_ready_ = false;
  may_reject_probe_ = false;
  tried_.clear();
}

handshake::step handshake::start() {
  forget_process();
  if (options_->mode == era_mode::legacy || era_ == era::legacy)
    return initialize();
  auto wanted = std::string_view{options_->protocol_version};
  return probe(is_modern(wanted) ? wanted : latest_modern);
}

handshake::step handshake::on_result(answer_to which, const payload& result) {
  if (is_ready_)
    return wait{};
  return which == answer_to::discover ? on_discover_result(result)
                                      : on_initialize_result(result);
}

handshake::step handshake::on_error(answer_to which, const rpc_error& error) {
  if (is_ready_)
    return wait{};
  if (which == answer_to::discover)
    return on_discover_error(error);
  initialize_is_open_ = false;
  // A modern server that is slow to answer the probe does not know the method.
  if (discover_is_open_ && denies_initialize(error))
    return wait{};
  if (disproves_legacy(error))
    return probe(latest_modern);
  return refused("initialize", error);
}

handshake::step handshake::on_unusable_answer(answer_to which,
                                              std::string detail) {
  if (is_ready_)
    return wait{};
  if (which == answer_to::discover && options_->mode != era_mode::modern)
    return on_discover_error({0, std::move(detail), payload{}});
  return not_valid(std::move(detail));
}

/// A server that rejects the probe before it has read its id, or under an id
/// of its own. Nothing more is expected of the probe.
handshake::step handshake::on_foreign_error(const rpc_error& error) {
  if (is_ready_ || !discover_is_open_ || options_->mode == era_mode::modern)
    return wait{};
  return on_discover_error(error);
}

handshake::step handshake::on_request(std::string_view method) {
  if (is_ready_
      || !((discover_is_open_ && method == "server/discover")
           || (initialize_is_open_ && method == "initialize")))
    return wait{};
  return not_valid("the program sends back what it is sent, such as the "
                   "request "
                   + std::string{method} + "; it is no MCP server");
}

handshake::step handshake::on_probe_timeout() {
  if (is_ready_ || !discover_is_open_ || initialize_is_open_
      || !may_be_legacy())
    return wait{};
  return initialize();
}

handshake::step handshake::on_timeout() {
  if (is_ready_)
    return wait{};
  auto waited = std::to_string(options_->handshake_timeout.count());
  return not_valid("start-up: no answer within handshake_timeout " + waited
                   + " ms");
}

handshake::step handshake::on_exit(const close_reason& reason) {
  if (is_ready_ || !may_reject_probe_ || !may_be_legacy())
    return failed{reason};
  forget_process();
  era_ = era::legacy;
  return restart{};
}

/// Returns whether a server that says nothing to the probe is to be taken for a
/// legacy one. One that was modern may be; one that was legacy got the probe
/// only since it does not know `initialize`.
bool handshake::may_be_legacy() const {
  return options_->mode == era_mode::automatic && era_ != era::legacy;
}

/// A server that was legacy, or only died at the time of the probe, may be
/// modern by now: then it does not know `initialize`.
bool handshake::disproves_legacy(const rpc_error& error) const {
  return era_ == era::legacy && options_->mode == era_mode::automatic
         && tried_.empty() && denies_initialize(error);
}

handshake::step handshake::probe(std::string_view version) {
  discover_is_open_ = true;
  may_reject_probe_ = tried_.empty();
  tried_.emplace_back(version);
  return send_discover{std::string{version}};
}

handshake::step handshake::initialize() {
  initialize_is_open_ = true;
  auto wanted = std::string_view{options_->protocol_version};
  if (wanted.empty() || is_modern(wanted))
    wanted = latest_legacy;
  asked_version_ = wanted;
  return send_initialize{asked_version_};
}

handshake::step handshake::on_discover_result(const payload& result) {
  auto versions = result.member("supportedVersions");
  // Some legacy servers have a result for any method.
  if (!versions)
    return on_discover_error(
      {0, "the result has no supportedVersions", payload{}});
  discover_is_open_ = false;
  auto offered = strings(versions);
  auto common = std::string{};
  for (const auto& version : offered)
    if (is_modern(version) && version > common)
      common = version;
  if (auto wanted = options_->protocol_version;
      std::find(offered.begin(), offered.end(), wanted) != offered.end()
      && is_modern(wanted))
    common = wanted;
  if (common.empty())
    return no_common_version("the server supports " + excerpt(join(offered))
                             + "; this side, of the modern era, "
                             + modern_versions());
  is_ready_ = true;
  era_ = era::modern;
  session agreed;
  agreed.era = era::modern;
  agreed.protocol_version = std::move(common);
  agreed.server_info = result.member("_meta").member(server_info_key);
  agreed.capabilities = result.member("capabilities");
  agreed.instructions = result.string_member("instructions");
  return ready{std::move(agreed)};
}

handshake::step handshake::on_initialize_result(const payload& result) {
  initialize_is_open_ = false;
  auto version = std::string{result.string_member("protocolVersion")};
  if (version.empty())
    return not_valid("the answer to initialize has no protocolVersion");
  if (era_of(version) != era::legacy)
    return no_common_version("the server wants \"" + excerpt(version)
                             + "\", this side asked for \"" + asked_version_
                             + '"');
  is_ready_ = true;
  era_ = era::legacy;
  session agreed;
  agreed.era = era::legacy;
  agreed.protocol_version = std::move(version);
  agreed.server_info = result.member("serverInfo");
  agreed.capabilities = result.member("capabilities");
  agreed.instructions = result.string_member("instructions");
  return ready{std::move(agreed)};
}

handshake::step handshake::on_discover_error(const rpc_error& error) {
  discover_is_open_ = false;
  if (error.code == unsupported_protocol_version_code)
    return on_version_refused(error);
  if (options_->mode == era_mode::modern)
    return refused("server/discover", error);
  if (initialize_is_open_)
    return wait{};
  return initialize();
}

handshake::step handshake::on_version_refused(const rpc_error& error) {
  may_reject_probe_ = false;
  auto supported = strings(error.data.member("supported"));
  for (const auto& version : supported)
    if (is_modern(version)
        && std::find(tried_.begin(), tried_.end(), version) == tried_.end())
      return probe(version);
  // A server that lists what it has just refused gets a second chance, as the
  // official client gives it, but not a third.
  if (tried_.size() == 1
      && std::find(supported.begin(), supported.end(), tried_.front())
           != supported.end())
    return probe(std::string{tried_.front()});
  return no_common_version("the server refuses " + join(tried_)
                           + " and supports " + excerpt(join(supported)));
}

/// The server refused a request of the handshake: its own error is kept.
handshake::step handshake::refused(std::string_view method,
                                   const rpc_error& error) const {
  close_reason reason;
  reason.cause = error.code == unsupported_protocol_version_code
                   ? close_cause::unsupported_protocol_version
                   : close_cause::handshake_failed;
  reason.detail = describe_error(method, error);
  reason.server_error = to_payload(error);
  return failed{std::move(reason)};
}

handshake::step handshake::no_common_version(std::string detail) const {
  close_reason reason;
  reason.cause = close_cause::unsupported_protocol_version;
  reason.detail = std::move(detail);
  return failed{std::move(reason)};
}

handshake::step handshake::not_valid(std::string detail) const {
  close_reason reason;
  reason.cause = close_cause::handshake_failed;
  reason.detail = std::move(detail);
  return failed{std::move(reason)};
}

payload modern_meta(const server_options& options, std::string_view version,
                    const boost::json::object& capabilities) {
  return payload{boost::json::value{
    {"io.modelcontextprotocol/protocolVersion", version},
    {"io.modelcontextprotocol/clientCapabilities", capabilities},
    {"io.modelcontextprotocol/clientInfo", to_json(options.client_info)}}};
}

payload initialize_params(const server_options& options,
                          std::string_view version,
                          const boost::json::object& capabilities) {
  return payload{
    boost::json::value{{"protocolVersion", version},
                       {"capabilities", capabilities},
                       {"clientInfo", to_json(options.client_info)}}};
}

} // namespace caf_mcp
