#include "caf_mcp/messages/error_info.hpp"
#include "caf_mcp/messages/port.hpp"
#include "caf_mcp/messages/requests.hpp"
#include "caf_mcp/messages/secret.hpp"
#include "caf_mcp/messages/server_options.hpp"
#include "caf_mcp/messages/session_info.hpp"

#include <caf/init_global_meta_objects.hpp>
#include <catch2/reporters/catch_reporter_event_listener.hpp>
#include <catch2/reporters/catch_reporter_registrars.hpp>

namespace caf_mcp::test {

namespace {

/// Makes the type IDs of our messages known to CAF before the first test: an
/// error with a context needs them even within one node.
class type_id_listener : public Catch::EventListenerBase {
public:
  using Catch::EventListenerBase::EventListenerBase;

  void testRunStarting(const Catch::TestRunInfo&) override {
    caf::init_global_meta_objects<caf::id_block::caf_mcp>();
    caf::core::init_global_meta_objects();
  }
};

CATCH_REGISTER_LISTENER(type_id_listener)

} // namespace

} // namespace caf_mcp::test
