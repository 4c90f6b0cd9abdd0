#include "caf_mcp/messages/wire/byte_buffer.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <random>
#include <string>
#include <utility>

namespace caf_mcp {

TEST_CASE("a new byte buffer is empty and owns no memory", "[byte_buffer]") {
  byte_buffer buffer;
  CHECK(buffer.empty());
  CHECK(buffer.view().empty());
  CHECK(buffer.capacity() == 0);
  buffer.consume(0);
  buffer.truncate(0);
  buffer.append("");
  CHECK(buffer.capacity() == 0);
}

TEST_CASE("a byte buffer is filled at the back and consumed at the front",
          "[byte_buffer]") {
  byte_buffer buffer;
  buffer.append("hello");
  buffer.append(' ');
  buffer.append("world");
  CHECK(buffer.view() == "hello world");
  buffer.consume(6);
  CHECK(buffer.view() == "world");
  buffer.truncate(3);
  CHECK(buffer.view() == "wor");
  CHECK(buffer.size() == 3);
}

TEST_CASE("room that was prepared becomes content when committed",
          "[byte_buffer]") {
  byte_buffer buffer;
  auto* room = buffer.prepare(10);
  REQUIRE(buffer.room() >= 10);
  std::fill_n(room, 10, 'r');
  CHECK(buffer.empty());
  buffer.commit(4);
  CHECK(buffer.view() == "rrrr");
}

TEST_CASE("the part of a byte buffer that is truncated can be written again",
          "[byte_buffer]") {
  byte_buffer buffer;
  buffer.append("keep");
  buffer.consume(1);
  auto kept = buffer.size();
  buffer.append("drop this");
  buffer.truncate(kept);
  buffer.append("!");
  CHECK(buffer.view() == "eep!");
  buffer.truncate(0);
  CHECK(buffer.empty());
  buffer.append("x");
  CHECK(buffer.view() == "x");
}

TEST_CASE("a large byte buffer that becomes empty gives its memory back",
          "[byte_buffer]") {
  byte_buffer buffer;
  buffer.append(std::string(3'000'000, 'x'));
  buffer.consume(buffer.size() - 1);
  CHECK(buffer.capacity() > 0);
  buffer.consume(1);
  CHECK(buffer.capacity() == 0);
  buffer.append("again");
  CHECK(buffer.view() == "again");
}

TEST_CASE("a small byte buffer keeps its memory", "[byte_buffer]") {
  byte_buffer buffer;
  buffer.append("x");
  auto capacity = buffer.capacity();
  buffer.consume(1);
  CHECK(buffer.capacity() == capacity);
}

TEST_CASE("a byte buffer used as a queue does not grow without bound",
          "[byte_buffer]") {
  byte_buffer buffer;
  const auto chunk = std::string(1000, 'x');
  for (auto i = 0; i < 10; ++i)
    buffer.append(chunk);
  for (auto i = 0; i < 10'000; ++i) {
    buffer.append(chunk);
    buffer.consume(chunk.size());
    REQUIRE(buffer.capacity() <= 65'536);
  }
  CHECK(buffer.size() == 10'000);
}

TEST_CASE("a byte buffer that was moved from can be used again",
          "[byte_buffer]") {
  byte_buffer source;
  source.append("abc");
  auto target = std::exchange(source, byte_buffer{});
  CHECK(target.view() == "abc");
  CHECK(source.empty());
  source.append("new");
  CHECK(source.view() == "new");
}

TEST_CASE("a byte buffer agrees with a string under any use", "[byte_buffer]") {
  std::mt19937 random{7};
  auto below = [&random](std::size_t end) {
    return std::uniform_int_distribution<std::size_t>{0, end - 1}(random);
  };
  for (auto run = 0; run < 20; ++run) {
    byte_buffer buffer;
    std::string model;
    for (auto step = 0; step < 2000; ++step) {
      auto bytes = below(2) == 0 ? below(20) : below(3000);
      switch (below(4)) {
        case 0: {
          auto text = std::string(bytes, static_cast<char>('a' + below(26)));
          buffer.append(text);
          model += text;
          break;
        }
        case 1: {
          auto* room = buffer.prepare(bytes);
          REQUIRE(buffer.room() >= bytes);
          std::fill_n(room, bytes, 'p');
          auto used = bytes / 2;
          buffer.commit(used);
          model.append(used, 'p');
          break;
        }
        case 2: {
          auto gone = std::min(bytes, model.size());
          buffer.consume(gone);
          model.erase(0, gone);
          break;
        }
        default: {
          auto left = model.size() - std::min(bytes / 4, model.size());
          buffer.truncate(left);
          model.resize(left);
          break;
        }
      }
      REQUIRE(buffer.view() == model);
      REQUIRE(buffer.empty() == model.empty());
    }
  }
}

} // namespace caf_mcp
