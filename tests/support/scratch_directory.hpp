#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace tests {

/// An empty directory that is removed, with all that was put into it, at the
/// end of a test.
class scratch_directory {
public:
  scratch_directory() {
    auto pattern
      = (std::filesystem::temp_directory_path() / "caf-mcp-test-XXXXXX")
          .string();
    if (::mkdtemp(pattern.data()) == nullptr)
      throw std::runtime_error{"cannot make " + pattern};
    path_ = pattern;
  }

  scratch_directory(const scratch_directory&) = delete;
  scratch_directory& operator=(const scratch_directory&) = delete;

  ~scratch_directory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  std::string path() const {
    return path_.string();
  }

  /// Writes a file and returns its path.
  std::string write(std::string_view name, std::string_view content) const {
    auto file = path_ / name;
    std::ofstream{file, std::ios::binary} << content;
    return file.string();
  }

private:
  std::filesystem::path path_;
};

} // namespace tests
