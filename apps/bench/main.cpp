// caf-mcp-bench: what the library costs over a plain loop.
#include "caf_mcp/actors/runtime.hpp"

#include "apps/bench/report/report.hpp"
#include "options.hpp"
#include "suite.hpp"

#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <stdexcept>

namespace {

using printer = decltype(&bench::print_text);

printer printer_of(bench::output_format format) {
  switch (format) {
    case bench::output_format::json:
      return bench::print_json;
    case bench::output_format::markdown:
      return bench::print_markdown;
    case bench::output_format::text:
      break;
  }
  return bench::print_text;
}

/// Writes the files of `--out`.
void write_files(const bench::options& chosen, const bench::results& found) {
  const std::filesystem::path folder{chosen.out_folder};
  std::filesystem::create_directories(folder);
  auto write = [&](const char* name, printer print) {
    std::ofstream file{folder / name};
    print(chosen, found, file);
    if (!file.flush())
      throw std::runtime_error{"cannot write " + (folder / name).string()};
  };
  write("results.json", bench::print_json);
  write("report.md", bench::print_markdown);
}

int run(int argc, char** argv) {
  auto status = 0;
  const auto chosen = bench::read_options(argc, argv, status);
  if (!chosen)
    return status;
  caf_mcp::init_global_meta_objects();
  const auto found = bench::run_suite(*chosen);
  printer_of(chosen->format)(*chosen, found, std::cout);
  if (!chosen->out_folder.empty())
    write_files(*chosen, found);
  if (chosen->checks_targets && bench::print_missed(found, std::cerr))
    return 1;
  return 0;
}

} // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& broken) {
    std::cerr << "\ncaf-mcp-bench: " << broken.what() << '\n';
    return 2;
  }
}
