#include "results_json.hpp"

#include "apps/bench/compare/clients/request.hpp"
#include "environment.hpp"
#include "targets.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value_from.hpp>

#include <array>
#include <cmath>
#include <filesystem>
#include <ostream>

namespace bench {

namespace {

namespace json = boost::json;

struct named_figure {
  std::string_view name;
  double figures::*which;
};

constexpr std::array all_figures{
  named_figure{"sequential_p50_us", &figures::p50_us},
  named_figure{"sequential_p99_us", &figures::p99_us},
  named_figure{"sequential_p999_us", &figures::p999_us},
  named_figure{"sequential_cpu_us", &figures::sequential_cpu_us},
  named_figure{"sequential_waits", &figures::sequential_waits},
  named_figure{"pipelined_per_second", &figures::requests_per_second},
  named_figure{"pipelined_cpu_us", &figures::pipelined_cpu_us},
  named_figure{"pipelined_waits", &figures::pipelined_waits},
};

/// Null if there is no such number in JSON.
json::value to_json(const spread& value) {
  if (!std::isfinite(value.median))
    return nullptr;
  return {{"median", value.median}, {"min", value.min}, {"max", value.max}};
}

json::object to_json(const environment& here) {
  return {{"cpu", here.cpu},
          {"cores", here.cores},
          {"memory_mib", here.memory_mib},
          {"kernel", here.kernel}};
}

json::object versions_to_json(const environment& here) {
  return {{"caf_mcp", here.caf_mcp},
          {"caf", here.caf},
          {"boost", here.boost},
          {"compiler", here.compiler}};
}

/// Returns how long the line of an ordinary request is.
std::size_t request_bytes() {
  std::string line;
  append_line(10'000, line);
  return line.size();
}

/// The program without its folder, which says nothing on another machine.
json::object to_json(const options& chosen) {
  return {
    {"server", std::filesystem::path{chosen.client.server}.filename().string()},
    {"request_bytes", request_bytes()},
    {"rounds", chosen.rounds},
    {"sequential_requests", chosen.sequential_requests},
    {"pipelined_requests", chosen.pipelined_requests},
    {"in_flight", chosen.in_flight},
    {"caf_arguments", json::value_from(chosen.client.caf_arguments)}};
}

json::object to_json(const contender& which, const std::vector<figures>& rounds,
                     const std::vector<figures>* floor) {
  json::object result{{"name", which.name}, {"description", which.description}};
  json::object ratios;
  for (const auto& [name, figure] : all_figures) {
    result[name] = to_json(spread_of(rounds, figure));
    if (floor != nullptr)
      ratios[name] = to_json(ratio_of(rounds, *floor, figure));
  }
  if (floor != nullptr)
    result["to_floor"] = std::move(ratios);
  return result;
}

json::array clients_to_json(const results& found) {
  json::array result;
  const auto floor = found.rounds.find("floor");
  for (const auto& each : contenders())
    if (const auto rounds = found.rounds.find(each.name);
        rounds != found.rounds.end())
      result.push_back(
        to_json(each, rounds->second,
                floor == found.rounds.end() ? nullptr : &floor->second));
  return result;
}

json::object to_json(const chart& which) {
  return {{"name", which.name},
          {"x_label", which.x_label},
          {"y_label", which.y_label},
          {"columns", json::value_from(which.columns)}};
}

json::object to_json(const table& found) {
  json::array rows;
  for (const auto& row : found.rows) {
    json::array cells;
    for (const auto& each : row.cells)
      cells.push_back(to_json(each));
    rows.push_back({{"name", row.name}, {"cells", std::move(cells)}});
  }
  json::array charts;
  for (const auto& each : found.charts)
    charts.push_back(to_json(each));
  return {{"title", found.title},
          {"columns", json::value_from(found.columns)},
          {"rows", std::move(rows)},
          {"charts", std::move(charts)}};
}

json::value to_json(const std::optional<memory_figures>& memory) {
  if (!memory)
    return nullptr;
  return {{"requests_first", memory->requests_first},
          {"bytes_first", memory->bytes_first},
          {"requests_all", memory->requests_all},
          {"bytes_all", memory->bytes_all}};
}

json::object to_json(const target& judged) {
  return {
    {"name", judged.name},
    {"value", judged.value},
    {"wanted", judged.wanted == relation::at_most ? "at_most" : "at_least"},
    {"limit", judged.limit},
    {"is_met", judged.is_met}};
}

/// Prints a member a line, so that one can see what changes between two runs.
void print_lines(const json::object& document, std::ostream& out) {
  auto separator = "{\n";
  for (const auto& [key, value] : document) {
    out << separator << json::serialize(key) << ": " << json::serialize(value);
    separator = ",\n";
  }
  out << "\n}\n";
}

} // namespace

void print_json(const options& chosen, const results& found,
                std::ostream& out) {
  const auto here = find_environment();
  json::array tables;
  for (const auto& each : found.tables)
    tables.push_back(to_json(each));
  json::array targets;
  for (const auto& each : judge(found))
    targets.push_back(to_json(each));
  print_lines({{"machine", to_json(here)},
               {"versions", versions_to_json(here)},
               {"settings", to_json(chosen)},
               {"clients", clients_to_json(found)},
               {"left_out", json::value_from(found.left_out)},
               {"memory", to_json(found.memory)},
               {"tables", std::move(tables)},
               {"targets", std::move(targets)}},
              out);
}

} // namespace bench
