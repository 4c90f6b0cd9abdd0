#include "caf_mcp/actors/port/find_executable.hpp"

#include "tests/support/scratch_directory.hpp"

#include <catch2/catch_test_macros.hpp>

#include <filesystem>

using namespace caf_mcp;

namespace fs = std::filesystem;

namespace {

struct directory : tests::scratch_directory {
  /// Makes a file that may be executed; returns its path.
  std::string executable(std::string_view name) const {
    auto file = write(name, "#!/bin/sh\n");
    fs::permissions(file, fs::perms::owner_all);
    return file;
  }

  /// Makes a file that may not be executed; returns its path.
  std::string plain_file(std::string_view name) const {
    return write(name, "text");
  }

  /// Makes a directory; returns its path.
  std::string subdirectory(std::string_view name) const {
    auto result = path() + '/' + std::string{name};
    fs::create_directory(result);
    return result;
  }
};

std::string found(const std::string& command, std::string_view search_path) {
  auto result = find_executable(command, search_path);
  if (const auto* path = std::get_if<std::string>(&result))
    return *path;
  return "nothing";
}

close_reason refused(const std::string& command,
                     std::string_view search_path = {}) {
  auto result = find_executable(command, search_path);
  REQUIRE(std::holds_alternative<close_reason>(result));
  return std::get<close_reason>(result);
}

bool says(const close_reason& reason, std::string_view text) {
  return reason.detail.find(text) != std::string::npos;
}

/// Changes the working directory for the time of a test.
class working_directory {
public:
  explicit working_directory(const fs::path& path) {
    fs::current_path(path);
  }

  ~working_directory() {
    fs::current_path(before_);
  }

private:
  fs::path before_ = fs::current_path();
};

} // namespace

TEST_CASE("an absolute path is taken as it is") {
  directory here;
  auto file = here.executable("a b");
  CHECK(found(file, "") == file);
}

TEST_CASE("an absolute path that cannot be run is refused with the reason") {
  directory here;
  SECTION("it is not there") {
    auto reason = refused(here.path() + "/none");
    CHECK(reason.cause == close_cause::command_not_found);
    CHECK(says(reason, here.path() + "/none"));
  }
  SECTION("a part of it is a file") {
    auto reason = refused(here.plain_file("file") + "/server");
    CHECK(reason.cause == close_cause::command_not_found);
  }
  SECTION("it is a directory") {
    auto reason = refused(here.path());
    CHECK(reason.cause == close_cause::spawn_failed);
    CHECK(says(reason, "directory"));
  }
  SECTION("it is not executable") {
    auto reason = refused(here.plain_file("file"));
    CHECK(reason.cause == close_cause::spawn_failed);
    CHECK(says(reason, "not executable"));
  }
}

TEST_CASE("a bare name is found in the first directory that has it") {
  directory one;
  directory other;
  auto file = one.executable("server");
  CHECK(found("server", one.path()) == file);
  CHECK(found("server", one.path() + ":" + other.path()) == file);
  CHECK(found("server", other.path() + ":" + one.path()) == file);
  other.executable("server");
  CHECK(found("server", one.path() + ":" + other.path()) == file);
}

TEST_CASE("a bare name passes over what cannot be run") {
  directory one;
  directory other;
  auto file = other.executable("server");
  auto search_path = one.path() + ":" + other.path();
  SECTION("a directory of that name") {
    one.subdirectory("server");
  }
  SECTION("a file that is not executable") {
    one.plain_file("server");
  }
  SECTION("a link that leads nowhere") {
    fs::create_symlink("/no/such/file", one.path() + "/server");
  }
  SECTION("an entry that is no directory") {
    search_path = one.plain_file("file") + ":" + search_path;
  }
  SECTION("an entry that is not there") {
    search_path = "/no/such/directory:" + search_path;
  }
  CHECK(found("server", search_path) == file);
}

TEST_CASE("a directory of that name alone is not found") {
  directory one;
  directory other;
  other.subdirectory("server");
  auto reason = refused("server", one.path() + ":" + other.path() + ":");
  CHECK(reason.cause == close_cause::command_not_found);
  CHECK(says(reason, "server"));
  CHECK(says(reason, one.path()));
}

TEST_CASE("a file that is not executable is told if nothing else is there") {
  directory one;
  directory other;
  auto file = one.plain_file("server");
  auto reason = refused("server", one.path() + ":" + other.path());
  CHECK(reason.cause == close_cause::spawn_failed);
  CHECK(says(reason, file));
  CHECK(says(reason, "not executable"));
}

TEST_CASE("a bare name is never found in the working directory") {
  directory here;
  here.subdirectory("bin");
  here.executable("server");
  here.executable("bin/server");
  working_directory change{here.path()};
  for (const auto* search_path : {"", ":", "::", ":/no/such/directory",
                                  "/no/such/directory:", ".", "bin"})
    CHECK(refused("server", search_path).cause
          == close_cause::command_not_found);
}
