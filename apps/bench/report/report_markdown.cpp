#include "report.hpp"
#include "text_table.hpp"

#include <ostream>

namespace bench {

namespace {

void print_row(const std::vector<std::string>& row, std::ostream& out) {
  for (const auto& each : row)
    out << "| " << each << ' ';
  out << "|\n";
}

} // namespace

void print_markdown(const options& chosen, const results& found,
                    std::ostream& out) {
  for (const auto& each : setting_of(chosen, found))
    out << "- " << each << '\n';
  for (const auto& each : tables_of(chosen, found)) {
    out << "\n**" << each.title << "**\n\n";
    print_row(each.columns, out);
    std::vector<std::string> alignments;
    for (std::size_t i = 0; i < each.columns.size(); ++i)
      alignments.emplace_back(each.has_figures(i) ? "---:" : "---");
    print_row(alignments, out);
    for (const auto& row : each.rows)
      print_row(row, out);
  }
}

} // namespace bench
