#include "caddis/heritrix/conversion.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/config/settings.h"

namespace caddis::heritrix {
namespace {

using settings::Field;
using settings::Kind;

struct Unit {
  std::string_view ending;
  std::string_view duration;  // the unit of a duration
  int64_t bytes = 0;
};
// Endings of properties' names.
constexpr std::array<Unit, 12> kUnits = {{{"KBSec", "", 1024},
                                          {"KbSec", "", 1024},
                                          {"KB-sec", "", 1024},
                                          {"Kb", "", 1024},
                                          {"KB", "", 1024},
                                          {"MiB", "", 1 << 20},
                                          {"Mb", "", 1 << 20},
                                          {"Ms", "ms", 0},
                                          {"Seconds", "s", 0},
                                          {"Secs", "s", 0},
                                          {"Minutes", "m", 0},
                                          {"Hours", "h", 0}}};

const Unit* unit_of(std::string_view property) {
  const auto found = std::ranges::find_if(kUnits, [&](const Unit& unit) { return property.ends_with(unit.ending); });
  return found == kUnits.end() ? nullptr : &*found;
}

std::unexpected<Error> not_a(std::string_view what, std::string_view text) {
  return fail(ErrorCode::parse, fmt::format("'{}' is no {}", text, what));
}

Result<std::string> number_text(const Field& field, std::string_view property, std::string_view text) {
  const auto number = parse_int(text);
  if (!number) return not_a("whole number", text);
  const bool is_unlimited = *number < 0 && (field.row.min.empty() || field.row.min != "-1");
  const int64_t value = is_unlimited ? 0 : *number;
  const Unit* const unit = unit_of(property);
  if (field.kind == Kind::duration)
    return fmt::format("{}{}", value, unit == nullptr || unit->duration.empty() ? "s" : unit->duration);
  if (field.kind != Kind::bytes || unit == nullptr || unit->bytes == 0) return fmt::format("{}", value);
  int64_t bytes = 0;
  if (__builtin_mul_overflow(value, unit->bytes, &bytes)) return not_a("number of bytes that there may be", text);
  return fmt::format("{}", bytes);
}

// "MOST_SPECIFIC" and "robotsTxtOnly" are "most-specific" and "robots-txt-only".
std::string choice_name(std::string_view text) {
  const bool is_camel = std::ranges::any_of(text, [](char c) { return c >= 'a' && c <= 'z'; });
  std::string name;
  for (const char c : text) {
    if (is_camel && c >= 'A' && c <= 'Z' && !name.empty()) name += '-';
    name += c == '_' ? '-' : to_lower(c);
  }
  return name;
}

Result<std::string> text_for(const Field& field, std::string_view property, std::string_view text) {
  switch (field.kind) {
    case Kind::boolean: {
      const std::string word = to_lower(text);
      if (word != "true" && word != "false") return not_a("true or false", text);
      return word;
    }
    case Kind::integer:
    case Kind::bytes:
    case Kind::duration:
      return number_text(field, property, text);
    case Kind::choice:
      return choice_name(text);
    case Kind::real:
    case Kind::text:
    case Kind::list:
      break;
  }
  return std::string(text);
}

}  // namespace

NamedSetting setting_of(std::string_view heritrix_name) {
  for (const settings::Schema* const schema : config::settings_schemas())
    for (const Field& field : schema->fields())
      if (field.row.heritrix == heritrix_name) return {schema, &field};
  return {};
}

Result<std::vector<std::string>> texts_for(const Field& field, std::string_view property, const BeanValue& value) {
  if (value.is_text()) {
    TRY(std::string text, text_for(field, property, trim(value.text)));
    if (field.kind == Kind::list && text.empty()) return std::vector<std::string>();
    return std::vector{std::move(text)};
  }
  if (field.kind != Kind::list || !value.is_list())
    return fail(ErrorCode::parse, "its value is none that this setting can have");
  std::vector<std::string> texts;
  for (const BeanValue& item : value.items)
    if (item.is_text()) texts.emplace_back(trim(item.text));
  return texts;
}

}  // namespace caddis::heritrix
