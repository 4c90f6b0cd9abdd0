#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace caf_mcp {

/// The resources that a legacy server was asked to report on, and for whom. The
/// server is asked once for each URI, however many listen, and told to stop
/// with the last of them.
class uri_refs {
public:
  /// What is known of a URI when somebody wants it.
  enum class standing {
    /// The server must be asked, and `asked` be called.
    unknown,
    /// The server was asked; its answer goes to `confirm` or `refuse`.
    asked,
    /// The server reports on it.
    confirmed,
  };

  /// Takes note that `listener` wants `uri`.
  standing add(const std::string& uri, std::uint64_t listener);

  /// The server was asked, by the request with this number, 1 or more.
  void asked(const std::string& uri, std::uint64_t number);

  /// The server has agreed. Returns who wants the URI; nobody if the request is
  /// not the last one for it.
  std::vector<std::uint64_t> confirm(const std::string& uri,
                                     std::uint64_t number);

  /// The server has not agreed: the URI is forgotten. Returns who wanted it.
  std::vector<std::uint64_t> refuse(const std::string& uri,
                                    std::uint64_t number);

  /// `listener` wants nothing any more. Returns the URIs that nobody else
  /// wants, of which the server is to be told.
  std::vector<std::string> remove(std::uint64_t listener);

  /// The server is gone.
  void clear() noexcept {
    entries_.clear();
  }

private:
  struct entry {
    std::set<std::uint64_t> listeners;
    std::uint64_t number = 0;
    bool is_confirmed = false;
  };

  std::unordered_map<std::string, entry> entries_;
};

} // namespace caf_mcp
