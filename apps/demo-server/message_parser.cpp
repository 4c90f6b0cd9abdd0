#include "message_parser.hpp"

namespace demo {

namespace {

constexpr std::size_t depth_max = 512;

json::parse_options with_depth_max() {
  json::parse_options options;
  options.max_depth = depth_max;
  return options;
}

} // namespace

message_parser::message_parser()
  : parser_{json::storage_ptr{}, with_depth_max()} {
}

const json::value* message_parser::parse(std::string_view line) {
  message_.reset();
  memory_.emplace(arena_.data(), arena_.size());
  parser_.reset(&*memory_);
  json::error_code error;
  parser_.write(line.data(), line.size(), error);
  if (error)
    return nullptr;
  // Moving within the same memory resource copies a few words.
  message_.emplace(parser_.release(), &*memory_);
  return &*message_;
}

} // namespace demo
