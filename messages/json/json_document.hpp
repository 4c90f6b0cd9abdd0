#pragma once

#include "caf_mcp/messages/json/document_handler.hpp"
#include "caf_mcp/messages/json/object_members.hpp"
#include "caf_mcp/messages/json/payload.hpp"

#include <boost/json/basic_parser.hpp>
#include <boost/json/storage_ptr.hpp>
#include <boost/json/value.hpp>

#include <cstddef>
#include <memory>
#include <string_view>

namespace caf_mcp {

/// The default of `max_json_depth`. Boost.JSON's own is 32, less than some
/// results that real servers send.
inline constexpr std::size_t default_json_depth = 512;

/// The upper bound of `max_json_depth`. Boost.JSON copies, compares and
/// destroys a document recursively, on the stack of whatever thread does it.
inline constexpr std::size_t json_depth_limit = 4096;

/// Parses JSON texts into documents that live in one memory arena each: nodes
/// are laid down one after the other and given back all at once, without a
/// walk over the tree. A `boost::json::value` that is copied out of a document
/// lives on the heap like any other.
///
/// Keeps its buffers between texts; for use by one thread at a time.
class json_reader {
public:
  explicit json_reader(std::size_t max_depth = default_json_depth);

  /// Parses `text`. Absent if it is not one JSON value in valid UTF-8 of at
  /// most the maximum depth; `error()` and `error_at()` then say why and where.
  payload read(std::string_view text);

  /// Returns why the last `read` failed.
  const boost::json::error_code& error() const noexcept {
    return error_;
  }

  /// Returns at which byte of its text, counted from 0, the last `read` failed.
  std::size_t error_at() const noexcept {
    return error_at_;
  }

private:
  boost::json::basic_parser<document_handler> parser_;
  boost::json::error_code error_;
  std::size_t error_at_ = 0;
};

struct json_document;

/// Builds a document: all that the calling thread builds with `storage` while
/// this exists is part of it, and nothing else may be.
class document_builder {
public:
  document_builder();

  document_builder(const document_builder&) = delete;
  document_builder& operator=(const document_builder&) = delete;

  ~document_builder();

  /// Returns what all parts of the document are to be built with.
  static boost::json::storage_ptr storage() noexcept;

  /// Returns the document with this root, which was built with `storage`. One
  /// with a value that was moved in with memory of its own is copied whole.
  std::shared_ptr<const boost::json::value> finish(boost::json::value root);

private:
  std::shared_ptr<json_document> document_;
  /// What this thread was making before, and goes on with.
  json_document* outer_;
};

/// Returns whether a copy of `value` is cheap, and fits a document's first
/// block.
bool is_small(const boost::json::value& value);

/// Builds an object in a document of its own.
std::shared_ptr<const boost::json::value> to_document(object_members members);

/// Copies `value` into a document of its own if it is small, else takes it
/// over: to drop a small document is cheap even in another thread than its
/// maker's.
std::shared_ptr<const boost::json::value> to_document(boost::json::value value);

} // namespace caf_mcp
