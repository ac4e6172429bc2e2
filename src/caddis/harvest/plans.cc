#include "caddis/harvest/plans.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/harvest/dates.h"
#include "caddis/harvest/domain_name.h"
#include "caddis/harvest/templates.h"

namespace caddis::harvest {
namespace {

using sql::Connection;
using sql::Row;
using sql::Values;

std::optional<int64_t> seconds_of(const std::optional<Moment>& moment) {
  if (!moment) return std::nullopt;
  return moment->time_since_epoch().count();
}

std::optional<Moment> moment_of(const std::optional<int64_t>& seconds) {
  if (!seconds) return std::nullopt;
  return Moment(std::chrono::seconds(*seconds));
}

std::optional<int> small(const Row& row, size_t column) {
  const auto number = row.maybe_number(column);
  return number ? std::optional(static_cast<int>(*number)) : std::nullopt;
}

NamedSchedule schedule_of(const Row& row) {
  NamedSchedule one;
  one.id = row.number(0);
  one.name = row.text(1);
  one.schedule.frequency.unit = unit_named(row.text(2)).value_or(Unit::day);
  one.schedule.frequency.every = static_cast<int>(row.number(3));
  one.schedule.frequency.minute = small(row, 4);
  one.schedule.frequency.hour = small(row, 5);
  one.schedule.frequency.weekday = small(row, 6);
  one.schedule.frequency.day = small(row, 7);
  one.schedule.zone = row.text(8);
  one.schedule.starts = moment_of(row.maybe_number(9));
  one.schedule.ends = moment_of(row.maybe_number(10));
  one.schedule.times = row.maybe_number(11);
  one.comments = row.text(12);
  one.edition = row.number(13);
  return one;
}

constexpr std::string_view kSchedule =
    "SELECT id, name, unit, every, at_minute, at_hour, on_weekday, on_day, zone, starts, ends, times, comments, "
    "edition "
    "FROM schedules";

Values schedule_values(const NamedSchedule& one) {
  const Frequency& frequency = one.schedule.frequency;
  return Values(name_of(frequency.unit), frequency.every, frequency.minute, frequency.hour, frequency.weekday,
                frequency.day, one.schedule.zone, seconds_of(one.schedule.starts), seconds_of(one.schedule.ends),
                one.schedule.times, one.comments);
}

// Adds a row, or changes the one with that name if it has that edition. `columns`: "a, b, c".
Result<void> save_row(Connection& c, std::string_view kind, std::string_view table, std::string_view columns,
                      Values values, std::string_view name, int64_t edition, const Edit& edit,
                      const FieldChanges& changes) {
  TRY_VOID(check_name(name, kind));
  values.add(name);
  if (edition == 0) {
    auto added = c.run(
        fmt::format("INSERT INTO {} ({}, name, edition) VALUES ({}, 1)", table, columns, question_marks(values.size())),
        values);
    if (!added && added.error().code == ErrorCode::conflict)
      return fail(ErrorCode::conflict, fmt::format("there is a {} '{}' already", kind, name));
    if (!added) return std::unexpected(std::move(added).error());
    return record_change(c, edit, kind, name, "created");
  }
  std::string sets;
  for (const std::string_view column : split(columns, ',')) sets += fmt::format("{} = ?, ", trim(column));
  values.add(edition);
  TRY(const uint64_t changed,
      c.run(fmt::format("UPDATE {} SET {}edition = edition + 1 WHERE name = ? AND edition = ?", table, sets), values));
  TRY_VOID(require_changed(changed, kind, name));
  return record_change(c, edit, kind, name, "changed", changes);
}

// As its page has it.
FieldChanges changes_between(const NamedSchedule& before, const NamedSchedule& after) {
  const auto number = [](const auto& value) { return value ? std::to_string(*value) : std::string(); };
  const auto time = [&](const std::optional<Moment>& value) {
    return value ? rfc3339(WallTime(value->time_since_epoch())) : std::string();
  };
  const Frequency &was = before.schedule.frequency, &is = after.schedule.frequency;
  FieldChanges changes;
  changes.add("unit", name_of(was.unit), name_of(is.unit));
  changes.add("every", static_cast<int64_t>(was.every), static_cast<int64_t>(is.every));
  changes.add("minute", number(was.minute), number(is.minute));
  changes.add("hour", number(was.hour), number(is.hour));
  changes.add("weekday", number(was.weekday), number(is.weekday));
  changes.add("day", number(was.day), number(is.day));
  changes.add("time zone", before.schedule.zone, after.schedule.zone);
  changes.add("from", time(before.schedule.starts), time(after.schedule.starts));
  changes.add("until", time(before.schedule.ends), time(after.schedule.ends));
  changes.add("times", number(before.schedule.times), number(after.schedule.times));
  changes.add("comments", before.comments, after.comments);
  return changes;
}

FieldChanges changes_between(const Channel& before, const Channel& after) {
  FieldChanges changes;
  changes.add("for snapshots", before.is_snapshot, after.is_snapshot);
  changes.add("default", before.is_default, after.is_default);
  changes.add("comments", before.comments, after.comments);
  return changes;
}

FieldChanges changes_between(const TrapList& before, const TrapList& after) {
  FieldChanges changes;
  changes.add("description", before.description, after.description);
  changes.add("crawler traps", before.traps, after.traps);
  changes.add("active", before.is_active, after.is_active);
  return changes;
}

FieldChanges changes_between(const ExtendedField& before, const ExtendedField& after) {
  FieldChanges changes;
  changes.add("kind", before.kind, after.kind);
  changes.add("choices", fmt::format("{}", fmt::join(before.choices, "\n")),
              fmt::format("{}", fmt::join(after.choices, "\n")));
  changes.add("default value", before.default_value, after.default_value);
  changes.add("mandatory", before.is_mandatory, after.is_mandatory);
  changes.add("most characters", before.most_length, after.most_length);
  changes.add("place", before.place, after.place);
  return changes;
}

// The row of that name as it stands in the list, and as it is saved. None is there: it is a new one.
template <class Item>
FieldChanges changes_from(const std::vector<Item>& all, const Item& saved) {
  const auto before = std::ranges::find(all, saved.name, &Item::name);
  return before == all.end() ? FieldChanges() : changes_between(*before, saved);
}

Result<void> check_value(const ExtendedField& field, const std::string& value) {
  const auto wrong = [&](std::string_view why) {
    return fail(ErrorCode::config, fmt::format("the field '{}' {}", field.name, why));
  };
  if (value.empty()) {
    if (field.is_mandatory) return wrong("must be filled in");
    return {};
  }
  if (static_cast<int64_t>(value.size()) > field.most_length)
    return wrong(fmt::format("has {} characters at most", field.most_length));
  if (field.kind == "number" && !parse_int(value)) return wrong("is a whole number");
  if (field.kind == "flag" && value != "true" && value != "false") return wrong("is true or false");
  if (field.kind == "date" && !parse_w3c_date(value)) return wrong("is a date such as 2026-01-31");
  if (field.kind == "choice" && std::ranges::count(field.choices, value) == 0)
    return wrong(fmt::format("is one of: {}", fmt::join(field.choices, ", ")));
  return {};
}

constexpr std::string_view kDefaultTemplate =
    "# Whole domains, with what their pages embed from elsewhere.\n"
    "extends: domain\n"
    "scope:\n"
    "  max-hops: 20\n";

}  // namespace

Result<std::vector<NamedSchedule>> list_schedules(Connection& c) {
  std::vector<NamedSchedule> all;
  TRY_VOID(c.each(fmt::format("{} ORDER BY name", kSchedule), Values(),
                  [&](const Row& row) { all.push_back(schedule_of(row)); }));
  return all;
}

Result<NamedSchedule> find_schedule(Connection& c, std::string_view name) {
  TRY(const auto row, c.row(fmt::format("{} WHERE name = ?", kSchedule), Values(name)));
  if (!row) return fail(ErrorCode::not_found, fmt::format("there is no schedule '{}'", name));
  return schedule_of(*row);
}

Result<NamedSchedule> find_schedule(Connection& c, int64_t id) {
  TRY(const auto row, c.row(fmt::format("{} WHERE id = ?", kSchedule), Values(id)));
  if (!row) return fail(ErrorCode::not_found, "the schedule is gone");
  return schedule_of(*row);
}

Result<void> save_schedule(Connection& c, const NamedSchedule& one, const Edit& edit) {
  TRY_VOID(check(one.schedule));
  const auto before = one.edition > 0 ? find_schedule(c, one.name) : Result<NamedSchedule>(one);
  TRY_VOID(save_row(c, "schedule", "schedules",
                    "unit, every, at_minute, at_hour, on_weekday, on_day, zone, starts, ends, times, comments",
                    schedule_values(one), one.name, one.edition, edit,
                    before ? changes_between(*before, one) : FieldChanges()));
  if (!before || before->schedule == one.schedule) return {};
  return move_dates(c, before->id, edit);
}

Result<std::vector<Channel>> list_channels(Connection& c) {
  std::vector<Channel> all;
  TRY_VOID(c.each("SELECT id, name, is_snapshot, is_default, comments, edition FROM channels ORDER BY name", Values(),
                  [&](const Row& row) {
                    all.push_back({row.number(0), row.text(1), row.flag(2), row.flag(3), row.text(4), row.number(5)});
                  }));
  return all;
}

Result<Channel> find_channel(Connection& c, std::string_view name) {
  TRY(const auto all, list_channels(c));
  for (const Channel& channel : all)
    if (channel.name == name) return channel;
  return fail(ErrorCode::not_found, fmt::format("there is no channel '{}'", name));
}

namespace {

Result<void> needs_default(const Channel& one) {
  return fail(ErrorCode::conflict,
              fmt::format("the channel '{}' is the default for {}, which harvests without a channel have: make another "
                          "one the default first",
                          one.name, one.is_snapshot ? "snapshots" : "selective harvests and events"));
}

Result<void> check_not_default(Connection& c, std::string_view name) {
  TRY(const auto all, list_channels(c));
  const auto found = std::ranges::find(all, name, &Channel::name);
  return found != all.end() && found->is_default ? needs_default(*found) : Result<void>();
}

}  // namespace

Result<void> save_channel(Connection& c, const Channel& one, const Edit& edit) {
  if (one.name.contains(',')) return fail(ErrorCode::config, "the name of a channel has no comma");
  TRY(const auto all, list_channels(c));
  const auto before = std::ranges::find(all, one.name, &Channel::name);
  if (one.edition > 0 && before != all.end() && before->is_default &&
      !(one.is_default && one.is_snapshot == before->is_snapshot))
    return needs_default(*before);
  if (one.is_default)
    TRY_VOID(c.run("UPDATE channels SET is_default = 0 WHERE is_snapshot = ? AND name <> ?",
                   Values(one.is_snapshot, one.name)));
  return save_row(c, "channel", "channels", "is_snapshot, is_default, comments",
                  Values(one.is_snapshot, one.is_default, one.comments), one.name, one.edition, edit,
                  changes_from(all, one));
}

Result<std::vector<TrapList>> list_trap_lists(Connection& c) {
  std::vector<TrapList> all;
  TRY_VOID(c.each("SELECT id, name, description, traps, is_active, edition FROM trap_lists ORDER BY name", Values(),
                  [&](const Row& row) {
                    all.push_back({row.number(0), row.text(1), row.text(2), row.text(3), row.flag(4), row.number(5)});
                  }));
  return all;
}

Result<void> save_trap_list(Connection& c, const TrapList& one, const Edit& edit) {
  TRY_VOID(trap_patterns(one.traps));
  TRY(const auto all, list_trap_lists(c));
  return save_row(c, "list of traps", "trap_lists", "description, traps, is_active",
                  Values(one.description, one.traps, one.is_active), one.name, one.edition, edit,
                  changes_from(all, one));
}

Result<std::vector<ExtendedField>> list_fields(Connection& c, std::string_view target) {
  std::vector<ExtendedField> all;
  TRY_VOID(
      c.each("SELECT id, name, target, kind, choices, default_value, is_mandatory, most_length, place, edition "
             "FROM extended_fields WHERE target = ? OR ? = '' ORDER BY target, place, name",
             Values(target, target), [&](const Row& row) {
               ExtendedField& one = all.emplace_back();
               one.id = row.number(0);
               one.name = row.text(1);
               one.target = row.text(2);
               one.kind = row.text(3);
               const std::string choices = row.text(4);
               for (const std::string_view choice : split(choices, '\n'))
                 if (!choice.empty()) one.choices.emplace_back(choice);
               one.default_value = row.text(5);
               one.is_mandatory = row.flag(6);
               one.most_length = row.number(7);
               one.place = row.number(8);
               one.edition = row.number(9);
             }));
  return all;
}

Result<void> save_field(Connection& c, const ExtendedField& one, const Edit& edit) {
  constexpr std::array<std::string_view, 6> kKinds = {"text", "flag", "number", "date", "note", "choice"};
  if (std::ranges::count(kKinds, one.kind) == 0)
    return fail(ErrorCode::config, fmt::format("a field is one of: {}", fmt::join(kKinds, ", ")));
  if (one.target != "domain" && one.target != "harvest")
    return fail(ErrorCode::config, "a field is one of domains or of harvests");
  if (one.most_length < 1 || one.most_length > 1'000'000)
    return fail(ErrorCode::config, "most_length, the characters that a value has at most, is from 1 to 1,000,000");
  ExtendedField optional = one;
  optional.is_mandatory = false;
  TRY_VOID(check_value(optional, one.default_value));
  TRY(const auto all, list_fields(c, one.target));
  return save_row(c, "field", "extended_fields",
                  "target, kind, choices, default_value, is_mandatory, most_length, place",
                  Values(one.target, one.kind, fmt::format("{}", fmt::join(one.choices, "\n")), one.default_value,
                         one.is_mandatory, one.most_length, one.place),
                  one.name, one.edition, edit, changes_from(all, one));
}

Result<std::vector<ExtendedValue>> values_of(Connection& c, std::string_view target, int64_t object) {
  std::vector<ExtendedValue> values;
  TRY_VOID(
      c.each("SELECT f.name, v.value, f.default_value FROM extended_fields f LEFT JOIN extended_values v "
             "ON v.field_id = f.id AND v.object_id = ? WHERE f.target = ? ORDER BY f.place, f.name",
             Values(object, target),
             [&](const Row& row) { values.push_back({row.text(0), row.is_null(1) ? row.text(2) : row.text(1)}); }));
  return values;
}

Result<void> save_values(Connection& c, std::string_view target, int64_t object, std::string_view name,
                         const std::vector<ExtendedValue>& values, const Edit& edit) {
  TRY(const auto known, values_of(c, target, object));
  FieldChanges changes;
  TRY(const auto fields, list_fields(c, target));
  std::map<std::string_view, std::string_view> given;
  for (const ExtendedValue& value : values) given[value.name] = value.value;
  for (const ExtendedField& field : fields) {
    const auto found = given.find(field.name);
    const std::string value(found == given.end() ? std::string_view(field.default_value) : found->second);
    TRY_VOID(check_value(field, value));
    const auto before = std::ranges::find(known, field.name, &ExtendedValue::name);
    if (before != known.end()) changes.add(field.name, before->value, value);
    TRY_VOID(
        c.run("INSERT INTO extended_values (field_id, object_id, value) VALUES (?, ?, ?) "
              "ON CONFLICT (field_id, object_id) DO UPDATE SET value = excluded.value",
              Values(field.id, object, value)));
    if (found != given.end()) given.erase(found);
  }
  if (!given.empty()) return fail(ErrorCode::config, fmt::format("there is no field '{}'", given.begin()->first));
  return changes.is_empty() ? Result<void>() : record_change(c, edit, target, name, "changed", changes);
}

Result<void> remove_plan(Connection& c, std::string_view kind, std::string_view name, const Edit& edit,
                         std::string_view target) {
  const std::map<std::string_view, std::string_view> tables = {{"schedule", "schedules"},
                                                               {"channel", "channels"},
                                                               {"list of traps", "trap_lists"},
                                                               {"field", "extended_fields"},
                                                               {"template", "templates"}};
  const auto table = tables.find(kind);
  if (table == tables.end()) return fail(ErrorCode::config, fmt::format("a {} cannot be removed", kind));
  if (kind == "channel") TRY_VOID(check_not_default(c, name));
  const auto removed = target.empty()
                           ? c.run(fmt::format("DELETE FROM {} WHERE name = ?", table->second), Values(name))
                           : c.run("DELETE FROM extended_fields WHERE name = ? AND target = ?", Values(name, target));
  if (!removed && removed.error().code == ErrorCode::conflict)
    return fail(ErrorCode::conflict, fmt::format("the {} '{}' is in use", kind, name));
  if (!removed) return std::unexpected(removed.error());
  if (*removed == 0) return fail(ErrorCode::not_found, fmt::format("there is no {} '{}'", kind, name));
  return record_change(c, edit, kind, name, "removed");
}

Result<void> put_in_first_plans(Connection& c, const Edit& edit) {
  TRY(const int64_t there, c.number("SELECT (SELECT count(*) FROM channels) + (SELECT count(*) FROM templates)"));
  if (there > 0) return {};
  TRY_VOID(save_channel(c, {.name = "FOCUSED", .is_default = true, .comments = "selective harvests and events"}, edit));
  TRY_VOID(save_channel(
      c, {.name = "SNAPSHOT", .is_snapshot = true, .is_default = true, .comments = "snapshot harvests"}, edit));
  constexpr std::pair<std::string_view, Unit> kFirst[] = {
      {"hourly", Unit::hour}, {"daily", Unit::day}, {"weekly", Unit::week}, {"monthly", Unit::month}};
  for (const auto& [name, unit] : kFirst) {
    NamedSchedule one;
    one.name = name;
    one.schedule.frequency.unit = unit;
    TRY_VOID(save_schedule(c, one, edit));
  }
  Template first;
  first.name = "default";
  first.source = kDefaultTemplate;
  return save_template(c, std::move(first), edit);
}

}  // namespace caddis::harvest
