// The library, called by a thread that waits, with any request.
#pragma once

#include "apps/bench/compare/clients/library_host.hpp"

#include <caf/scoped_actor.hpp>

#include <string>
#include <vector>

namespace bench {

class waiting_caller {
public:
  explicit waiting_caller(const client_options& options,
                          std::vector<std::string> server_args = {});

  /// Returns the result. Throws `std::runtime_error` if there is none.
  caf_mcp::payload call(const caf_mcp::send_request& request);

private:
  library_host host_;
  caf::scoped_actor self_;
};

} // namespace bench
