#include "caddis/harvest/definitions.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "caddis/base/counted.h"
#include "caddis/base/strings.h"
#include "caddis/harvest/dates.h"
#include "caddis/harvest/domain_name.h"
#include "caddis/harvest/plans.h"

namespace caddis::harvest {
namespace {

using sql::Connection;
using sql::Row;
using sql::Values;

constexpr size_t kMostProblems = 1000;

constexpr std::string_view kDefinition =
    "SELECT d.id, d.name, d.kind, d.comments, d.audience, d.traps, h.name, s.name, d.max_objects, d.max_bytes, "
    "d.max_seconds, b.name, d.is_active, d.next_run, d.runs, d.missed, d.problem, d.created, d.edition, "
    "(SELECT count(*) FROM definition_configurations l WHERE l.definition_id = d.id), d.waits, d.made_by "
    "FROM definitions d JOIN channels h ON h.id = d.channel_id LEFT JOIN schedules s ON s.id = d.schedule_id "
    "LEFT JOIN definitions b ON b.id = d.based_on_id";

Definition definition_of(const Row& row) {
  Definition one;
  one.id = row.number(0);
  one.name = row.text(1);
  one.kind = row.text(2);
  one.comments = row.text(3);
  one.audience = row.text(4);
  one.traps = row.text(5);
  one.channel = row.text(6);
  one.schedule = row.text(7);
  one.limits = {row.number(8), row.number(9)};
  one.max_seconds = row.number(10);
  one.based_on = row.text(11);
  one.is_active = row.flag(12);
  one.next_run = row.maybe_number(13);
  one.runs = row.number(14);
  one.missed = row.number(15);
  one.problem = row.text(16);
  one.made.now = row.number(17);
  one.edition = row.number(18);
  one.configurations = row.number(19);
  one.waits = row.text(20);
  one.made.who = row.text(21);
  return one;
}

Result<int64_t> channel_of(Connection& c, const Definition& one) {
  const bool is_snapshot = one.kind == "snapshot";
  TRY(const auto all, list_channels(c));
  for (const Channel& channel : all) {
    if (channel.is_snapshot != is_snapshot) continue;
    if (one.channel.empty() ? channel.is_default : channel.name == one.channel) return channel.id;
  }
  return fail(ErrorCode::config, fmt::format("there is no channel '{}' for {} harvests", one.channel, one.kind));
}

Result<std::optional<int64_t>> schedule_of(Connection& c, const Definition& one) {
  if (one.kind == "snapshot") {
    if (!one.schedule.empty()) return fail(ErrorCode::config, "a snapshot harvest runs once, and has no schedule");
    return std::optional<int64_t>();
  }
  if (one.schedule.empty())
    return fail(ErrorCode::config, fmt::format("a harvest of the kind {} needs a schedule: name one", one.kind));
  TRY(const NamedSchedule found, find_schedule(c, one.schedule));
  return found.id;
}

// ErrorCode::config if `name` is among those that the base goes on with.
Result<void> check_no_cycle(Connection& c, std::string_view name, const Definition& base) {
  std::vector<std::string> chain;
  for (Definition at = base;;) {
    if (at.name == name)
      return fail(
          ErrorCode::config,
          fmt::format("'{}' goes on with '{}' itself: base it on another snapshot, or on none", base.name, name));
    chain.push_back(at.name);
    if (at.based_on.empty() || std::ranges::count(chain, at.based_on) > 0) return {};
    TRY(at, find_definition(c, at.based_on));
  }
}

Result<std::optional<int64_t>> base_of(Connection& c, const Definition& one) {
  if (one.based_on.empty()) return std::optional<int64_t>();
  TRY(const Definition base, find_definition(c, one.based_on));
  if (one.kind != "snapshot" || base.kind != "snapshot" || base.name == one.name)
    return fail(ErrorCode::config, "a snapshot harvest can be based on another one, and nothing else");
  TRY_VOID(check_no_cycle(c, one.name, base));
  return base.id;
}

// Its jobs were made of what the snapshot before had left: that is not to be told otherwise afterwards.
Result<void> check_base_stays(Connection& c, const Definition& before, const Definition& after) {
  if (before.based_on == after.based_on) return {};
  TRY(const int64_t jobs, c.number("SELECT count(*) FROM jobs WHERE definition_id = ?", Values(before.id)));
  if (before.runs == 0 && jobs == 0) return {};
  return fail(ErrorCode::conflict,
              fmt::format("'{}' has run, based on {}: that stays; make another snapshot harvest", before.name,
                          before.based_on.empty() ? "nothing" : fmt::format("'{}'", before.based_on)));
}

Result<void> check_definition(const Definition& one) {
  TRY_VOID(check_name(one.name, "harvest"));
  if (one.kind != "selective" && one.kind != "event" && one.kind != "snapshot")
    return fail(ErrorCode::config, "a harvest is selective, an event, or a snapshot");
  if (one.limits.objects < kNoLimit || one.limits.bytes < kNoLimit || one.max_seconds < 0)
    return fail(ErrorCode::config, "a limit is a number from 0 on, or -1 for none");
  TRY_VOID(trap_patterns(one.traps));
  return {};
}

struct Member {
  int64_t domain = 0, configuration = 0;
};

// The configuration of that name; nothing if there is none.
Result<std::optional<int64_t>> configuration_id(Connection& c, int64_t domain, const std::string& name) {
  TRY(const int64_t id,
      name.empty() ? c.number("SELECT default_configuration_id FROM domains WHERE id = ?", Values(domain))
                   : c.number("SELECT id FROM configurations WHERE domain_id = ? AND name = ?", Values(domain, name)));
  return id == 0 ? std::nullopt : std::optional(id);
}

// Whether the domain has it, or will have it when it is created.
Result<bool> has_configuration(Connection& c, const std::string& domain, const std::string& name,
                               const NewDomainRule& rule) {
  TRY(const auto there, find_domain_id(c, domain));
  if (!there) return name.empty() || name == rule.configuration;
  TRY(const auto id, configuration_id(c, *there, name));
  return id.has_value();
}

Result<bool> add_member(Connection& c, int64_t definition, int64_t configuration) {
  TRY(const uint64_t added,
      c.run("INSERT INTO definition_configurations (definition_id, configuration_id) VALUES (?, ?) "
            "ON CONFLICT DO NOTHING",
            Values(definition, configuration)));
  return added > 0;
}

Result<void> require_plain(const Definition& one) {
  if (one.kind != "snapshot") return {};
  return fail(ErrorCode::config, "a snapshot harvest takes every domain: it has no list of configurations");
}

std::string event_name(const Definition& one, const EventSeeds& event) {
  const auto limit = [](int64_t value) { return value == kNoLimit ? std::string("any") : std::to_string(value); };
  return fmt::format("{}-{}-{}-{}", one.name, event.template_name, limit(event.limits.objects),
                     limit(event.limits.bytes));
}

using SeedsByDomain = std::map<std::string, std::vector<std::string>>;

SeedsByDomain seeds_by_domain(std::string_view list, Added& result) {
  SeedsByDomain by_domain;
  int64_t number = 0;
  for (const std::string_view line : split(list, '\n')) {
    ++number;
    const std::string_view seed = trim(line);
    if (seed.empty() || seed.starts_with('#')) continue;
    const auto good = check_seed(seed);
    auto domain = good ? domain_of_url(seed) : std::unexpected(good.error());
    if (domain)
      by_domain[*std::move(domain)].emplace_back(seed);
    else if (result.problems.size() < kMostProblems)
      result.problems.push_back(fmt::format("line {}: {}", number, domain.error().message));
  }
  return by_domain;
}

// The list with the seeds that it lacked.
std::string joined(std::string list, const std::vector<std::string>& seeds) {
  for (const std::string& seed : seeds) {
    const auto there = live_seeds(list);
    if (std::ranges::count(there, seed) > 0) continue;
    if (!list.empty() && !list.ends_with('\n')) list += '\n';
    list += seed + "\n";
  }
  return list;
}

Result<bool> add_event_domain(Connection& c, const Definition& one, const EventSeeds& event, const std::string& name,
                              const std::vector<std::string>& seeds, const Edit& edit) {
  const std::string called = event_name(one, event);
  TRY(Domain domain, find_domain(c, name));
  auto list = std::ranges::find(domain.seed_lists, called, &SeedList::name);
  if (list == domain.seed_lists.end()) list = domain.seed_lists.insert(list, SeedList{called, "", ""});
  list->seeds = joined(list->seeds, seeds);
  if (std::ranges::find(domain.configurations, called, &Configuration::name) == domain.configurations.end()) {
    Configuration made;
    made.name = called;
    made.template_name = event.template_name;
    made.limits = event.limits;
    made.seed_lists = {called};
    domain.configurations.push_back(std::move(made));
  }
  TRY_VOID(save_domain(c, domain, edit));
  TRY(const auto id, configuration_id(c, domain.id, called));
  return add_member(c, one.id, id.value_or(0));
}

}  // namespace

Result<Definition> find_definition(Connection& c, std::string_view name) {
  TRY(const auto row, c.row(fmt::format("{} WHERE d.name = ?", kDefinition), Values(name)));
  if (!row) return fail(ErrorCode::not_found, fmt::format("there is no harvest '{}'", name));
  return definition_of(*row);
}

Result<std::vector<Definition>> list_definitions(Connection& c) {
  std::vector<Definition> all;
  TRY_VOID(c.each(fmt::format("{} ORDER BY d.name", kDefinition), Values(),
                  [&](const Row& row) { all.push_back(definition_of(row)); }));
  return all;
}

namespace {

FieldChanges changes_between(const Definition& before, const Definition& after) {
  FieldChanges changes;
  changes.add("comments", before.comments, after.comments);
  changes.add("audience", before.audience, after.audience);
  changes.add("crawler traps", before.traps, after.traps);
  changes.add("channel", before.channel, after.channel);
  changes.add("schedule", before.schedule, after.schedule);
  changes.add("most objects", before.limits.objects, after.limits.objects);
  changes.add("most bytes", before.limits.bytes, after.limits.bytes);
  changes.add("longest time of a job", before.max_seconds, after.max_seconds);
  changes.add("based on", before.based_on, after.based_on);
  return changes;
}

}  // namespace

Result<void> save_definition(Connection& c, const Definition& one, const Edit& edit) {
  TRY_VOID(check_definition(one));
  TRY(const int64_t channel, channel_of(c, one));
  TRY(const auto schedule, schedule_of(c, one));
  TRY(const auto base, base_of(c, one));
  if (one.edition == 0) {
    auto added = c.run(
        "INSERT INTO definitions (name, kind, comments, audience, traps, channel_id, schedule_id, max_objects, "
        "max_bytes, "
        "max_seconds, based_on_id, is_active, runs, missed, generating_until, generating_after, problem, created, "
        "edition, made_by) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, 0, 0, 0, '', ?, 1, ?)",
        Values(one.name, one.kind, one.comments, one.audience, one.traps, channel, schedule, one.limits.objects,
               one.limits.bytes, one.max_seconds, base, edit.now, edit.who));
    if (!added && added.error().code == ErrorCode::conflict)
      return fail(ErrorCode::conflict, fmt::format("there is a harvest '{}' already", one.name));
    if (!added) return std::unexpected(std::move(added).error());
    return record_change(c, edit, "harvest", one.name, "created");
  }
  TRY(const Definition before, find_definition(c, one.name));
  TRY_VOID(check_base_stays(c, before, one));
  TRY(const int64_t schedule_before,
      c.number("SELECT coalesce(schedule_id, 0) FROM definitions WHERE name = ?", Values(one.name)));
  TRY(const uint64_t changed,
      c.run("UPDATE definitions SET comments = ?, audience = ?, traps = ?, channel_id = ?, max_objects = ?, max_bytes "
            "= ?, "
            "max_seconds = ?, based_on_id = ?, schedule_id = ?, edition = edition + 1 WHERE name = ? AND kind = ? AND "
            "edition = ?",
            Values(one.comments, one.audience, one.traps, channel, one.limits.objects, one.limits.bytes,
                   one.max_seconds, base, schedule, one.name, one.kind, one.edition)));
  TRY_VOID(require_changed(changed, "harvest", one.name));
  if (schedule.value_or(0) != schedule_before) TRY_VOID(move_date(c, one.name, edit));
  TRY(const Definition after, find_definition(c, one.name));
  return record_change(c, edit, "harvest", one.name, "changed", changes_between(before, after));
}

Result<void> remove_definition(Connection& c, std::string_view name, const Edit& edit) {
  TRY(const Definition one, find_definition(c, name));
  if (one.is_active) return fail(ErrorCode::conflict, "an active harvest is deactivated first");
  auto removed = c.run("DELETE FROM definitions WHERE id = ?", Values(one.id));
  if (!removed && removed.error().code == ErrorCode::conflict)
    return fail(ErrorCode::conflict, "the harvest has run, or another is based on it: its history stays");
  if (!removed) return std::unexpected(std::move(removed).error());
  return record_change(c, edit, "harvest", name, "removed");
}

Result<std::vector<ConfigurationName>> configurations_of(Connection& c, std::string_view definition,
                                                         std::string_view after, int64_t limit) {
  TRY(const Definition one, find_definition(c, definition));
  const size_t border = std::min(after.find('/'), after.size());
  const std::string_view domain = after.substr(0, border);
  const std::string_view configuration = after.substr(std::min(border + 1, after.size()));
  std::vector<ConfigurationName> names;
  TRY_VOID(c.each(
      "SELECT d.name, c.name FROM definition_configurations l JOIN configurations c ON c.id = l.configuration_id "
      "JOIN domains d ON d.id = c.domain_id WHERE l.definition_id = ? AND (d.name > ? OR (d.name = ? AND c.name > ?)) "
      "ORDER BY d.name, c.name LIMIT ?",
      Values(one.id, domain, domain, configuration, limit),
      [&](const Row& row) { names.push_back({row.text(0), row.text(1)}); }));
  return names;
}

Result<Added> add_configurations(Connection& c, std::string_view definition,
                                 const std::vector<ConfigurationName>& names, const NewDomainRule& rule,
                                 const Edit& edit) {
  TRY(const Definition one, find_definition(c, definition));
  TRY_VOID(require_plain(one));
  Added result;
  const auto problem = [&](std::string text) {
    if (result.problems.size() < kMostProblems) result.problems.push_back(std::move(text));
  };
  std::vector<std::string> domains;
  std::vector<std::pair<std::string, std::string>> wanted;
  for (const ConfigurationName& given : names) {
    auto name = domain_name_of(given.domain);
    if (!name) {
      problem(name.error().message);
      continue;
    }
    TRY(const bool can_be, has_configuration(c, *name, given.configuration, rule));
    if (!can_be) {
      problem(fmt::format("{} has no configuration '{}'", *name, given.configuration));
      continue;
    }
    domains.push_back(*name);
    wanted.emplace_back(*std::move(name), given.configuration);
  }
  TRY(const uint64_t created, create_domains(c, domains, rule, edit));
  result.created_domains = static_cast<int64_t>(created);
  for (const auto& [name, configuration] : wanted) {
    TRY(const auto domain, find_domain_id(c, name));
    TRY(const auto id, configuration_id(c, domain.value_or(0), configuration));
    if (!id) continue;
    TRY(const bool is_new, add_member(c, one.id, *id));
    if (is_new) ++result.added;
  }
  TRY_VOID(record_change(c, edit, "harvest", one.name,
                         "added " + counted(static_cast<uint64_t>(result.added), "configuration")));
  return result;
}

Result<int64_t> remove_configurations(Connection& c, std::string_view definition,
                                      const std::vector<ConfigurationName>& names, const Edit& edit) {
  TRY(const Definition one, find_definition(c, definition));
  int64_t removed = 0;
  for (const ConfigurationName& given : names) {
    TRY(const auto domain, find_domain_id(c, given.domain));
    if (!domain) continue;
    TRY(const auto id, configuration_id(c, *domain, given.configuration));
    if (!id) continue;
    TRY(const uint64_t count,
        c.run("DELETE FROM definition_configurations WHERE definition_id = ? AND configuration_id = ?",
              Values(one.id, *id)));
    removed += static_cast<int64_t>(count);
  }
  TRY_VOID(record_change(c, edit, "harvest", one.name,
                         "removed " + counted(static_cast<uint64_t>(removed), "configuration")));
  return removed;
}

Result<Added> add_event_seeds(Connection& c, std::string_view definition, const EventSeeds& event,
                              const NewDomainRule& rule, const Edit& edit) {
  TRY(const Definition one, find_definition(c, definition));
  TRY_VOID(require_plain(one));
  Added result;
  const SeedsByDomain by_domain = seeds_by_domain(event.seeds, result);
  std::vector<std::string> names;
  for (const auto& [name, seeds] : by_domain) names.push_back(name);
  TRY(const uint64_t created, create_domains(c, names, rule, edit));
  result.created_domains = static_cast<int64_t>(created);
  for (const auto& [name, seeds] : by_domain) {
    TRY(const bool is_new, add_event_domain(c, one, event, name, seeds, edit));
    if (is_new) ++result.added;
  }
  TRY_VOID(record_change(c, edit, "harvest", one.name, fmt::format("added seeds of {} domains", by_domain.size())));
  return result;
}

Result<void> activate(Connection& c, std::string_view name, const Edit& edit) {
  TRY(const Definition one, find_definition(c, name));
  std::optional<int64_t> first = edit.now;
  if (one.kind == "snapshot") {
    if (one.runs > 0) return fail(ErrorCode::conflict, "a snapshot harvest runs once; base another one on it");
  } else {
    TRY(const NamedSchedule schedule, find_schedule(c, one.schedule));
    TRY(const int64_t dates, dates_had(c, one));
    if (schedule.schedule.times && dates >= *schedule.schedule.times)
      return fail(ErrorCode::config, "the schedule has no more runs for this harvest");
    TRY(first, date_of(c, one, schedule.schedule, edit.now));
    if (!first) return fail(ErrorCode::config, "the schedule has ended: it has no date any more");
    if (one.next_run && *one.next_run > edit.now) first = one.next_run;
  }
  // A run that broke off has a date that has passed, or was asked for before the next one.
  TRY(const int64_t done_until, c.number("SELECT generating_after FROM definitions WHERE id = ?", Values(one.id)));
  const bool goes_on = done_until > 0 && one.next_run;
  if (goes_on) first = one.next_run;
  const int64_t asked = goes_on && *first > edit.now ? edit.now : 0;
  TRY_VOID(
      c.execute("UPDATE definitions SET is_active = 1, problem = '', waits = '', asked = ?, next_run = ?, "
                "generating_until = 0, edition = edition + 1 WHERE id = ?",
                Values(asked, first, one.id)));
  return record_change(c, edit, "harvest", name, "activated");
}

Result<void> ask_for_run(Connection& c, std::string_view name, const Edit& edit) {
  TRY(const Definition one, find_definition(c, name));
  if (one.kind == "snapshot") return fail(ErrorCode::conflict, "a snapshot harvest runs once, when it is activated");
  if (!one.is_active) return fail(ErrorCode::conflict, "the harvest is not active: activate it first");
  TRY_VOID(c.execute("UPDATE definitions SET asked = ? WHERE id = ?", Values(edit.now, one.id)));
  return record_change(c, edit, "harvest", name, "is to run now");
}

Result<void> deactivate(Connection& c, std::string_view name, std::string_view problem, const Edit& edit) {
  TRY(const uint64_t changed,
      c.run("UPDATE definitions SET is_active = 0, problem = ?, waits = '', asked = 0, edition = edition + 1 "
            "WHERE name = ?",
            Values(problem, name)));
  if (changed == 0) return fail(ErrorCode::not_found, fmt::format("there is no harvest '{}'", name));
  return record_change(c, edit, "harvest", name,
                       problem.empty() ? "deactivated" : fmt::format("deactivated: {}", problem));
}

}  // namespace caddis::harvest
