#include "report.hpp"
#include "request.hpp"

#include <boost/version.hpp>
#include <caf/config.hpp>

#include <iomanip>
#include <iostream>
#include <sstream>
#include <thread>

namespace bench {

namespace {

constexpr int name_width = 10;
constexpr int cell_width = 24;

std::string number(double value, int digits) {
  std::ostringstream out;
  out << std::fixed << std::setprecision(digits) << value;
  return out.str();
}

std::string cell(const spread& value, int digits) {
  return number(value.median, digits) + " (" + number(value.min, digits) + ".."
         + number(value.max, digits) + ")";
}

/// A column of a table: a figure, and whether as a ratio to the floor.
struct column {
  std::string title;
  double figures::*which;
  int digits;
  bool is_ratio = false;
};

void print_row(const std::string& name, const results& found,
               const std::vector<column>& columns, std::ostream& out) {
  const auto& rounds = found.rounds.at(name);
  const auto floor = found.rounds.find("floor");
  out << "  " << std::left << std::setw(name_width) << name;
  for (const auto& each : columns) {
    std::string text = "-";
    if (!each.is_ratio)
      text = cell(spread_of(rounds, each.which), each.digits);
    else if (floor != found.rounds.end())
      text = cell(ratio_of(rounds, floor->second, each.which), each.digits);
    out << std::right << std::setw(cell_width) << text;
  }
  out << '\n';
}

void print_table(const std::string& title, const results& found,
                 const std::vector<column>& columns, std::ostream& out) {
  out << '\n' << title << "\n  " << std::string(name_width, ' ');
  for (const auto& each : columns)
    out << std::right << std::setw(cell_width) << each.title;
  out << '\n';
  for (const auto& each : contenders())
    if (found.rounds.contains(each.name))
      print_row(each.name, found, columns, out);
}

void print_setting(const options& chosen, std::ostream& out) {
  std::string line;
  append_line(10'000, line);
  out << "CAF " << CAF_VERSION / 10'000 << '.' << CAF_VERSION / 100 % 100 << '.'
      << CAF_VERSION % 100 << ", Boost " << BOOST_VERSION / 100'000 << '.'
      << BOOST_VERSION / 100 % 1'000 << ", compiler " << __VERSION__ << ", "
      << std::thread::hardware_concurrency() << " cores\n"
      << "server: " << chosen.client.server << ", legacy era, tools/call echo, "
      << line.size() << " bytes a request\n"
      << chosen.rounds << " rounds, each with " << chosen.sequential_requests
      << " requests one at a time and " << chosen.pipelined_requests << " with "
      << chosen.in_flight << " in flight; median (min..max)\nCAF's scheduler:";
  if (chosen.client.caf_arguments.empty())
    out << " as it comes";
  for (const auto& each : chosen.client.caf_arguments)
    out << ' ' << each;
  out << '\n';
  for (const auto& each : contenders())
    out << "  " << std::left << std::setw(name_width) << each.name
        << each.description << '\n';
}

void print_table(const table& found, std::ostream& out) {
  out << '\n' << found.title << "\n  " << std::string(name_width, ' ');
  for (const auto& each : found.columns)
    out << std::right << std::setw(cell_width) << each;
  out << '\n';
  for (const auto& row : found.rows) {
    out << "  " << std::left << std::setw(name_width) << row.name;
    for (const auto& each : row.cells)
      out << std::right << std::setw(cell_width)
          << cell(each, each.median < 100 ? 2 : 0);
    out << '\n';
  }
}

void print_memory(const memory_figures& memory, std::ostream& out) {
  out << "\nresident memory, event-based caller, time-out 60 s\n  after "
      << memory.requests_first << " requests: " << memory.bytes_first / 1024
      << " KiB\n  after " << memory.requests_all
      << " requests: " << memory.bytes_all / 1024
      << " KiB\n  growth: " << memory.growth() / 1024 << " KiB\n";
}

} // namespace

void print_text(const options& chosen, const results& found,
                std::ostream& out) {
  print_setting(chosen, out);
  if (!found.rounds.empty()) {
    print_table("one request at a time", found,
                {{"p50 us", &figures::p50_us, 1},
                 {"p99 us", &figures::p99_us, 1},
                 {"p99.9 us", &figures::p999_us, 1},
                 {"p50 / floor", &figures::p50_us, 2, true},
                 {"CPU us/request", &figures::sequential_cpu_us, 1},
                 {"waits/request", &figures::sequential_waits, 2}},
                out);
    print_table(std::to_string(chosen.in_flight) + " in flight", found,
                {{"requests/s", &figures::requests_per_second, 0},
                 {"of the floor", &figures::requests_per_second, 2, true},
                 {"CPU us/request", &figures::pipelined_cpu_us, 2},
                 {"waits/request", &figures::pipelined_waits, 3}},
                out);
  }
  if (found.memory)
    print_memory(*found.memory, out);
  for (const auto& each : found.tables)
    print_table(each, out);
}

bool print_missed(const results& found, std::ostream& out) {
  auto is_any = false;
  for (const auto& each : judge(found)) {
    if (each.is_met)
      continue;
    is_any = true;
    out << "missed: " << each.name << ": " << number(each.value, 2)
        << ", the limit is " << number(each.limit, 2) << '\n';
  }
  return is_any;
}

} // namespace bench
