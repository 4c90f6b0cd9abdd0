#pragma once

#include <string>
#include <string_view>

namespace caf_mcp::tool {

/// Tells systemd, or whoever else listens at `NOTIFY_SOCKET`, what state this
/// process is in (sd_notify(3)). Says nothing where nobody listens. Never
/// blocks.
class service_notifier {
public:
  /// Takes the address out of the environment, so that no server speaks for
  /// this process. Make it before any thread that reads the environment.
  service_notifier();

  service_notifier(const service_notifier&) = delete;
  service_notifier& operator=(const service_notifier&) = delete;

  ~service_notifier();

  /// It serves now; `status` is a sentence for people.
  void ready(std::string_view status) const;

  /// It reads its configuration anew; `ready` says that this is done.
  void reloading() const;

  void stopping() const;

private:
  void send(const std::string& lines) const;

  std::string address_;
  int fd_ = -1;
};

} // namespace caf_mcp::tool
