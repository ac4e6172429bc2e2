#include "caddis/control/parameters.h"

#include <fmt/format.h>

#include <algorithm>

#include "caddis/base/strings.h"
#include "caddis/url/percent.h"

namespace caddis::control {
namespace {

constexpr size_t kUsualLimit = 100;
constexpr int64_t kHighestLimit = 10'000;

std::string unknown_parameter(std::string_view name, std::string_view known) {
  if (known.empty()) return fmt::format("there is no parameter '{}' here, nor any other", name);
  return fmt::format("there is no parameter '{}' here: there are {}", name, fmt::join(split(known, ' '), ", "));
}

}  // namespace

Result<Parameters> Parameters::parse(std::string_view query, std::string_view known) {
  Parameters parameters;
  const auto names = split(known, ' ');
  for (const std::string_view part : split(query, '&')) {
    if (part.empty()) continue;
    const size_t equals = part.find('=');
    std::string name = url::percent_decode(part.substr(0, equals));
    if (known.empty() || std::ranges::find(names, name) == names.end())
      return fail(ErrorCode::parse, unknown_parameter(name, known));
    std::string value = equals == std::string_view::npos ? "" : url::percent_decode(part.substr(equals + 1));
    parameters.values_.insert_or_assign(std::move(name), std::move(value));
  }
  return parameters;
}

std::optional<std::string> Parameters::find(std::string_view name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? std::nullopt : std::optional(found->second);
}

Result<bool> Parameters::flag(std::string_view name, bool otherwise) const {
  const auto value = find(name);
  if (!value) return otherwise;
  if (value->empty() || *value == "1" || *value == "true" || *value == "yes") return true;
  if (*value == "0" || *value == "false" || *value == "no") return false;
  return fail(ErrorCode::parse, fmt::format("{} is 1 or 0, not '{}'", name, *value));
}

Result<size_t> Parameters::limit() const {
  const auto given = find("limit");
  if (!given) return kUsualLimit;
  const auto limit = parse_int(*given);
  if (!limit || *limit < 1 || *limit > kHighestLimit)
    return fail(ErrorCode::parse, fmt::format("limit is a number from 1 to {}, not '{}'", kHighestLimit, *given));
  return static_cast<size_t>(*limit);
}

}  // namespace caddis::control
