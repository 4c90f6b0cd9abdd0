// One run: all clients in turns, several rounds.
#pragma once

#include "apps/bench/compare/scenarios/memory.hpp"
#include "figures.hpp"
#include "options.hpp"
#include "table.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace bench {

/// What a run has found.
struct results {
  /// A client's rounds by its name; those that were not wanted are not there.
  std::map<std::string, std::vector<figures>> rounds;
  /// Why others that were wanted are not there, by their names.
  std::map<std::string, std::string> left_out;
  std::optional<memory_figures> memory;
  /// Of the other scenarios, in their order.
  std::vector<table> tables;
};

/// A way to make the requests, under the name it has in options and reports.
struct contender {
  std::string name;
  std::string description;
  std::unique_ptr<client> (*make)(const client_options&);
  /// Says why it cannot be measured here, and what to do about it; empty, or
  /// null: it can.
  std::string (*why_not)() = nullptr;

  /// Returns what `why_not` says.
  std::string hindrance() const {
    return why_not == nullptr ? std::string{} : why_not();
  }
};

/// All there are, the floor first.
const std::vector<contender>& contenders();

/// Something else that is measured, under its name in options.
struct scenario {
  std::string name;
  table (*measure)(const options&);
};

/// All there are.
const std::vector<scenario>& scenarios();

/// What `--only` takes.
std::vector<std::string> names();

/// Runs everything that is wanted. Tells on a terminal how far it is.
results run_suite(const options& chosen);

} // namespace bench
