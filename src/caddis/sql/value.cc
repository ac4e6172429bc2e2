#include "caddis/sql/value.h"

#include "caddis/base/strings.h"

namespace caddis::sql {

std::string Row::text(size_t column) const {
  const Value& value = values_.at(column);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* number = std::get_if<int64_t>(&value)) return std::to_string(*number);
  return {};
}

int64_t Row::number(size_t column) const { return maybe_number(column).value_or(0); }

std::optional<int64_t> Row::maybe_number(size_t column) const {
  const Value& value = values_.at(column);
  if (const auto* number = std::get_if<int64_t>(&value)) return *number;
  if (const auto* text = std::get_if<std::string>(&value)) return parse_int(*text);
  return std::nullopt;
}

}  // namespace caddis::sql
