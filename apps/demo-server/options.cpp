#include "options.hpp"

#include <charconv>
#include <iostream>
#include <string_view>

namespace demo {

namespace {

constexpr std::string_view help = R"(usage: demo-server [OPTION...]

An MCP server on stdin and stdout, for trying and testing clients.

  --era legacy|modern|both  protocol revisions it speaks (default: both);
                            legacy: 2024-11-05 to 2025-11-25,
                            modern: 2026-07-28
  --page-size N             entries on a page of a list (default: 0, all)
  --tools N                 add N tools that do nothing
  --discover-delay MS       answer server/discover MS milliseconds late
  --exit-on-discover        die with status 1 when server/discover arrives
  --finish-on-eof           when stdin ends, answer running calls, then exit
                            (default: exit at once)
  --write-bytes N           write at most N bytes at a time (default: 0, all)
  --name NAME               the server's name (default: caf-mcp-demo-server)
  --help                    print this

tools: echo add slow hold fail big length crash env ask sample roots log touch
       end_subscriptions
resources: demo://greeting demo://logo demo://item/{id}
prompts: greet summary
)";

/// Options given on the command line one after the other.
class argument_list {
public:
  argument_list(int argc, char** argv) : next_{argv + 1}, end_{argv + argc} {
  }

  bool at_end() const {
    return next_ == end_;
  }

  std::string_view take() {
    return *next_++;
  }

private:
  char** next_;
  char** end_;
};

constexpr int usage_error_status = 2;

/// Largest number an option accepts: an hour in milliseconds, and more tools
/// than a list needs.
constexpr std::size_t number_max = 3'600'000;

bool read_number(std::string_view text, std::size_t& number) {
  const auto* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  return error == std::errc{} && rest == end && number <= number_max;
}

bool read_eras(std::string_view text, spoken_eras& eras) {
  if (text == "legacy")
    eras = spoken_eras::legacy;
  else if (text == "modern")
    eras = spoken_eras::modern;
  else if (text == "both")
    eras = spoken_eras::both;
  else
    return false;
  return true;
}

bool read_flag(std::string_view flag, options& opts) {
  if (flag == "--exit-on-discover")
    opts.exit_on_discover = true;
  else if (flag == "--finish-on-eof")
    opts.finish_on_eof = true;
  else
    return false;
  return true;
}

bool read_option(std::string_view name, std::string_view value, options& opts) {
  if (name == "--era")
    return read_eras(value, opts.eras);
  if (name == "--page-size")
    return read_number(value, opts.page_size);
  if (name == "--tools")
    return read_number(value, opts.filler_tools);
  if (name == "--write-bytes")
    return read_number(value, opts.write_bytes);
  if (name == "--discover-delay") {
    std::size_t delay_ms = 0;
    if (!read_number(value, delay_ms))
      return false;
    opts.discover_delay = std::chrono::milliseconds{delay_ms};
    return true;
  }
  if (name == "--name") {
    opts.name = value;
    return true;
  }
  return false;
}

} // namespace

std::optional<options> parse_options(int argc, char** argv, int& status) {
  options opts;
  argument_list arguments{argc, argv};
  while (!arguments.at_end()) {
    const auto name = arguments.take();
    if (name == "--help") {
      std::cout << help;
      status = 0;
      return std::nullopt;
    }
    if (read_flag(name, opts))
      continue;
    if (arguments.at_end() || !read_option(name, arguments.take(), opts)) {
      std::cerr << "demo-server: " << name
                << ": unknown option, or its value is missing or not valid\n\n"
                << help;
      status = usage_error_status;
      return std::nullopt;
    }
  }
  return opts;
}

} // namespace demo
