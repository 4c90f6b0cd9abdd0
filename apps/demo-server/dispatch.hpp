// From a message to the handler that serves it.
#pragma once

#include <boost/json/value.hpp>

namespace demo {

struct server;

/// Serves one message: a request is answered now or later, a notification or a
/// response is acted upon, anything else is refused.
/// @param message nullptr for a line that was not JSON.
void serve_message(server& srv, const boost::json::value* message);

} // namespace demo
