// A process behind two pipes, without any library.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

namespace bench {

/// Starts a program, such as a server; blocking reads and writes on its pipes,
/// which are as wide as the library makes them. Throws `std::system_error` when
/// a call fails.
class floor_server {
public:
  explicit floor_server(const std::string& path,
                        std::vector<std::string> arguments = {});

  floor_server(const floor_server&) = delete;
  floor_server& operator=(const floor_server&) = delete;

  /// Closes the pipes and waits for the end of the process.
  ~floor_server();

  /// Writes all of `bytes`.
  void write(std::string_view bytes) const;

  /// Reads what is there, at most `room` bytes; waits if there is nothing.
  std::size_t read(char* into, std::size_t room) const;

  /// Returns the descriptor that becomes readable when there is something.
  int readable() const noexcept {
    return stdout_;
  }

private:
  pid_t pid_ = 0;
  int stdin_ = -1;
  int stdout_ = -1;
};

} // namespace bench
