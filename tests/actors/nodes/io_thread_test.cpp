#include "caf_mcp/actors/nodes/io_thread.hpp"

#include <boost/asio/post.hpp>
#include <catch2/catch_test_macros.hpp>

#include <chrono>
#include <future>
#include <memory>
#include <thread>

using caf_mcp::io_thread;

TEST_CASE("the thread of nodes' connections has ended when it is told to") {
  io_thread thread;
  std::promise<std::thread::id> seen;
  boost::asio::post(thread.context(),
                    [&] { seen.set_value(std::this_thread::get_id()); });
  CHECK(seen.get_future().get() != std::this_thread::get_id());
  thread.end();
  thread.end(); // once more changes nothing
  std::promise<void> late;
  boost::asio::post(thread.context(), [&] { late.set_value(); });
  CHECK(late.get_future().wait_for(std::chrono::milliseconds{20})
        == std::future_status::timeout);
}

TEST_CASE("a handler that is due when the thread ends runs, and holds nothing "
          "any more") {
  auto thread = std::make_shared<io_thread>();
  thread->context().stop();
  auto has_run = false;
  boost::asio::post(thread->context(), [thread, &has_run] { has_run = true; });
  CHECK(thread.use_count() == 2);
  thread->end();
  CHECK(has_run);
  CHECK(thread.use_count() == 1);
}

TEST_CASE("a process has one thread for nodes' connections") {
  CHECK(io_thread::shared() == io_thread::shared());
}
