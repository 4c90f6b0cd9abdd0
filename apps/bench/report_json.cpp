#include "report.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value_from.hpp>

#include <array>
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

json::object to_json(const spread& value) {
  return {{"median", value.median}, {"min", value.min}, {"max", value.max}};
}

json::object to_json(const std::vector<figures>& rounds,
                     const std::vector<figures>* floor) {
  json::object result;
  json::object ratios;
  for (const auto& [name, which] : all_figures) {
    result[name] = to_json(spread_of(rounds, which));
    if (floor != nullptr)
      ratios[name] = to_json(ratio_of(rounds, *floor, which));
  }
  if (floor != nullptr)
    result["to_floor"] = std::move(ratios);
  return result;
}

json::object to_json(const table& found) {
  json::array rows;
  for (const auto& row : found.rows) {
    json::object cells;
    for (std::size_t i = 0; i < row.cells.size(); ++i)
      cells[found.columns[i]] = to_json(row.cells[i]);
    rows.push_back({{"name", row.name}, {"figures", std::move(cells)}});
  }
  return {{"title", found.title}, {"rows", std::move(rows)}};
}

json::object to_json(const memory_figures& memory) {
  return {{"requests_first", memory.requests_first},
          {"bytes_first", memory.bytes_first},
          {"requests_all", memory.requests_all},
          {"bytes_all", memory.bytes_all}};
}

} // namespace

void print_json(const options& chosen, const results& found,
                std::ostream& out) {
  json::object clients;
  const auto floor = found.rounds.find("floor");
  for (const auto& [name, rounds] : found.rounds)
    clients[name]
      = to_json(rounds, floor == found.rounds.end() ? nullptr : &floor->second);
  json::object document{
    {"server", chosen.client.server},
    {"rounds", chosen.rounds},
    {"sequential_requests", chosen.sequential_requests},
    {"pipelined_requests", chosen.pipelined_requests},
    {"in_flight", chosen.in_flight},
    {"caf_arguments", json::value_from(chosen.client.caf_arguments)},
    {"clients", std::move(clients)}};
  if (found.memory)
    document["memory"] = to_json(*found.memory);
  json::array tables;
  for (const auto& each : found.tables)
    tables.push_back(to_json(each));
  document["tables"] = std::move(tables);
  json::array targets;
  for (const auto& each : judge(found))
    targets.push_back({{"name", each.name},
                       {"value", each.value},
                       {"limit", each.limit},
                       {"is_met", each.is_met}});
  document["targets"] = std::move(targets);
  out << json::serialize(document) << '\n';
}

} // namespace bench
