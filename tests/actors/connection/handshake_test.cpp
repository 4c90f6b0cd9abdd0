#include "caf_mcp/actors/connection/handshake.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace caf_mcp;

namespace {

using answer_to = handshake::answer_to;

constexpr std::int64_t method_not_found = -32601;
constexpr std::int64_t unsupported_version = -32022;

/// A handshake and the options it keeps; change these first.
struct dialogue {
  explicit dialogue(era_mode mode = era_mode::automatic,
                    std::string version = {})
    : options{std::make_shared<server_options>()}, self{options} {
    options->mode = mode;
    options->protocol_version = std::move(version);
  }

  handshake::step result(answer_to which, std::string_view json) {
    auto parsed = parse_payload(json);
    REQUIRE(parsed);
    return self.on_result(which, parsed);
  }

  handshake::step error(answer_to which, std::int64_t code,
                        std::string_view data = "null") {
    return self.on_error(which,
                         {code, "the server's words", parse_payload(data)});
  }

  /// An error that names no request.
  handshake::step foreign_error(std::int64_t code = -32600,
                                std::string_view data = "null") {
    return self.on_foreign_error(
      {code, "the server's words", parse_payload(data)});
  }

  std::shared_ptr<server_options> options;
  handshake self;
};

template <class T>
bool is(const handshake::step& step) {
  return std::holds_alternative<T>(step);
}

std::string discover_version(const handshake::step& step) {
  REQUIRE(is<handshake::send_discover>(step));
  return std::get<handshake::send_discover>(step).version;
}

std::string initialize_version(const handshake::step& step) {
  REQUIRE(is<handshake::send_initialize>(step));
  return std::get<handshake::send_initialize>(step).version;
}

session session_of(const handshake::step& step) {
  REQUIRE(is<handshake::ready>(step));
  return std::get<handshake::ready>(step).session;
}

close_reason failure_of(const handshake::step& step) {
  REQUIRE(is<handshake::failed>(step));
  return std::get<handshake::failed>(step).reason;
}

bool says(const close_reason& reason, std::string_view text) {
  return reason.detail.find(text) != std::string::npos;
}

constexpr auto modern_result = R"({
  "supportedVersions": ["2026-07-28"],
  "capabilities": {"tools": {}},
  "instructions": "be kind",
  "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "m", "version": "1"}}
})";

constexpr auto legacy_result = R"({
  "protocolVersion": "2025-11-25",
  "capabilities": {"prompts": {}},
  "serverInfo": {"name": "l", "version": "2"},
  "instructions": "be brief"
})";

close_reason exit_reason() {
  close_reason result;
  result.cause = close_cause::exit_status;
  result.number = 3;
  return result;
}

} // namespace

// -- auto ---------------------------------------------------------------------

TEST_CASE("auto asks server/discover first, with the latest modern version") {
  dialogue with;
  CHECK(discover_version(with.self.start()) == latest_modern);
}

TEST_CASE("auto asks server/discover even if a legacy version is wanted") {
  dialogue with{era_mode::automatic, "2025-06-18"};
  CHECK(discover_version(with.self.start()) == latest_modern);
  CHECK(initialize_version(with.error(answer_to::discover, method_not_found))
        == "2025-06-18");
}

TEST_CASE("a discover result makes a modern session") {
  dialogue with;
  with.self.start();
  auto session = session_of(with.result(answer_to::discover, modern_result));
  CHECK(session.era == era::modern);
  CHECK(session.protocol_version == latest_modern);
  CHECK(session.server_info.string_member("name") == "m");
  CHECK(session.capabilities.member("tools"));
  CHECK(session.instructions == "be kind");
}

TEST_CASE("versions that nobody knows do not disturb the choice") {
  dialogue with;
  with.self.start();
  auto session = session_of(with.result(answer_to::discover, R"({
    "supportedVersions": ["2099-01-01", 7, null, "2026-07-28", "2025-11-25"]})"));
  CHECK(session.protocol_version == "2026-07-28");
}

TEST_CASE("a modern server without a common version is refused, both named") {
  dialogue with;
  with.self.start();
  auto reason = failure_of(with.result(
    answer_to::discover, R"({"supportedVersions": ["2099-01-01"]})"));
  CHECK(reason.cause == close_cause::unsupported_protocol_version);
  CHECK(says(reason, "2099-01-01"));
  CHECK(says(reason, "2026-07-28"));
}

TEST_CASE("any error but one means legacy, on the same process") {
  dialogue with;
  with.self.start();
  auto code = std::int64_t{method_not_found};
  SECTION("method not found") {
  }
  SECTION("not initialized") {
    code = -32002;
  }
  SECTION("a code of its own") {
    code = 7;
  }
  CHECK(initialize_version(with.error(answer_to::discover, code))
        == latest_legacy);
  auto session = session_of(with.result(answer_to::initialize, legacy_result));
  CHECK(session.era == era::legacy);
  CHECK(session.protocol_version == "2025-11-25");
  CHECK(session.server_info.string_member("name") == "l");
  CHECK(session.capabilities.member("prompts"));
  CHECK(session.instructions == "be brief");
}

TEST_CASE("an error that names no request means legacy too, once") {
  dialogue with;
  with.self.start();
  CHECK(is<handshake::send_initialize>(with.foreign_error()));
  CHECK(is<handshake::wait>(with.foreign_error()));
}

TEST_CASE("a result that is no discover result means legacy") {
  dialogue with;
  with.self.start();
  CHECK(initialize_version(with.result(answer_to::discover, "{}"))
        == latest_legacy);
  CHECK(
    is<handshake::ready>(with.result(answer_to::initialize, legacy_result)));
}

// -- auto, a server that is slow ----------------------------------------------

TEST_CASE("a silent server is sent initialize too, once") {
  dialogue with;
  with.self.start();
  CHECK(initialize_version(with.self.on_probe_timeout()) == latest_legacy);
  CHECK(is<handshake::wait>(with.self.on_probe_timeout()));
  CHECK(is<handshake::wait>(with.foreign_error()));
}

TEST_CASE("after both were sent, the first answer decides") {
  dialogue with;
  with.self.start();
  with.self.on_probe_timeout();
  SECTION("a late discover result") {
    auto step = with.result(answer_to::discover, modern_result);
    CHECK(session_of(step).era == era::modern);
    CHECK(
      is<handshake::wait>(with.error(answer_to::initialize, method_not_found)));
    CHECK(
      is<handshake::wait>(with.result(answer_to::initialize, legacy_result)));
  }
  SECTION("the initialize result") {
    auto step = with.result(answer_to::initialize, legacy_result);
    CHECK(session_of(step).era == era::legacy);
    CHECK(is<handshake::wait>(with.result(answer_to::discover, modern_result)));
    CHECK(
      is<handshake::wait>(with.error(answer_to::discover, method_not_found)));
  }
  SECTION("a late discover error decides nothing") {
    CHECK(
      is<handshake::wait>(with.error(answer_to::discover, method_not_found)));
    CHECK(
      is<handshake::ready>(with.result(answer_to::initialize, legacy_result)));
  }
  SECTION("an initialize error decides nothing") {
    CHECK(
      is<handshake::wait>(with.error(answer_to::initialize, method_not_found)));
    CHECK(session_of(with.result(answer_to::discover, modern_result)).era
          == era::modern);
  }
  SECTION("both are refused") {
    with.error(answer_to::discover, method_not_found);
    auto reason = failure_of(with.error(answer_to::initialize, -32603));
    CHECK(reason.cause == close_cause::handshake_failed);
    CHECK(says(reason, "-32603"));
    CHECK(says(reason, "the server's words"));
  }
}

TEST_CASE("a program that sends back what it is sent is no server") {
  dialogue with;
  with.self.start();
  CHECK(is<handshake::wait>(with.self.on_request("ping")));
  SECTION("the probe") {
    const auto reason = failure_of(with.self.on_request("server/discover"));
    CHECK(reason.cause == close_cause::handshake_failed);
    CHECK(says(reason, "sends back"));
  }
  SECTION("initialize") {
    CHECK(is<handshake::wait>(with.self.on_request("initialize")));
    with.self.on_probe_timeout();
    CHECK(says(failure_of(with.self.on_request("initialize")), "sends back"));
  }
  SECTION("but not once the session is there") {
    with.result(answer_to::discover, modern_result);
    CHECK(is<handshake::wait>(with.self.on_request("server/discover")));
  }
}

TEST_CASE("running out of time is said to be the start-up's") {
  dialogue with;
  with.options->handshake_timeout = std::chrono::milliseconds{1234};
  with.self.start();
  auto reason = failure_of(with.self.on_timeout());
  CHECK(reason.cause == close_cause::handshake_failed);
  CHECK(says(reason, "start-up"));
  CHECK(says(reason, "1234"));
}

TEST_CASE("no time-out counts once the session is there") {
  dialogue with;
  with.self.start();
  with.result(answer_to::discover, modern_result);
  CHECK(is<handshake::wait>(with.self.on_probe_timeout()));
  CHECK(is<handshake::wait>(with.self.on_timeout()));
  CHECK(is<handshake::wait>(with.foreign_error()));
}

// -- auto, versions refused ---------------------------------------------------

TEST_CASE("a modern server that refuses every version ends the search") {
  dialogue with;
  with.self.start();
  SECTION("it supports none that this side knows") {
    auto reason
      = failure_of(with.error(answer_to::discover, unsupported_version,
                              R"({"supported": ["2099-01-01"]})"));
    CHECK(reason.cause == close_cause::unsupported_protocol_version);
    CHECK(says(reason, "2099-01-01"));
    CHECK(says(reason, "2026-07-28"));
  }
  SECTION("it refuses for a second time what it claims to support") {
    with.error(answer_to::discover, unsupported_version,
               R"({"supported": ["2026-07-28"]})");
    auto reason
      = failure_of(with.error(answer_to::discover, unsupported_version,
                              R"({"supported": ["2026-07-28"]})"));
    CHECK(reason.cause == close_cause::unsupported_protocol_version);
  }
  SECTION("it supports legacy versions, but the era is settled") {
    auto reason
      = failure_of(with.error(answer_to::discover, unsupported_version,
                              R"({"supported": ["2025-11-25"]})"));
    CHECK(reason.cause == close_cause::unsupported_protocol_version);
  }
  SECTION("it says nothing") {
    auto reason
      = failure_of(with.error(answer_to::discover, unsupported_version));
    CHECK(reason.cause == close_cause::unsupported_protocol_version);
  }
}

TEST_CASE("a server that lists the version it refused is asked once more") {
  dialogue with;
  with.self.start();
  CHECK(discover_version(with.error(answer_to::discover, unsupported_version,
                                    R"({"supported": ["2026-07-28"]})"))
        == latest_modern);
  CHECK(is<handshake::ready>(with.result(answer_to::discover, modern_result)));
}

// -- auto, a server that exits ------------------------------------------------

TEST_CASE("a server that exits on the probe is started again as legacy") {
  dialogue with;
  with.self.start();
  REQUIRE(is<handshake::restart>(with.self.on_exit(exit_reason())));
  CHECK(initialize_version(with.self.start()) == latest_legacy);
  SECTION("and its second exit is a failure") {
    auto reason = failure_of(with.self.on_exit(exit_reason()));
    CHECK(reason.cause == close_cause::exit_status);
    CHECK(reason.number == 3);
  }
  SECTION("and may then be answered") {
    CHECK(
      is<handshake::ready>(with.result(answer_to::initialize, legacy_result)));
  }
}

TEST_CASE("whatever a server does about the probe before it exits, it is "
          "started again and sent initialize") {
  dialogue with;
  with.self.start();
  auto reason = exit_reason();
  SECTION("it answers with an error") {
    with.error(answer_to::discover, method_not_found);
  }
  SECTION("it answers with an error that names no request") {
    with.foreign_error();
  }
  SECTION("it answers with bytes that do not decode") {
    with.self.on_unusable_answer(answer_to::discover, "not UTF-8");
  }
  SECTION("it answers with a result for any method") {
    with.result(answer_to::discover, "{}");
  }
  SECTION("it is slow to read the probe") {
    with.self.on_probe_timeout();
  }
  SECTION("it closes stdout") {
    reason.cause = close_cause::server_closed_stdout;
  }
  SECTION("it dies of a signal") {
    reason.cause = close_cause::signal;
  }
  REQUIRE(is<handshake::restart>(with.self.on_exit(reason)));
  CHECK(initialize_version(with.self.start()) == latest_legacy);
  CHECK(
    is<handshake::ready>(with.result(answer_to::initialize, legacy_result)));
}

TEST_CASE("a process that could not be started again is not started forever") {
  dialogue with;
  with.self.start();
  REQUIRE(is<handshake::restart>(with.self.on_exit(exit_reason())));
  CHECK(is<handshake::failed>(with.self.on_exit(exit_reason())));
}

TEST_CASE("a server that refused a version is modern and not started again") {
  dialogue with;
  with.self.start();
  with.error(answer_to::discover, unsupported_version,
             R"({"supported": ["2026-07-28"]})");
  CHECK(is<handshake::failed>(with.self.on_exit(exit_reason())));
}

// -- refusals -----------------------------------------------------------------

TEST_CASE("a refused initialize fails at once with the server's own error") {
  dialogue with;
  with.self.start();
  SECTION("the probe is not answered") {
    with.self.on_probe_timeout();
  }
  SECTION("the probe was answered under no id") {
    with.foreign_error();
  }
  SECTION("the probe was answered under no id after its time") {
    with.self.on_probe_timeout();
    with.foreign_error();
  }
  SECTION("the probe was refused") {
    with.error(answer_to::discover, method_not_found);
  }
  SECTION("the probe could not be decoded") {
    with.self.on_unusable_answer(answer_to::discover, "not UTF-8");
  }
  auto reason = failure_of(
    with.error(answer_to::initialize, -32000, R"({"missing": "API key"})"));
  CHECK(reason.cause == close_cause::handshake_failed);
  CHECK(says(reason, "the server's words"));
  CHECK(reason.server_error
        == parse_payload(R"({"code": -32000, "message": "the server's words",
                             "data": {"missing": "API key"}})"));
}

TEST_CASE("an answer to initialize that does not decode ends the handshake") {
  dialogue with{era_mode::legacy};
  with.self.start();
  auto reason = failure_of(
    with.self.on_unusable_answer(answer_to::initialize, "not UTF-8"));
  CHECK(reason.cause == close_cause::handshake_failed);
  CHECK(says(reason, "not UTF-8"));
  CHECK_FALSE(reason.server_error);
}

TEST_CASE("a version refused under no id means modern, as with one") {
  dialogue with;
  with.self.start();
  CHECK(is<handshake::send_discover>(with.foreign_error(
    unsupported_version, R"({"supported": ["2026-07-28"]})")));
}

TEST_CASE("an error names the version that initialize asked for") {
  dialogue with{era_mode::automatic, "2026-07-28"};
  with.self.start();
  with.error(answer_to::discover, method_not_found);
  auto reason = failure_of(
    with.result(answer_to::initialize, R"({"protocolVersion": "2099-01-01"})"));
  CHECK(says(reason, "2099-01-01"));
  CHECK(says(reason, std::string{"asked for \""} + std::string{latest_legacy}));
}

// -- the next process ---------------------------------------------------------

TEST_CASE("the era is kept for the next process") {
  dialogue with;
  with.self.start();
  SECTION("legacy") {
    with.error(answer_to::discover, method_not_found);
    with.result(answer_to::initialize, legacy_result);
    CHECK(is<handshake::send_initialize>(with.self.start()));
    CHECK(is<handshake::failed>(with.self.on_exit(exit_reason())));
  }
  SECTION("modern") {
    with.result(answer_to::discover, modern_result);
    CHECK(is<handshake::send_discover>(with.self.start()));
  }
}

TEST_CASE("a server that was modern is taken for a legacy one as any other") {
  dialogue with;
  with.self.start();
  with.result(answer_to::discover, modern_result);
  with.self.start();
  SECTION("if it says nothing") {
    CHECK(initialize_version(with.self.on_probe_timeout()) == latest_legacy);
    SECTION("and is modern if it answers late") {
      CHECK(session_of(with.result(answer_to::discover, modern_result)).era
            == era::modern);
    }
    SECTION("and legacy if it then agrees") {
      CHECK(session_of(with.result(answer_to::initialize, legacy_result)).era
            == era::legacy);
      CHECK(is<handshake::send_initialize>(with.self.start()));
    }
  }
  SECTION("if it refuses the probe") {
    CHECK(is<handshake::send_initialize>(
      with.error(answer_to::discover, method_not_found)));
  }
  SECTION("if it dies of the probe") {
    CHECK(is<handshake::restart>(with.self.on_exit(exit_reason())));
    CHECK(is<handshake::send_initialize>(with.self.start()));
    SECTION("but not twice") {
      CHECK(is<handshake::failed>(with.self.on_exit(exit_reason())));
    }
    SECTION("and for a modern one, if it refuses that") {
      CHECK(is<handshake::send_discover>(
        with.error(answer_to::initialize, method_not_found)));
      SECTION("but is not started for ever") {
        CHECK(is<handshake::failed>(with.self.on_exit(exit_reason())));
      }
      SECTION("and agrees") {
        CHECK(is<handshake::ready>(
          with.result(answer_to::discover, modern_result)));
      }
    }
  }
}

TEST_CASE("what a process has said is forgotten before the next is started") {
  dialogue with;
  with.self.start();
  SECTION("that it was ready") {
    with.result(answer_to::discover, modern_result);
    with.self.forget_process();
    CHECK(is<handshake::failed>(with.self.on_timeout()));
  }
  SECTION("that it was probed") {
    with.self.forget_process();
    CHECK(is<handshake::wait>(with.self.on_probe_timeout()));
    CHECK(is<handshake::failed>(with.self.on_exit(exit_reason())));
  }
}

TEST_CASE("an answer to a process before does not make the next one ready") {
  dialogue with;
  with.self.start();
  with.result(answer_to::discover, modern_result);
  with.self.start();
  CHECK(is<handshake::failed>(with.self.on_timeout()));
}

TEST_CASE("a legacy server that has become modern is probed again, once") {
  dialogue with;
  with.self.start();
  with.error(answer_to::discover, method_not_found);
  with.result(answer_to::initialize, legacy_result);
  with.self.start();
  REQUIRE(is<handshake::send_discover>(
    with.error(answer_to::initialize, method_not_found)));
  SECTION("and is modern from then on") {
    with.result(answer_to::discover, modern_result);
    CHECK(is<handshake::send_discover>(with.self.start()));
  }
  SECTION("and is given up if it is neither") {
    CHECK(is<handshake::send_initialize>(
      with.error(answer_to::discover, method_not_found)));
    CHECK(is<handshake::failed>(
      with.error(answer_to::initialize, method_not_found)));
  }
}

TEST_CASE("a legacy server's refusal for its own reasons is final") {
  dialogue with;
  with.self.start();
  with.self.on_exit(exit_reason());
  with.self.start();
  auto reason = failure_of(with.error(answer_to::initialize, -32603));
  CHECK(reason.cause == close_cause::handshake_failed);
}

// -- modern -------------------------------------------------------------------

TEST_CASE("modern never falls back") {
  dialogue with{era_mode::modern};
  CHECK(discover_version(with.self.start()) == latest_modern);
  SECTION("after an error") {
    auto reason = failure_of(with.error(answer_to::discover, method_not_found));
    CHECK(reason.cause == close_cause::handshake_failed);
    CHECK(says(reason, "-32601"));
  }
  SECTION("after an error that names no request") {
    CHECK(is<handshake::wait>(with.foreign_error()));
  }
  SECTION("after silence") {
    CHECK(is<handshake::wait>(with.self.on_probe_timeout()));
    CHECK(is<handshake::failed>(with.self.on_timeout()));
  }
  SECTION("after an exit") {
    CHECK(failure_of(with.self.on_exit(exit_reason())).number == 3);
  }
  SECTION("after a result that is none") {
    CHECK(failure_of(with.result(answer_to::discover, "{}")).cause
          == close_cause::handshake_failed);
  }
}

// -- legacy -------------------------------------------------------------------

TEST_CASE("legacy sends initialize at once") {
  SECTION("with the latest version") {
    dialogue with{era_mode::legacy};
    CHECK(initialize_version(with.self.start()) == latest_legacy);
  }
  SECTION("with the version asked for") {
    dialogue with{era_mode::legacy, "2024-11-05"};
    CHECK(initialize_version(with.self.start()) == "2024-11-05");
  }
}

TEST_CASE("legacy takes any version it knows") {
  dialogue with{era_mode::legacy};
  with.self.start();
  auto session = session_of(
    with.result(answer_to::initialize, R"({"protocolVersion": "2024-11-05"})"));
  CHECK(session.protocol_version == "2024-11-05");
  CHECK_FALSE(session.server_info);
}

TEST_CASE("legacy refuses other versions and names both") {
  dialogue with{era_mode::legacy};
  with.self.start();
  SECTION("one of the future") {
    auto reason = failure_of(with.result(
      answer_to::initialize, R"({"protocolVersion": "2099-01-01"})"));
    CHECK(reason.cause == close_cause::unsupported_protocol_version);
    CHECK(says(reason, "2099-01-01"));
    CHECK(says(reason, latest_legacy));
  }
  SECTION("a modern one, which has no handshake") {
    auto reason = failure_of(with.result(
      answer_to::initialize, R"({"protocolVersion": "2026-07-28"})"));
    CHECK(reason.cause == close_cause::unsupported_protocol_version);
  }
  SECTION("none") {
    auto reason = failure_of(with.result(answer_to::initialize, "{}"));
    CHECK(reason.cause == close_cause::handshake_failed);
  }
  SECTION("the server refuses first") {
    auto reason
      = failure_of(with.error(answer_to::initialize, unsupported_version));
    CHECK(reason.cause == close_cause::unsupported_protocol_version);
  }
}

TEST_CASE("what a server says of its version cannot harm a terminal") {
  dialogue with{era_mode::legacy};
  with.self.start();
  auto reason = failure_of(
    with.result(answer_to::initialize, R"({"protocolVersion": "\u001b[31m"})"));
  CHECK_FALSE(says(reason, "\x1b"));
}

// -- what is sent -------------------------------------------------------------

TEST_CASE("a modern request says who asks, in which version, with what") {
  server_options options;
  options.client_info = {"app", "3", parse_payload(R"({"title": "An app"})")};
  auto meta = modern_meta(options, "2026-07-28", {{"roots", nullptr}});
  CHECK(meta == parse_payload(R"({
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {"roots": null},
    "io.modelcontextprotocol/clientInfo":
      {"title": "An app", "name": "app", "version": "3"}})"));
}

TEST_CASE("initialize says who asks, in which version, with what") {
  server_options options;
  options.client_info = {"app", "3", {}};
  auto params = initialize_params(options, "2025-11-25", {});
  CHECK(params == parse_payload(R"({
    "protocolVersion": "2025-11-25", "capabilities": {},
    "clientInfo": {"name": "app", "version": "3"}})"));
}

TEST_CASE("an era is known that was demanded, or that the server had last") {
  CHECK(dialogue{era_mode::modern}.self.known_era() == era::modern);
  CHECK(dialogue{era_mode::legacy}.self.known_era() == era::legacy);
  dialogue with;
  with.self.start();
  CHECK_FALSE(with.self.known_era());
  with.result(answer_to::discover, modern_result);
  with.self.start(); // the next process
  CHECK(with.self.known_era() == era::modern);
  with.self.on_probe_timeout(); // which may be of another era
  CHECK_FALSE(with.self.known_era());
}
