#include "caddis/reports/report.h"

#include <fmt/format.h>

#include <utility>

namespace caddis::reports {

Column count(std::string name) {
  std::string heading = fmt::format("[#{}]", name);
  return {std::move(name), CellKind::number, std::move(heading)};
}

Column figure(std::string name) {
  std::string heading = fmt::format("[{}]", name);
  return {std::move(name), CellKind::number, std::move(heading)};
}

Column word(std::string name) {
  std::string heading = fmt::format("[{}]", name);
  return {std::move(name), CellKind::text, std::move(heading)};
}

std::vector<std::string> names_meant(std::string_view given) {
  std::string name(given);
  if (given.ends_with(".txt")) name.resize(name.size() - 4);
  return {name, name + "-report", "crawl-" + name, "frontier-" + name + "-report"};
}

}  // namespace caddis::reports
