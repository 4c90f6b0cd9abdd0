// What a server finds when it starts.
#include "caf_mcp/actors/port/unique_fd.hpp"

#include "tests/support/player.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <string>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

using namespace caf_mcp;
using tests::call_t;
using tests::failure;
using tests::host;
using tests::player;
using tests::value;

namespace {

boost::json::object structured(const payload& result) {
  return result.value().at("structuredContent").as_object();
}

/// Ignores a signal, as careless hosts do, as long as it lives.
class ignored_signal {
public:
  explicit ignored_signal(int number)
    : number_{number}, before_{::signal(number, SIG_IGN)} {
    // nop
  }

  ~ignored_signal() {
    ::signal(number_, before_);
  }

  ignored_signal(const ignored_signal&) = delete;
  ignored_signal& operator=(const ignored_signal&) = delete;

private:
  int number_;
  void (*before_)(int);
};

} // namespace

TEST_CASE("a variable of its own takes no other from a server") {
  player script{"reports-environment"};
  host app;
  auto options = script.options();
  const auto* extra = "a=b c \xC3\xA9";
  options.env.insert_or_assign("EXTRA", env_value{extra});
  SECTION("beside the allowlist") {
    options.inherit_env.policy = inherit_policy::allowlist;
  }
  SECTION("beside all") {
    options.inherit_env.policy = inherit_policy::all;
  }
  auto server = app.open(options);
  auto seen = structured(value(call_t(app, server)));
  CHECK(seen.at("EXTRA") == extra);
  // Where Python is started by a shim, that has added to it.
  CHECK_THAT(std::string{seen.at("PATH").as_string()},
             Catch::Matchers::EndsWith(::getenv("PATH")));
  CHECK(seen.at("HOME") == ::getenv("HOME"));
}

TEST_CASE("a server gets three descriptors and no ignored signal") {
  ignored_signal pipe{SIGPIPE};
  ignored_signal hangup{SIGHUP};
  // A host that does not close its own on exec.
  std::vector<unique_fd> careless;
  for (auto i = 0; i < 20; ++i)
    careless.emplace_back(::open("/dev/null", O_RDONLY)); // NOLINT
  int ends[2];
  REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0); // NOLINT
  careless.emplace_back(ends[0]);
  careless.emplace_back(ends[1]);
  careless.emplace_back(::dup2(careless[0].get(), 200)); // NOLINT
  player script{"reports-descriptors"};
  host app;
  auto server = app.open(script.options());
  auto seen = structured(value(call_t(app, server)));
  CHECK(seen.at("fds") == boost::json::array{0, 1, 2});
  CHECK(seen.at("sigign").as_array().empty());
  // Python ignores SIGPIPE by itself; grep does not.
  server_options other;
  other.command = "sh";
  other.args = {"-c", "grep -E 'Sig(Ign|Blk)' /proc/self/status >&2; exit 1"};
  other.stderr_to.kind = stderr_kind::capture;
  auto info = failure(ask(*app.self, app.connect(other), open_connection{}));
  CHECK(info.data.string_member("stderr_tail")
        == "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n");
}
