#include "caf_mcp/messages/wire/json_document.hpp"

#include <boost/json/memory_resource.hpp>
#include <boost/json/storage_ptr.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace caf_mcp {

namespace {

/// Memory that only grows, and is freed as a whole.
class arena {
public:
  explicit arena(std::size_t first_block_bytes)
    : next_block_bytes_{first_block_bytes} {
    // nop
  }

  void* allocate(std::size_t bytes, std::size_t alignment) {
    auto* free = static_cast<void*>(cursor_);
    if (std::align(alignment, bytes, free, left_) == nullptr) {
      add_block(bytes + alignment);
      free = cursor_;
      std::align(alignment, bytes, free, left_);
    }
    cursor_ = static_cast<std::byte*>(free) + bytes;
    left_ -= bytes;
    return free;
  }

private:
  void add_block(std::size_t bytes_min) {
    left_ = std::max(next_block_bytes_, bytes_min);
    blocks_.push_back(std::make_unique_for_overwrite<std::byte[]>(left_));
    cursor_ = blocks_.back().get();
    next_block_bytes_ = left_ * 2;
  }

  std::vector<std::unique_ptr<std::byte[]>> blocks_;
  std::byte* cursor_ = nullptr;
  std::size_t left_ = 0;
  std::size_t next_block_bytes_;
};

/// The arena that the parser of this thread is filling, if it is running.
thread_local arena* filling = nullptr;

/// The memory resource of all documents. While a document is parsed it hands
/// out its arena's memory, which nobody gives back: the nodes of a finished
/// document are immutable and are never destroyed one by one. At all other
/// times it is the heap, so a value that user code copies out of a document
/// (Boost.JSON copies the resource along) owns its memory.
class document_resource final : public boost::json::memory_resource {
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    if (filling != nullptr)
      return filling->allocate(bytes, alignment);
    return ::operator new (bytes, std::align_val_t{alignment});
  }

  void do_deallocate(void* memory, std::size_t,
                     std::size_t alignment) override {
    // Clang 14 declares no sized form of its own accord.
    if (filling == nullptr)
      ::operator delete (memory, std::align_val_t{alignment});
  }

  bool do_is_equal(const memory_resource& other) const noexcept override {
    return this == &other;
  }
};

/// Is never destroyed: a value that was copied out of a document may sit in a
/// variable that outlives all others.
document_resource& documents() {
  static auto& instance = *new document_resource;
  return instance;
}

/// Owns the memory of a document, and knows its root.
struct document {
  explicit document(std::size_t first_block_bytes) : memory{first_block_bytes} {
    // nop
  }

  arena memory;
  const boost::json::value* root = nullptr;
};

/// Lets a parser fill an arena for a scope, whose end drops half-built nodes
/// while their memory is there.
class filling_scope {
public:
  filling_scope(arena& memory, boost::json::parser& parser) : parser_{parser} {
    filling = &memory;
    parser_.reset(boost::json::storage_ptr{&documents()});
  }

  ~filling_scope() {
    parser_.reset();
    filling = nullptr;
  }

  filling_scope(const filling_scope&) = delete;
  filling_scope& operator=(const filling_scope&) = delete;

private:
  boost::json::parser& parser_;
};

/// Guesses what the nodes of a text take, so that most fit one block.
std::size_t guess_arena_bytes(std::size_t text_bytes) {
  return 256 + text_bytes + text_bytes / 2;
}

boost::json::parse_options options_for(std::size_t max_depth) {
  boost::json::parse_options options;
  options.max_depth = max_depth;
  return options;
}

} // namespace

json_reader::json_reader(std::size_t max_depth)
  : parser_{boost::json::storage_ptr{}, options_for(max_depth)} {
  // nop
}

std::shared_ptr<const boost::json::value>
json_reader::read(std::string_view text) {
  auto result = std::make_shared<document>(guess_arena_bytes(text.size()));
  filling_scope scope{result->memory, parser_};
  parser_.write(text.data(), text.size(), error_);
  if (error_)
    return nullptr;
  auto* memory = result->memory.allocate(sizeof(boost::json::value),
                                         alignof(boost::json::value));
  result->root = ::new (memory) boost::json::value(parser_.release());
  return {result, result->root};
}

} // namespace caf_mcp
