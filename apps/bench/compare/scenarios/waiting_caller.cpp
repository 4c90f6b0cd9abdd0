#include "waiting_caller.hpp"

#include "caf_mcp/actors/client.hpp"

#include <stdexcept>
#include <utility>

namespace bench {

waiting_caller::waiting_caller(const client_options& options,
                               std::vector<std::string> server_args)
  : host_{options, std::move(server_args)}, self_{host_.system()} {
  // nop
}

caf_mcp::payload waiting_caller::call(const caf_mcp::send_request& request) {
  auto answer = ask(self_, host_.server(), request);
  if (!answer)
    throw std::runtime_error{caf_mcp::describe(answer.error()).message};
  return std::move(*answer);
}

} // namespace bench
