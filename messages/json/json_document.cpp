#include "caf_mcp/messages/json/json_document.hpp"

#include "caf_mcp/messages/json/block_cache.hpp"
#include "caf_mcp/messages/json/number_spellings.hpp"

#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/memory_resource.hpp>
#include <boost/json/object.hpp>
#include <boost/json/storage_ptr.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <new>
#include <span>
#include <utility>
#include <vector>

namespace caf_mcp {

namespace {

bool lies_in(const void* place, const void* begin, std::size_t bytes) noexcept {
  return reinterpret_cast<std::uintptr_t>(place)
           - reinterpret_cast<std::uintptr_t>(begin)
         < bytes;
}

/// Memory that only grows, and is freed as a whole. Starts with room that its
/// owner provides.
class arena {
public:
  arena(std::byte* room, std::size_t room_bytes) noexcept
    : room_{room},
      room_bytes_{room_bytes},
      cursor_{room},
      left_{room_bytes},
      next_block_bytes_{room_bytes * 2} {
    // nop
  }

  arena(const arena&) = delete;
  arena& operator=(const arena&) = delete;

  ~arena() {
    while (blocks_ != nullptr) {
      auto* last = std::exchange(blocks_, blocks_->previous);
      ::operator delete(last);
    }
  }

  void* allocate(std::size_t bytes, std::size_t alignment) {
    auto gap = gap_before(alignment);
    if (gap + bytes > left_) {
      add_block(bytes + alignment);
      gap = gap_before(alignment);
    }
    auto* result = cursor_ + gap;
    cursor_ = result + bytes;
    left_ -= gap + bytes;
    return result;
  }

  /// Returns whether `place` lies in memory of this arena.
  bool owns(const void* place) const noexcept {
    if (lies_in(place, room_, room_bytes_))
      return true;
    for (const auto* each = blocks_; each != nullptr; each = each->previous)
      if (lies_in(place, each, each->bytes))
        return true;
    return false;
  }

private:
  struct block {
    block* previous;
    std::size_t bytes;
  };

  /// Returns how many bytes to leave out for an alignment, a power of two.
  std::size_t gap_before(std::size_t alignment) const noexcept {
    return -reinterpret_cast<std::uintptr_t>(cursor_) & (alignment - 1);
  }

  void add_block(std::size_t bytes_min) {
    left_ = std::max(next_block_bytes_, bytes_min);
    const auto bytes = sizeof(block) + left_;
    auto* memory = ::operator new(bytes);
    blocks_ = ::new (memory) block{blocks_, bytes};
    cursor_ = static_cast<std::byte*>(memory) + sizeof(block);
    next_block_bytes_ = left_ * 2;
  }

  std::byte* room_;
  std::size_t room_bytes_;
  std::byte* cursor_;
  std::size_t left_;
  std::size_t next_block_bytes_;
  block* blocks_ = nullptr;
};

} // namespace

/// Owns the memory of a document, and knows its root.
struct json_document {
  explicit json_document(const std::pair<std::byte*, std::size_t>& room)
    : memory{room.first, room.second} {
    // nop
  }

  arena memory;
  const boost::json::value* root = nullptr;
  /// Its parts are in `memory`.
  number_spellings spellings;
};

namespace {

/// The document that this thread is making, if it is.
thread_local json_document* filling = nullptr;

/// The memory resource of all documents. While a document is made it hands out
/// its arena's memory, which nobody gives back: the nodes of a finished
/// document are immutable and are never destroyed one by one. At all other
/// times it is the heap, so a value that user code copies out of a document
/// (Boost.JSON copies the resource along) owns its memory.
class document_resource final : public boost::json::memory_resource {
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    if (filling != nullptr)
      return filling->memory.allocate(bytes, alignment);
    return ::operator new (bytes, std::align_val_t{alignment});
  }

  void do_deallocate(void* memory, std::size_t,
                     std::size_t alignment) override {
    // Clang 14 declares no sized form of its own accord.
    if (filling == nullptr || !filling->memory.owns(memory))
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

/// Lets `allocate_shared` take one piece of memory for the control block, the
/// document and the first room of its arena.
template <class T>
class document_allocator {
public:
  using value_type = T;

  /// Writes to `room` what is left for the arena.
  document_allocator(std::size_t bytes,
                     std::pair<std::byte*, std::size_t>& room) noexcept
    : bytes_{bytes}, room_{&room} {
    // nop
  }

  template <class U>
  document_allocator(const document_allocator<U>& other) noexcept
    : bytes_{other.bytes_}, room_{other.room_} {
    // nop
  }

  T* allocate(std::size_t) {
    auto* memory = static_cast<std::byte*>(bytes_ == block_cache::block_bytes
                                             ? block_cache::take()
                                             : ::operator new(bytes_));
    *room_ = {memory + sizeof(T), bytes_ - sizeof(T)};
    return reinterpret_cast<T*>(memory);
  }

  void deallocate(T* memory, std::size_t) noexcept {
    if (bytes_ == block_cache::block_bytes)
      block_cache::give(memory);
    else
      ::operator delete(memory);
  }

  template <class U>
  bool operator==(const document_allocator<U>&) const noexcept {
    return true;
  }

  std::size_t bytes_;
  std::pair<std::byte*, std::size_t>* room_;
};

/// Subtracts the bytes that a copy of `value` takes from `left`, more or less;
/// stops when there are none left.
bool fits(const boost::json::value& value, std::size_t& left) {
  auto take = [&left](std::size_t bytes) {
    left -= std::min(bytes, left);
    return left > 0;
  };
  if (const auto* text = value.if_string())
    return take(text->size());
  if (const auto* array = value.if_array())
    return take(array->size() * sizeof(boost::json::value) + 16)
           && std::all_of(array->begin(), array->end(),
                          [&](const auto& each) { return fits(each, left); });
  if (const auto* object = value.if_object())
    return take(object->size() * sizeof(boost::json::key_value_pair) + 16)
           && std::all_of(
             object->begin(), object->end(), [&](const auto& each) {
               return take(each.key().size() + 1) && fits(each.value(), left);
             });
  return true;
}

/// Lets a parser fill a document; its end drops half-built nodes while their
/// memory is there.
class parsing_scope {
public:
  parsing_scope(json_document& made, document_handler& handler)
    : outer_{std::exchange(filling, &made)}, handler_{handler} {
    handler_.reset(boost::json::storage_ptr{&documents()});
  }

  ~parsing_scope() {
    handler_.reset();
    filling = outer_;
  }

  parsing_scope(const parsing_scope&) = delete;
  parsing_scope& operator=(const parsing_scope&) = delete;

private:
  json_document* outer_;
  document_handler& handler_;
};

/// Guesses what a document takes, so that most fit one piece of memory.
std::size_t guess_bytes(std::size_t text_bytes) {
  return std::max(block_cache::block_bytes, 512 + text_bytes * 2);
}

/// Makes a document for a text of `text_bytes` bytes.
std::shared_ptr<json_document> make_document(std::size_t text_bytes) {
  std::pair<std::byte*, std::size_t> room;
  return std::allocate_shared<json_document>(
    document_allocator<json_document>{guess_bytes(text_bytes), room}, room);
}

/// Returns whether all memory of `value` is the arena's. That of a value which
/// was copied out of a document, and moved into another, is not.
bool is_within(const arena& memory, const boost::json::value& value) {
  const auto is_mine
    = [&memory](const auto& each) { return is_within(memory, each); };
  if (const auto* text = value.if_string())
    return lies_in(text->data(), &value, sizeof(value)) // if it is short
           || memory.owns(text->data());
  if (const auto* array = value.if_array())
    return array->capacity() == 0
           || (memory.owns(array->data())
               && std::all_of(array->begin(), array->end(), is_mine));
  if (const auto* object = value.if_object())
    return object->capacity() == 0
           || (memory.owns(object->begin())
               && std::all_of(
                 object->begin(), object->end(),
                 [&](const auto& each) { return is_mine(each.value()); }));
  return true;
}

/// Moves the root of `made` to where it stays.
boost::json::value& place_root(json_document& made, boost::json::value&& root) {
  auto* memory = made.memory.allocate(sizeof(boost::json::value),
                                      alignof(boost::json::value));
  auto* placed = ::new (memory) boost::json::value(std::move(root));
  made.root = placed;
  return *placed;
}

/// Returns `made`, now with its root.
std::shared_ptr<const boost::json::value>
with_root(std::shared_ptr<json_document> made, boost::json::value&& root) {
  const auto* place = &place_root(*made, std::move(root));
  return {std::move(made), place};
}

/// Puts numbers in place of the marks of a parser, and collects how the text
/// spelled them.
class spelling_walk {
public:
  spelling_walk(arena& memory, std::span<const std::string_view> texts)
    : memory_{memory}, texts_{texts} {
    found_.reserve(texts.size());
  }

  void visit(boost::json::value& value) {
    if (auto* array = value.if_array()) {
      for (auto& each : *array)
        visit(each);
    } else if (auto* object = value.if_object()) {
      for (auto& member : *object)
        visit(member.value());
    } else if (const auto place = document_handler::marked(value)) {
      unmark(value, texts_[*place]);
    }
  }

  /// Returns what was found, in memory of the document.
  number_spellings finish() {
    std::ranges::sort(found_, std::less<>{}, &number_spelling::number);
    const auto bytes = found_.size() * sizeof(number_spelling);
    auto* kept = static_cast<number_spelling*>(
      memory_.allocate(bytes, alignof(number_spelling)));
    std::uninitialized_copy(found_.begin(), found_.end(), kept);
    return number_spellings{{kept, found_.size()}};
  }

private:
  void unmark(boost::json::value& value, std::string_view text) {
    if (text == "-0")
      value.emplace_int64() = 0;
    else
      value.emplace_double() = read_double(text);
    auto* copy = static_cast<char*>(memory_.allocate(text.size(), 1));
    std::memcpy(copy, text.data(), text.size());
    found_.push_back({&value, {copy, text.size()}});
  }

  arena& memory_;
  std::span<const std::string_view> texts_;
  std::vector<number_spelling> found_;
};

/// Returns a document of `root`, in which `texts` are marked.
payload finish_parsed(std::shared_ptr<json_document> made,
                      boost::json::value&& root,
                      std::span<const std::string_view> texts) {
  auto& placed = place_root(*made, std::move(root));
  const number_spellings* spellings = nullptr;
  if (!texts.empty()) {
    spelling_walk walk{made->memory, texts};
    walk.visit(placed);
    made->spellings = walk.finish();
    spellings = &made->spellings;
  }
  return {std::shared_ptr<const boost::json::value>{std::move(made), &placed},
          spellings};
}

boost::json::parse_options options_for(std::size_t max_depth) {
  boost::json::parse_options options;
  options.max_depth = max_depth;
  return options;
}

} // namespace

document_builder::document_builder()
  : document_{make_document(0)},
    outer_{std::exchange(filling, document_.get())} {
  // nop
}

document_builder::~document_builder() {
  filling = outer_;
}

boost::json::storage_ptr document_builder::storage() noexcept {
  return boost::json::storage_ptr{&documents()};
}

std::shared_ptr<const boost::json::value>
document_builder::finish(boost::json::value root) {
  if (is_within(document_->memory, root))
    return with_root(document_, std::move(root));
  document_builder copy;
  return with_root(copy.document_, boost::json::value(root, storage()));
}

bool is_small(const boost::json::value& value) {
  std::size_t left = block_cache::block_bytes / 2;
  return fits(value, left);
}

std::shared_ptr<const boost::json::value>
to_document(boost::json::value value) {
  if (value.is_primitive() || !is_small(value))
    return std::make_shared<const boost::json::value>(std::move(value));
  document_builder builder;
  return builder.finish(boost::json::value(value, builder.storage()));
}

std::shared_ptr<const boost::json::value> to_document(object_members members) {
  document_builder builder;
  return builder.finish(boost::json::object(members, builder.storage()));
}

json_reader::json_reader(std::size_t max_depth)
  : parser_{options_for(max_depth), boost::json::storage_ptr{}} {
  // nop
}

payload json_reader::read(std::string_view text) {
  auto result = make_document(text.size());
  auto& handler = parser_.handler();
  parser_.reset();
  parsing_scope scope{*result, handler};
  error_at_ = parser_.write_some(false, text.data(), text.size(), error_);
  if (!error_ && error_at_ < text.size())
    error_ = boost::json::error::extra_data;
  if (error_)
    return {};
  return finish_parsed(std::move(result), handler.stack.release(),
                       handler.spelled);
}

} // namespace caf_mcp
