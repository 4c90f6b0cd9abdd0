#include "shortage.hpp"

#include "caf_mcp/messages/error_info.hpp"

#include "run.hpp"

#include <cerrno>
#include <cstdlib>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <unistd.h>

namespace caf_mcp::tool {

namespace {

struct output_choice {
  output_format format = output_format::text;
  log_format logs = log_format::text;
  /// What was in charge before.
  std::terminate_handler others = nullptr;
};

/// For the handler, which takes no arguments. Written before any other thread
/// is there.
output_choice& choice() {
  static output_choice only;
  return only;
}

bool is_shortage(const std::error_code& code) {
  for (auto error : {EAGAIN, ENOMEM, EMFILE, ENFILE, ENOSPC})
    if (code == std::error_code{error, std::generic_category()}
        || code == std::error_code{error, std::system_category()})
      return true;
  return false;
}

/// Returns what is short, if that is why this process cannot go on.
std::optional<std::string> shortage_at_hand() {
  const auto exception = std::current_exception();
  if (!exception)
    return std::nullopt;
  try {
    std::rethrow_exception(exception);
  } catch (const std::system_error& error) {
    if (is_shortage(error.code()))
      return error.what();
  } catch (const std::bad_alloc&) {
    return "no memory";
  } catch (...) {
    // Something else is wrong.
  }
  return std::nullopt;
}

[[noreturn]] void end(const std::string& what) noexcept {
  try {
    diagnostics console{verbosity::quiet, choice().logs};
    report(local_error(errc::spawn_failed,
                       "the system refuses a thread, memory or a descriptor "
                       "that is needed: "
                         + what),
           choice().format, console);
  } catch (...) {
    constexpr std::string_view text
      = "caf-mcp: spawn_failed: the system refuses memory that is needed\n";
    static_cast<void>(!::write(STDERR_FILENO, text.data(), text.size()));
  }
  ::_exit(static_cast<int>(exit_status::no_connection));
}

[[noreturn]] void on_terminate() {
  if (const auto what = shortage_at_hand())
    end(*what);
  choice().others();
  std::abort(); // it does not return
}

} // namespace

void report_shortages(output_format format, log_format logs) {
  choice() = {format, logs, std::set_terminate(on_terminate)};
}

} // namespace caf_mcp::tool
