#pragma once

#include "command.hpp"

#include <string>
#include <vector>

namespace caf_mcp::tool {

/// What `request` and `notify` share: a method, and its params if any.
class raw_command : public command {
public:
  caf::error check() override;

protected:
  void declare_message(CLI::App& app);

  const std::string& method() const noexcept {
    return method_;
  }

  /// Absent if none were given.
  const payload& params() const noexcept {
    return params_;
  }

private:
  std::string method_;
  std::vector<std::string> words_;
  payload params_;
};

} // namespace caf_mcp::tool
