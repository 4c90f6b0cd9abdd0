#include "report.hpp"
#include "text_table.hpp"

#include <algorithm>
#include <iomanip>
#include <ostream>

namespace bench {

namespace {

/// Returns how wide a column is.
int width_of(const text_table& table, std::size_t column) {
  auto result = table.columns[column].size();
  for (const auto& row : table.rows)
    result = std::max(result, row[column].size());
  return static_cast<int>(result);
}

void print_table(const text_table& table, std::ostream& out) {
  auto print_row = [&](const std::vector<std::string>& row) {
    for (std::size_t i = 0; i < row.size(); ++i)
      out << "  " << (table.has_figures(i) ? std::right : std::left)
          << std::setw(width_of(table, i)) << row[i];
    out << '\n';
  };
  out << '\n' << table.title << '\n';
  print_row(table.columns);
  for (const auto& row : table.rows)
    print_row(row);
}

} // namespace

void print_text(const options& chosen, const results& found,
                std::ostream& out) {
  for (const auto& each : setting_of(chosen, found))
    out << each << '\n';
  for (const auto& each : tables_of(chosen, found))
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
