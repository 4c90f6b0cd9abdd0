#include "figures.hpp"

#include <algorithm>
#include <cmath>
#include <sys/resource.h>

namespace bench {

spread spread_of(std::vector<double> values) {
  if (values.empty())
    return {};
  std::sort(values.begin(), values.end());
  const auto middle = values.size() / 2;
  const auto median = values.size() % 2 == 1
                        ? values[middle]
                        : (values[middle - 1] + values[middle]) / 2;
  return {median, values.front(), values.back()};
}

spread spread_of(const std::vector<figures>& rounds, double figures::*which) {
  std::vector<double> values;
  values.reserve(rounds.size());
  for (const auto& round : rounds)
    values.push_back(round.*which);
  return spread_of(std::move(values));
}

spread ratio_of(const std::vector<figures>& rounds,
                const std::vector<figures>& base, double figures::*which) {
  std::vector<double> values;
  values.reserve(rounds.size());
  for (std::size_t i = 0; i < rounds.size(); ++i)
    values.push_back(rounds[i].*which / (base[i].*which));
  return spread_of(std::move(values));
}

clock::duration quantile(std::vector<clock::duration> values, double part) {
  if (values.empty())
    return {};
  const auto rank = std::ceil(part * static_cast<double>(values.size()));
  const auto index
    = std::max<std::size_t>(static_cast<std::size_t>(rank), 1) - 1;
  const auto found = values.begin() + static_cast<std::ptrdiff_t>(index);
  std::nth_element(values.begin(), found, values.end());
  return *found;
}

double to_us(clock::duration time) {
  return std::chrono::duration<double, std::micro>(time).count();
}

usage usage_now() {
  rusage seen{};
  ::getrusage(RUSAGE_SELF, &seen);
  auto to_duration = [](const timeval& time) {
    return std::chrono::seconds{time.tv_sec}
           + std::chrono::microseconds{time.tv_usec};
  };
  return {to_duration(seen.ru_utime) + to_duration(seen.ru_stime),
          seen.ru_nvcsw};
}

} // namespace bench
