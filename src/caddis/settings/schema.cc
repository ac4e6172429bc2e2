#include "caddis/settings/schema.h"

#include <fmt/format.h>

#include <algorithm>

#include "caddis/base/check.h"
#include "caddis/base/strings.h"
#include "caddis/base/visible.h"

namespace caddis::settings {
namespace {

constexpr size_t kShownOfAText = 100;

// Values of one kind, in their natural order.
bool less(const Value& a, const Value& b) { return a < b; }

Value bound(const Field& field, std::string_view text) {
  auto value = read_value(field.kind, text, field.row.choices);
  CADDIS_CHECK(value.has_value());
  return *value;
}

bool in_range(const Field& field, const Value& value) {
  if (std::holds_alternative<std::monostate>(value)) return field.optional;
  if (!field.row.min.empty() && less(value, bound(field, field.row.min))) return false;
  if (!field.row.max.empty() && less(bound(field, field.row.max), value)) return false;
  if (field.kind == Kind::integer || field.kind == Kind::bytes) {
    const int64_t number = std::get<int64_t>(value);
    return number >= field.type_min && number <= field.type_max;
  }
  return true;
}

std::string out_of_range(const Field& field, const Value& value, std::string_view text) {
  if (!field.row.min.empty() && !field.row.max.empty())
    return fmt::format("{} is outside {} to {}", text, field.row.min, field.row.max);
  if (!field.row.min.empty() && less(value, bound(field, field.row.min)))
    return fmt::format("{} is less than {}", text, field.row.min);
  if (!field.row.max.empty() && less(bound(field, field.row.max), value))
    return fmt::format("{} is more than {}", text, field.row.max);
  return fmt::format("{} is too large or negative", text);
}

bool is_constraint_sound(const Field& field, const Constraint& constraint) {
  const bool readable = std::ranges::all_of(
      std::vector{constraint.min, constraint.max, constraint.unlike},
      [&](std::string_view text) { return text.empty() || read_value(field.kind, text, field.row.choices); });
  const bool is_text = field.kind == Kind::text || field.kind == Kind::list;
  const bool asks =
      !constraint.min.empty() || !constraint.max.empty() || !constraint.unlike.empty() || !constraint.pattern.empty();
  // Other kinds have ranges for that.
  const bool enforced = constraint.severity != Severity::severe || is_text;
  return readable && asks && enforced && !constraint.text.empty() && (constraint.pattern.empty() || is_text) &&
         field.broken_by(field.default_value).empty();
}

bool is_default_sound(const Field& field) {
  if (const auto* text = std::get_if<std::string>(&field.default_value)) return field.check(*text).has_value();
  const auto* items = std::get_if<std::vector<std::string>>(&field.default_value);
  return items == nullptr ||
         std::ranges::all_of(*items, [&](const std::string& item) { return field.check(item).has_value(); });
}

bool is_sound(const Field& field) {
  const bool documented = field.doc.ends_with('.') && !field.name.empty();
  const bool chosen = (field.kind == Kind::choice) == !field.row.choices.empty();
  // In sheets all of a value is secret, or nothing.
  const bool shown = field.row.shown == nullptr || (!field.secret() && !field.per_site());
  const bool checkable = field.row.check == nullptr || field.kind == Kind::text || field.kind == Kind::list;
  const bool constrained = std::ranges::all_of(
      field.row.constraints, [&](const Constraint& constraint) { return is_constraint_sound(field, constraint); });
  return documented && chosen && shown && checkable && constrained && is_default_sound(field) &&
         in_range(field, field.default_value) && (field.row.option.empty() || field.row.option.starts_with("--"));
}

}  // namespace

Result<Value> Field::read(std::string_view text) const {
  if (optional && text.empty()) return Value();
  auto value = read_value(kind, text, row.choices);
  if (value && !in_range(*this, *value)) return fail(ErrorCode::config, out_of_range(*this, *value, text));
  if (value) TRY_VOID(check(text));
  return value;
}

Result<void> Field::check(std::string_view text) const {
  const bool is_checked = kind == Kind::list || (kind == Kind::text && !text.empty());
  if (!is_checked) return {};
  auto sound = row.check != nullptr ? row.check(text) : single_line(text);
  for (const Constraint& constraint : row.constraints)
    if (sound && constraint.severity == Severity::severe && is_broken(constraint, *this, text))
      sound = fail(ErrorCode::config, fmt::format("'{}' {}", visible(text, kShownOfAText), constraint.text));
  if (!sound && kind == Kind::list && text.contains(',') && !secret())
    return fail(sound.error().code, sound.error().message + "; a list of several is written [a, b]");
  // The words of a check that denies name no secret.
  if (!sound && secret() && sound.error().code != ErrorCode::denied)
    return fail(ErrorCode::config,
                fmt::format("the value, which is a secret and not shown, is not what it takes: {}", doc));
  return sound;
}

std::vector<const Constraint*> Field::broken_by(const Value& value) const {
  std::vector<std::string> written = {};
  if (const auto* items = std::get_if<std::vector<std::string>>(&value))
    written = *items;
  else
    written.push_back(write(value));
  std::vector<const Constraint*> broken;
  for (const Constraint& constraint : row.constraints)
    if (std::ranges::any_of(written, [&](const std::string& one) { return is_broken(constraint, *this, one); }))
      broken.push_back(&constraint);
  return broken;
}

std::string Field::write_shown(const Value& value) const {
  return secret() ? std::string("(secret)") : write(shown(value));
}

Value Field::laid_over(const Value& below, const Value& value) const {
  const auto* const added = std::get_if<std::vector<std::string>>(&value);
  if ((row.flags & kKeyed) == 0 || added == nullptr || added->empty()) return value;
  const auto key_of = [](std::string_view line) { return to_lower(trim(line.substr(0, line.find(':')))); };
  auto lines = std::get<std::vector<std::string>>(below);
  for (const std::string& line : *added)
    std::erase_if(lines, [&](const std::string& old) { return key_of(old) == key_of(line); });
  for (const std::string& line : *added)
    if (const size_t colon = line.find(':'); colon != line.npos && !trim(line.substr(colon + 1)).empty())
      lines.push_back(line);
  return lines;
}

std::string Field::range() const {
  if (kind == Kind::choice) {
    std::vector<std::string_view> names;
    for (const Choice& choice : row.choices) names.push_back(choice.name);
    return fmt::format("{}", fmt::join(names, ", "));
  }
  if (!row.min.empty() && !row.max.empty()) return fmt::format("{} to {}", row.min, row.max);
  if (!row.min.empty()) return fmt::format("at least {}", row.min);
  if (!row.max.empty()) return fmt::format("at most {}", row.max);
  return "";
}

Schema::Schema(std::string_view name, std::string_view doc, std::vector<Field> fields)
    : name_(name), doc_(doc), fields_(std::move(fields)) {
  CADDIS_CHECK(doc_.ends_with('.'));
  for (size_t i = 0; i < fields_.size(); ++i) {
    CADDIS_CHECK(is_sound(fields_[i]));
    for (size_t j = 0; j < i; ++j) CADDIS_CHECK(fields_[i].name != fields_[j].name);
  }
}

const Field* Schema::find(std::string_view field_name) const {
  auto found = std::ranges::find(fields_, field_name, &Field::name);
  return found == fields_.end() ? nullptr : &*found;
}

std::vector<std::string> Schema::names() const {
  std::vector<std::string> names;
  for (const Field& field : fields_) names.emplace_back(field.name);
  return names;
}

}  // namespace caddis::settings
