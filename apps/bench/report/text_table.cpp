#include "text_table.hpp"

#include "apps/bench/clients/request.hpp"
#include "apps/bench/targets.hpp"
#include "environment.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>

namespace bench {

namespace {

/// The median and, where rounds differ, the least and the greatest.
std::string cell(const spread& value, int digits) {
  if (!std::isfinite(value.median))
    return "-";
  auto median = number(value.median, digits);
  const auto least = number(value.min, digits);
  const auto greatest = number(value.max, digits);
  if (least == greatest)
    return median;
  return median + " (" + least + ".." + greatest + ")";
}

std::string cell(const spread& value) {
  return cell(value, value.median < 100 ? 2 : 0);
}

/// A column of a table of clients: a figure, and whether as a ratio to the
/// floor.
struct column {
  std::string title;
  double figures::*which;
  int digits;
  bool is_ratio = false;
};

text_table table_of_clients(std::string title, const results& found,
                            const std::vector<column>& columns) {
  text_table result{std::move(title), {"client"}, {}};
  const auto floor = found.rounds.find("floor");
  for (const auto& each : columns)
    result.columns.push_back(each.title);
  for (const auto& client : contenders()) {
    const auto rounds = found.rounds.find(client.name);
    if (rounds == found.rounds.end())
      continue;
    auto& row = result.rows.emplace_back();
    row.push_back(client.name);
    for (const auto& each : columns) {
      if (!each.is_ratio)
        row.push_back(cell(spread_of(rounds->second, each.which), each.digits));
      else if (floor != found.rounds.end())
        row.push_back(cell(ratio_of(rounds->second, floor->second, each.which),
                           each.digits));
      else
        row.emplace_back("-");
    }
  }
  return result;
}

text_table describe_clients(const results& found) {
  text_table result{"clients", {"client", "what it is"}, {}};
  for (const auto& each : contenders()) {
    if (const auto why = found.left_out.find(each.name);
        why != found.left_out.end())
      result.rows.push_back({each.name, "left out: " + why->second});
    else if (found.rounds.contains(each.name))
      result.rows.push_back({each.name, each.description});
  }
  return result;
}

text_table table_of(const memory_figures& memory) {
  const auto kib
    = [](auto bytes) { return number(static_cast<double>(bytes) / 1024, 0); };
  const auto after = [](std::size_t requests) {
    return "after " + number(static_cast<double>(requests), 0) + " requests";
  };
  return {"resident memory, event-based caller, time-out 60 s",
          {"", "KiB"},
          {{after(memory.requests_first), kib(memory.bytes_first)},
           {after(memory.requests_all), kib(memory.bytes_all)},
           {"growth", kib(memory.growth())}}};
}

text_table table_of(const table& found) {
  text_table result{found.title, {""}, {}};
  result.columns.insert(result.columns.end(), found.columns.begin(),
                        found.columns.end());
  for (const auto& each : found.rows) {
    auto& row = result.rows.emplace_back();
    row.push_back(each.name);
    for (const auto& value : each.cells)
      row.push_back(cell(value));
  }
  return result;
}

text_table table_of(const std::vector<target>& targets) {
  text_table result{"targets", {"target", "found", "wanted", ""}, {}};
  for (const auto& each : targets)
    result.rows.push_back(
      {each.name, number(each.value, 2),
       (each.wanted == relation::at_most ? "at most " : "at least ")
         + number(each.limit, 2),
       each.is_met ? "met" : "missed"});
  return result;
}

} // namespace

bool text_table::has_figures(std::size_t column) const {
  return std::all_of(rows.begin(), rows.end(), [column](const auto& row) {
    return row[column].find_first_of("0123456789-") == 0;
  });
}

std::string number(double value, int digits) {
  std::array<char, 64> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%.*f", digits, value);
  std::string result{buffer.data()};
  const std::size_t begin = result.starts_with('-') ? 1 : 0;
  const auto point = std::min(result.find('.'), result.size());
  for (auto i = point; i > begin + 3; i -= 3)
    result.insert(i - 3, 1, ',');
  return result;
}

std::vector<std::string> setting_of(const options& chosen,
                                    const results& found) {
  const auto here = find_environment();
  std::string line;
  append_line(10'000, line);
  std::vector<std::string> result{
    std::to_string(here.cores) + " cores (" + here.cpu + "), "
      + std::to_string(here.memory_mib) + " MiB, " + here.kernel,
    "caf-mcp " + here.caf_mcp + ", CAF " + here.caf + ", Boost " + here.boost
      + ", " + here.compiler,
    "server: " + std::filesystem::path{chosen.client.server}.filename().string()
      + ", legacy era, tools/call echo, " + std::to_string(line.size())
      + " bytes a request"};
  if (!found.rounds.empty())
    result.push_back(
      number(static_cast<double>(chosen.rounds), 0)
      + " rounds, each with at least "
      + number(static_cast<double>(chosen.sequential_requests), 0)
      + " requests one at a time and "
      + number(static_cast<double>(chosen.pipelined_requests), 0) + " with "
      + number(static_cast<double>(chosen.in_flight), 0) + " in flight");
  result.emplace_back("figures: median (least..greatest) of the rounds");
  std::string caf = "CAF's settings:";
  for (const auto& each : chosen.client.caf_arguments)
    caf += ' ' + each;
  result.push_back(chosen.client.caf_arguments.empty() ? caf + " as they come"
                                                       : caf);
  return result;
}

std::vector<text_table> tables_of(const options& chosen, const results& found) {
  std::vector<text_table> result;
  if (!found.rounds.empty() || !found.left_out.empty())
    result.push_back(describe_clients(found));
  if (!found.rounds.empty()) {
    result.push_back(
      table_of_clients("one request at a time", found,
                       {{"p50 us", &figures::p50_us, 1},
                        {"p99 us", &figures::p99_us, 1},
                        {"p99.9 us", &figures::p999_us, 1},
                        {"p50 / floor", &figures::p50_us, 2, true},
                        {"CPU us/request", &figures::sequential_cpu_us, 1},
                        {"waits/request", &figures::sequential_waits, 2}}));
    result.push_back(table_of_clients(
      std::to_string(chosen.in_flight) + " in flight", found,
      {{"requests/s", &figures::requests_per_second, 0},
       {"of the floor", &figures::requests_per_second, 2, true},
       {"CPU us/request", &figures::pipelined_cpu_us, 2},
       {"waits/request", &figures::pipelined_waits, 3}}));
  }
  if (found.memory)
    result.push_back(table_of(*found.memory));
  for (const auto& each : found.tables)
    result.push_back(table_of(each));
  if (auto targets = table_of(judge(found)); !targets.rows.empty())
    result.push_back(std::move(targets));
  return result;
}

} // namespace bench
