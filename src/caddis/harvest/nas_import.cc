// Tables are read in the order in which rows refer to each other, each by a pass through the dump. `Ids` knows what has become
// of each row by its number there.

#include "caddis/harvest/nas_import.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/harvest/derby_export.h"
#include "caddis/harvest/domain_name.h"
#include "caddis/harvest/expectation.h"
#include "caddis/harvest/outcome.h"
#include "caddis/harvest/pg_dump.h"
#include "caddis/harvest/plans.h"
#include "caddis/harvest/templates.h"
#include "caddis/text/time_zone.h"

namespace caddis::harvest {
namespace {

using sql::Connection;
using sql::Row;
using sql::Values;
using Ids = std::unordered_map<int64_t, int64_t>;

constexpr size_t kBatch = 500;
constexpr size_t kMostProblems = 100'000;
constexpr int64_t kMostObjects = int64_t{1} << 50;

// Tables that say nothing that is not known otherwise, or that does not last.
const std::set<std::string, std::less<>> kPassing = {"schemaversions", "runningjobshistory", "runningjobsmonitor",
                                                     "frontierreportmonitor", "extendedfieldtype"};

Result<void> each_nas_row(io::Files& files, const std::string& source, std::string_view table,
                          const std::function<Result<void>(const DumpRow&)>& use,
                          const std::function<void(int64_t)>& too_long) {
  return files.is_directory(source) ? each_exported_row(files, source, table, use, too_long)
                                    : each_dump_row(files, source, table, use, too_long);
}

// Rows that are inserted together.
class Batch {
 public:
  Batch(Connection& c, std::string begin, std::string end = "")
      : c_(c), begin_(std::move(begin)), end_(std::move(end)) {}
  Result<void> add(Values row) {
    rows_.push_back(std::move(row));
    return rows_.size() < kBatch ? Result<void>() : flush();
  }
  Result<void> flush() {
    if (rows_.empty()) return {};
    TRY_VOID(c_.insert_all(begin_, rows_, end_));
    rows_.clear();
    return {};
  }

 private:
  Connection& c_;
  const std::string begin_, end_;
  std::vector<Values> rows_;
};

// Our numbers of rows, by theirs.
struct NasIds {
  Ids channels, templates, schedules, domains, seed_lists, credentials, configurations, harvests;
  std::map<std::string, int64_t> channel_names, template_names;
  std::unordered_map<int64_t, bool> channel_snapshot;  // whether ours is for snapshots
  std::unordered_map<int64_t, std::string> overrides;  // YAML of a configuration of theirs
  std::unordered_map<int64_t, int64_t> domain_of;      // our configuration
  std::set<int64_t> jobs;
  int64_t standard_template = 0;
};

// The clocks of the machine on which NetarchiveSuite ran.
class LocalClock {
 public:
  explicit LocalClock(const text::TimeZone& zone) : zone_(zone) {}
  // Seconds since 1970 of "2024-05-06 07:08:09.123"; nothing if it is no such time.
  std::optional<int64_t> at(std::string text) const {
    if (text.size() < 19) return std::nullopt;
    text[10] = 'T';
    const auto parsed = parse_w3c_date(text.substr(0, 19) + "Z");
    if (!parsed) return std::nullopt;
    const auto local = std::chrono::floor<std::chrono::seconds>(*parsed);
    const Moment as_utc{local.time_since_epoch()};
    const Moment about = as_utc - zone_.offset_at(as_utc);
    return (as_utc - zone_.offset_at(about)).time_since_epoch().count();
  }

 private:
  const text::TimeZone& zone_;
};

int64_t limit_of(const DumpRow& row, std::string_view column) {
  const int64_t limit = row.number(column, kNoLimit);
  return limit < 0 ? kNoLimit : limit;
}

class Import {
 public:
  Import(io::Files& files, Connection& c, const NasOptions& options, const Edit& edit, NasReport& report,
         const text::TimeZone& zone)
      : files_(files), c_(c), options_(options), edit_(edit), report_(report), clock_(zone) {}

  Result<void> run() {
    using Step = Result<void> (Import::*)();
    constexpr std::array<Step, 18> kSteps = {
        &Import::channels, &Import::templates,  &Import::schedules, &Import::domains,    &Import::aliases,
        &Import::owners,   &Import::seed_lists, &Import::passwords, &Import::attributes, &Import::configurations,
        &Import::links,    &Import::defaults,   &Import::traps,     &Import::harvests,   &Import::members,
        &Import::fields,   &Import::jobs,       &Import::history};
    for (const Step step : kSteps) TRY_VOID((this->*step)());
    TRY_VOID(precedents());
    for (const auto& [table, rows] : report_.in_dump)
      if (!kPassing.contains(table) && !read_.contains(table) && rows > 0)
        problem(table, 0, fmt::format("this table is not known: its {} rows were left out", rows));
    return {};
  }

 private:
  void problem(std::string_view table, int64_t line, std::string text) {
    if (report_.problems.size() < kMostProblems)
      report_.problems.push_back({std::string(table), line, std::move(text)});
  }
  // `use` returns whether the row was taken; why not it has told by itself.
  Result<void> each(const std::string& table, const std::function<Result<bool>(const DumpRow&)>& use) {
    read_.insert(table);
    return each_nas_row(
        files_, options_.dump, table,
        [&](const DumpRow& row) -> Result<void> {
          if (!row.is_whole()) {
            problem(table, row.line(), "it has not as many fields as the table has columns");
            return {};
          }
          TRY(const bool taken, use(row));
          report_.taken[table] += taken ? 1 : 0;
          return {};
        },
        [&](int64_t line) { problem(table, line, "it is longer than 64 MiB"); });
  }
  // The row that another one refers to; nothing, and a problem, if it was not taken.
  std::optional<int64_t> known(const Ids& ids, std::string_view table, const DumpRow& row, std::string_view column) {
    const auto found = ids.find(row.number(column, -1));
    if (found != ids.end()) return found->second;
    problem(table, row.line(), fmt::format("{} = {} was not taken, or is not there", column, row.text(column)));
    return std::nullopt;
  }
  // Tells of a name that cannot be one of ours.
  bool is_name(std::string_view table, const DumpRow& row, const std::string& name, std::string_view kind) {
    const auto checked = check_name(name, kind);
    if (!checked) problem(table, row.line(), checked.error().message);
    return checked.has_value();
  }
  // Expressions that can be taken, a line each.
  std::string good_traps(std::string_view table, int64_t line, const std::string& traps) {
    std::string good;
    for (const std::string_view trap : split(traps, '\n')) {
      if (trim(trap).empty()) continue;
      const auto taken = trap_patterns(trap);
      if (taken)
        good += fmt::format("{}{}", good.empty() ? "" : "\n", trim(trap));
      else
        problem(table, line, fmt::format("the crawler trap '{}' was left out: {}", trim(trap), taken.error().message));
    }
    return good;
  }

  Result<void> channels() {
    return each("harvestchannel", [&](const DumpRow& row) -> Result<bool> {
      const std::string name = row.text("name");
      if (!is_name("harvestchannel", row, name, "channel")) return false;
      if (!find_channel(c_, name)) {
        Channel made;
        made.name = name;
        made.is_snapshot = row.flag("issnapshot");
        made.is_default = row.flag("isdefault");
        made.comments = row.text("comments");
        TRY_VOID(save_channel(c_, made, edit_));
      }
      TRY(const Channel channel, find_channel(c_, name));
      if (channel.is_snapshot != row.flag("issnapshot"))
        problem("harvestchannel", row.line(), fmt::format("'{}' is here for other harvests than there", name));
      ids_.channels[row.number("id", -1)] = channel.id;
      ids_.channel_names[name] = channel.id;
      ids_.channel_snapshot[channel.id] = channel.is_snapshot;
      return true;
    });
  }

  Result<void> templates() {
    TRY(const Template standard, find_template(c_, "default"));
    ids_.standard_template = standard.id;
    return each("ordertemplates", [&](const DumpRow& row) -> Result<bool> {
      Template made;
      made.name = row.text("name");
      made.source = row.text("orderxml");
      made.is_active = row.text("isactive").empty() || row.flag("isactive");
      made.comments = "from NetarchiveSuite";
      if (const auto there = find_template(c_, made.name)) made.edition = there->edition;
      Template tried = made;
      if (const auto fits = read_template(tried); !fits) {
        problem("ordertemplates", row.line(),
                fmt::format("'{}' was left out: {}; 'default' stands in its place", made.name, fits.error().message));
        return false;
      }
      for (const std::string& remark : tried.remarks)
        problem("ordertemplates", row.line(), fmt::format("'{}': {}", made.name, remark));
      TRY_VOID(save_template(c_, made, edit_));
      TRY(const Template saved, find_template(c_, made.name));
      ids_.templates[row.number("template_id", -1)] = saved.id;
      ids_.template_names[made.name] = saved.id;
      return true;
    });
  }

  Result<void> schedules() {
    constexpr std::array<Unit, 5> kUnits{Unit::hour, Unit::day, Unit::week, Unit::month, Unit::minute};
    return each("schedules", [&](const DumpRow& row) -> Result<bool> {
      NamedSchedule made;
      made.name = row.text("name");
      made.comments = row.text("comments");
      const int64_t unit = row.number("timeunit", 0);
      if (unit < 1 || unit > 5) {
        problem("schedules", row.line(), fmt::format("'{}': timeunit {} is not known", made.name, unit));
        return false;
      }
      Frequency& frequency = made.schedule.frequency;
      frequency.unit = kUnits[static_cast<size_t>(unit - 1)];
      frequency.every = static_cast<int>(std::clamp<int64_t>(row.number("numtimeunits", 1), 1, 1'000'000));
      const auto part = [&](std::string_view column) -> std::optional<int> {
        const auto number = row.number(column);
        return number && !row.flag("anytime") ? std::optional(static_cast<int>(*number)) : std::nullopt;
      };
      if (frequency.unit != Unit::minute) frequency.minute = part("onminute");
      if (frequency.unit >= Unit::day) frequency.hour = part("onhour");
      // There Sunday is 1.
      if (frequency.unit == Unit::week)
        if (const auto day = part("ondayofweek")) frequency.weekday = (*day + 5) % 7 + 1;
      if (frequency.unit == Unit::month) frequency.day = part("ondayofmonth");
      made.schedule.zone = options_.zone;
      const auto moment = [&](std::string_view column) -> std::optional<Moment> {
        const auto time = clock_.at(row.text(column));
        return time ? std::optional(Moment(std::chrono::seconds(*time))) : std::nullopt;
      };
      made.schedule.starts = moment("startdate");
      made.schedule.ends = moment("enddate");
      if (const auto times = row.number("maxrepeats"); times && *times > 0) made.schedule.times = times;
      if (const auto there = find_schedule(c_, made.name)) made.edition = there->edition;
      const auto fits = check(made.schedule);
      if (!fits || !is_name("schedules", row, made.name, "schedule")) {
        if (!fits) problem("schedules", row.line(), fmt::format("'{}': {}", made.name, fits.error().message));
        return false;
      }
      TRY_VOID(save_schedule(c_, made, edit_));
      TRY(const NamedSchedule saved, find_schedule(c_, made.name));
      ids_.schedules[row.number("schedule_id", -1)] = saved.id;
      return true;
    });
  }

  Result<void> domains() {
    Batch batch(c_, "INSERT INTO domains (id, name, shown, comments, traps, created, edition) VALUES");
    std::set<std::string> names;
    int64_t next = 0;
    TRY_VOID(each("domains", [&](const DumpRow& row) -> Result<bool> {
      const auto name = domain_name_of(row.text("name"));
      if (!name || !names.insert(*name).second) {
        problem("domains", row.line(), name ? fmt::format("'{}' is there twice", *name) : name.error().message);
        return false;
      }
      const std::string traps = good_traps("domains", row.line(), row.text("crawlertraps"));
      TRY_VOID(batch.add(Values(++next, *name, searched_name(*name), row.text("comments"), traps, edit_.now, 1)));
      ids_.domains[row.number("domain_id", -1)] = next;
      return true;
    }));
    return batch.flush();
  }

  Result<void> aliases() {
    return each_nas_row(
        files_, options_.dump, "domains",
        [&](const DumpRow& row) -> Result<void> {
          const auto own = ids_.domains.find(row.number("domain_id", -1));
          if (own == ids_.domains.end() || row.text("alias").empty()) return {};
          const auto of = known(ids_.domains, "domains", row, "alias");
          if (!of) return {};
          return c_.execute("UPDATE domains SET alias_of_id = ?, alias_confirmed = ? WHERE id = ?",
                            Values(*of, clock_.at(row.text("lastaliasupdate")).value_or(edit_.now), own->second));
        },
        [](int64_t) {});
  }

  Result<void> owners() {
    Batch batch(c_, "INSERT INTO owners (domain_id, time, who, text) VALUES");
    TRY_VOID(each("ownerinfo", [&](const DumpRow& row) -> Result<bool> {
      const auto domain = known(ids_.domains, "ownerinfo", row, "domain_id");
      if (!domain) return false;
      TRY_VOID(batch.add(
          Values(*domain, clock_.at(row.text("created")).value_or(edit_.now), "NetarchiveSuite", row.text("info"))));
      return true;
    }));
    return batch.flush();
  }

  // Seeds that cannot be crawled become remarks, so that people see them.
  std::string good_seeds(int64_t line, const std::string& seeds) {
    std::string good;
    for (const std::string_view seed : split(seeds, '\n')) {
      const std::string_view text = trim(seed);
      if (text.empty()) continue;
      const bool is_good = text.starts_with('#') || check_seeds(text).has_value();
      if (!is_good)
        problem("seedlists", line, fmt::format("the seed '{}' became a remark: it is no URL, or has a blank", text));
      good += fmt::format("{}{}\n", is_good ? "" : "# ", text);
    }
    return good;
  }

  Result<void> seed_lists() {
    Batch batch(c_, "INSERT INTO seed_lists (id, domain_id, name, seeds, comments) VALUES");
    int64_t next = 0;
    TRY_VOID(each("seedlists", [&](const DumpRow& row) -> Result<bool> {
      const auto domain = known(ids_.domains, "seedlists", row, "domain_id");
      if (!domain || !is_name("seedlists", row, row.text("name"), "list of seeds")) return false;
      TRY_VOID(batch.add(
          Values(++next, *domain, row.text("name"), good_seeds(row.line(), row.text("seeds")), row.text("comments"))));
      ids_.seed_lists[row.number("seedlist_id", -1)] = next;
      return true;
    }));
    return batch.flush();
  }

  Result<void> passwords() {
    Batch batch(c_, "INSERT INTO credentials (id, domain_id, name, url, realm, username, password, comments) VALUES");
    int64_t next = 0;
    TRY_VOID(each("passwords", [&](const DumpRow& row) -> Result<bool> {
      const auto domain = known(ids_.domains, "passwords", row, "domain_id");
      if (!domain || !is_name("passwords", row, row.text("name"), "login")) return false;
      TRY_VOID(batch.add(Values(++next, *domain, row.text("name"), row.text("url"), row.text("realm"),
                                row.text("username"), row.text("password"), row.text("comments"))));
      ids_.credentials[row.number("password_id", -1)] = next;
      return true;
    }));
    return batch.flush();
  }

  // Settings of single configurations.
  Result<void> attributes() {
    std::unordered_map<int64_t, std::string> names;
    TRY_VOID(each("eav_type_attribute", [&](const DumpRow& row) -> Result<bool> {
      names[row.number("tree_id", 0) * 1000 + row.number("id", 0)] = row.text("name");
      return true;
    }));
    return each("eav_attribute", [&](const DumpRow& row) -> Result<bool> {
      const std::string name = names[row.number("tree_id", 0) * 1000 + row.number("type_id", 0)];
      const auto value = row.number("val_int");
      std::string& yaml = ids_.overrides[row.number("entity_id", -1)];
      if (name == "MAX_HOPS" && value)
        yaml += fmt::format("scope:\n  max-hops: {}\n", *value);
      else if (name == "HONOR_ROBOTS_DOT_TXT" && value)
        yaml += fmt::format("robots:\n  policy: {}\n", *value > 0 ? "obey" : "ignore");
      else if (name == "EXTRACT_JAVASCRIPT" && value)
        yaml += fmt::format("extract:\n  javascript: {}\n", *value > 0 ? "true" : "false");
      else {
        problem("eav_attribute", row.line(), fmt::format("the attribute '{}' has no equivalent", name));
        return false;
      }
      return true;
    });
  }

  Result<void> configurations() {
    Batch batch(c_,
                "INSERT INTO configurations (id, domain_id, name, template_id, max_objects, max_bytes, overrides, "
                "comments) VALUES");
    int64_t next = 0;
    TRY_VOID(each("configurations", [&](const DumpRow& row) -> Result<bool> {
      const auto domain = known(ids_.domains, "configurations", row, "domain_id");
      if (!domain || !is_name("configurations", row, row.text("name"), "configuration")) return false;
      const auto found = ids_.templates.find(row.number("template_id", -1));
      if (found == ids_.templates.end())
        problem("configurations", row.line(),
                fmt::format("the template of '{}' was not taken: 'default' stands in its place", row.text("name")));
      const auto overrides = ids_.overrides.find(row.number("config_id", -1));
      TRY_VOID(batch.add(Values(
          ++next, *domain, row.text("name"), found == ids_.templates.end() ? ids_.standard_template : found->second,
          limit_of(row, "maxobjects"), limit_of(row, "maxbytes"),
          overrides == ids_.overrides.end() ? std::string() : overrides->second, row.text("comments"))));
      ids_.configurations[row.number("config_id", -1)] = next;
      ids_.domain_of[next] = *domain;
      return true;
    }));
    return batch.flush();
  }

  Result<void> link(const std::string& table, const std::string& ours, const std::string& column, const Ids& ids,
                    std::string_view there) {
    Batch batch(c_, fmt::format("INSERT INTO {} (configuration_id, {}) VALUES", ours, column),
                "ON CONFLICT DO NOTHING");
    TRY_VOID(each(table, [&](const DumpRow& row) -> Result<bool> {
      const auto configuration = known(ids_.configurations, table, row, "config_id");
      const auto other = known(ids, table, row, there);
      if (!configuration || !other) return false;
      TRY_VOID(batch.add(Values(*configuration, *other)));
      return true;
    }));
    return batch.flush();
  }

  Result<void> links() {
    TRY_VOID(link("config_seedlists", "configuration_seeds", "seed_list_id", ids_.seed_lists, "seedlist_id"));
    return link("config_passwords", "configuration_credentials", "credential_id", ids_.credentials, "password_id");
  }

  // Configurations that domains are harvested with; a domain whose own was not taken gets another of its own.
  Result<void> defaults() {
    TRY_VOID(each_nas_row(
        files_, options_.dump, "domains",
        [&](const DumpRow& row) -> Result<void> {
          const auto own = ids_.domains.find(row.number("domain_id", -1));
          if (own == ids_.domains.end()) return {};
          const auto configuration = known(ids_.configurations, "domains", row, "defaultconfig");
          if (!configuration) return {};
          return c_.execute("UPDATE domains SET default_configuration_id = ? WHERE id = ?",
                            Values(*configuration, own->second));
        },
        [](int64_t) {}));
    return c_.execute(
        "UPDATE domains SET default_configuration_id = (SELECT min(c.id) FROM configurations c WHERE "
        "c.domain_id = domains.id) WHERE default_configuration_id IS NULL");
  }

  Result<void> traps() {
    std::unordered_map<int64_t, std::string> expressions;
    TRY_VOID(each("global_crawler_trap_expressions", [&](const DumpRow& row) -> Result<bool> {
      const std::string good = good_traps("global_crawler_trap_expressions", row.line(), row.text("trap_expression"));
      std::string& list = expressions[row.number("crawler_trap_list_id", -1)];
      list += good.empty() ? "" : good + "\n";
      return !good.empty();
    }));
    return each("global_crawler_trap_lists", [&](const DumpRow& row) -> Result<bool> {
      TrapList made;
      made.name = row.text("name");
      made.description = row.text("description");
      made.is_active = row.flag("isactive");
      made.traps = expressions[row.number("global_crawler_trap_list_id", -1)];
      if (!is_name("global_crawler_trap_lists", row, made.name, "list of traps")) return false;
      TRY_VOID(save_trap_list(c_, made, edit_));
      return true;
    });
  }

  struct Kind {
    std::optional<int64_t> schedule, base;
    Limits limits;
    int64_t seconds = 0;
    bool is_snapshot = false;
    std::string traps;
  };

  Result<std::unordered_map<int64_t, Kind>> kinds() {
    std::unordered_map<int64_t, Kind> kinds;
    TRY_VOID(each("partialharvests", [&](const DumpRow& row) -> Result<bool> {
      const auto schedule = known(ids_.schedules, "partialharvests", row, "schedule_id");
      if (!schedule) return false;
      Kind& kind = kinds[row.number("harvest_id", -1)];
      kind.schedule = schedule;
      kind.traps = good_traps("partialharvests", row.line(), row.text("crawlertraps"));
      return true;
    }));
    TRY_VOID(each("fullharvests", [&](const DumpRow& row) -> Result<bool> {
      Kind& kind = kinds[row.number("harvest_id", -1)];
      kind.is_snapshot = true;
      kind.limits = {limit_of(row, "maxobjects"), limit_of(row, "maxbytes")};
      kind.seconds = std::max<int64_t>(0, row.number("maxjobrunningtime", 0));
      kind.base = row.number("previoushd");
      return true;
    }));
    return kinds;
  }

  Result<void> harvests() {
    TRY(const auto all, kinds());
    TRY(const auto every_channel, list_channels(c_));
    std::array<int64_t, 2> usual{};
    for (const Channel& channel : every_channel)
      if (channel.is_default) usual[channel.is_snapshot ? 1 : 0] = channel.id;
    TRY_VOID(each("harvestdefinitions", [&](const DumpRow& row) -> Result<bool> {
      const auto kind = all.find(row.number("harvest_id", -1));
      const std::string name = row.text("name");
      if (kind == all.end()) {
        problem("harvestdefinitions", row.line(),
                fmt::format("'{}' is no harvest with a schedule that was taken, nor a snapshot", name));
        return false;
      }
      if (!is_name("harvestdefinitions", row, name, "harvest")) return false;
      const bool is_snapshot = kind->second.is_snapshot;
      const auto given = ids_.channels.find(row.number("channel_id", -1));
      const bool fits = given != ids_.channels.end() && ids_.channel_snapshot[given->second] == is_snapshot;
      if (row.flag("isactive"))
        problem("harvestdefinitions", row.line(),
                fmt::format("'{}' was active: activate it when it is to run here", name));
      TRY(const int64_t id,
          c_.number("INSERT INTO definitions (name, kind, comments, audience, traps, channel_id, schedule_id, "
                    "max_objects, max_bytes, max_seconds, is_active, runs, missed, generating_until, "
                    "generating_after, problem, created, edition, dated_run) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, "
                    "?, 0, 0, 0, '', ?, 1, ?) RETURNING id",
                    Values(name, is_snapshot ? "snapshot" : "selective", row.text("comments"), row.text("audience"),
                           kind->second.traps, fits ? given->second : usual[is_snapshot ? 1 : 0], kind->second.schedule,
                           kind->second.limits.objects, kind->second.limits.bytes, kind->second.seconds,
                           row.number("numevents", 0), clock_.at(row.text("submitted")).value_or(edit_.now),
                           row.number("numevents", 0) - 1)));
      ids_.harvests[row.number("harvest_id", -1)] = id;
      return true;
    }));
    for (const auto& [number, kind] : all) {
      const auto own = ids_.harvests.find(number);
      if (own == ids_.harvests.end() || !kind.base) continue;
      const auto base = ids_.harvests.find(*kind.base);
      if (base == ids_.harvests.end())
        problem("fullharvests", 0,
                fmt::format("the harvest {}, on which {} is based, was not taken", *kind.base, number));
      else
        TRY_VOID(c_.execute("UPDATE definitions SET based_on_id = ? WHERE id = ?", Values(base->second, own->second)));
    }
    return {};
  }

  Result<void> members() {
    Batch batch(c_, "INSERT INTO definition_configurations (definition_id, configuration_id) VALUES",
                "ON CONFLICT DO NOTHING");
    TRY_VOID(each("harvest_configs", [&](const DumpRow& row) -> Result<bool> {
      const auto harvest = known(ids_.harvests, "harvest_configs", row, "harvest_id");
      const auto configuration = known(ids_.configurations, "harvest_configs", row, "config_id");
      if (!harvest || !configuration) return false;
      TRY_VOID(batch.add(Values(*harvest, *configuration)));
      return true;
    }));
    return batch.flush();
  }

  Result<void> fields() {
    constexpr std::array<std::string_view, 7> kKinds{"text", "flag", "number", "date", "note", "choice", "date"};
    std::unordered_map<int64_t, std::pair<int64_t, ExtendedField>> known_fields;
    TRY_VOID(each("extendedfield", [&](const DumpRow& row) -> Result<bool> {
      ExtendedField made;
      made.name = row.text("name");
      made.target = row.number("extendedfieldtype_id", 0) == 1 ? "domain" : "harvest";
      const int64_t type = std::clamp<int64_t>(row.number("datatype", 1), 1, 7);
      made.kind = kKinds[static_cast<size_t>(type - 1)];
      const std::string options = row.text("options");
      for (const std::string_view option : split(options, '\n'))
        if (!trim(option).empty()) made.choices.emplace_back(trim(option.substr(0, option.find('='))));
      if (made.kind != "choice") made.choices.clear();
      made.default_value = made.kind == "date" ? std::string() : row.text("defaultvalue");
      made.most_length = std::clamp<int64_t>(row.number("maxlen", 1000), 1, 30'000);
      made.place = row.number("sequencenr", 0);
      // Fields that were not filled in there would be refused here.
      if (row.number("mandatory", 0) != 0)
        problem("extendedfield", row.line(), fmt::format("'{}' is not needed any more: say so on its page", made.name));
      if (!is_name("extendedfield", row, made.name, "field")) return false;
      if (const auto saved = save_field(c_, made, edit_); !saved) {
        problem("extendedfield", row.line(), fmt::format("'{}': {}", made.name, saved.error().message));
        return false;
      }
      TRY(const int64_t id,
          c_.number("SELECT id FROM extended_fields WHERE target = ? AND name = ?", Values(made.target, made.name)));
      known_fields[row.number("extendedfield_id", -1)] = {id, made};
      return true;
    }));
    return each("extendedfieldvalue", [&](const DumpRow& row) -> Result<bool> {
      const auto field = known_fields.find(row.number("extendedfield_id", -1));
      if (field == known_fields.end()) {
        problem("extendedfieldvalue", row.line(), "its field was not taken");
        return false;
      }
      const bool is_domain = field->second.second.target == "domain";
      const auto object = known(is_domain ? ids_.domains : ids_.harvests, "extendedfieldvalue", row, "instance_id");
      if (!object) return false;
      std::string value = row.text("content");
      if (field->second.second.kind == "date" && !value.empty()) {
        const auto milliseconds = parse_int(value);
        if (!milliseconds) {
          problem("extendedfieldvalue", row.line(), fmt::format("'{}' is no time", value));
          return false;
        }
        value = rfc3339(WallTime(std::chrono::milliseconds(*milliseconds)));
      }
      TRY_VOID(
          c_.execute("INSERT INTO extended_values (field_id, object_id, value) VALUES (?, ?, ?) "
                     "ON CONFLICT DO NOTHING",
                     Values(field->second.first, *object, value)));
      return true;
    });
  }

  Result<void> jobs() {
    constexpr std::array<JobState, 7> kStates{JobState::created,        JobState::submitted, JobState::started,
                                              JobState::done,           JobState::failed,    JobState::resubmitted,
                                              JobState::failed_rejected};
    Batch batch(c_,
                "INSERT INTO jobs (id, definition_id, run, channel_id, state, template_id, template_name, overrides, "
                "max_objects, max_bytes, max_seconds, expected, configurations, seed_count, created, submitted, "
                "started, ended, harvester, wish, continues, resubmitted_as, harvest_error, harvest_details, "
                "upload_error, upload_details, command, exit, latest, verdict, verdict_note, objects, bytes) VALUES");
    std::vector<std::pair<int64_t, std::string>> seeds;
    TRY_VOID(each("jobs", [&](const DumpRow& row) -> Result<bool> {
      const auto harvest = known(ids_.harvests, "jobs", row, "harvest_id");
      const int64_t number = row.number("job_id", 0), status = row.number("status", -1);
      if (!harvest || number <= 0) return false;
      JobState state = status >= 0 && status < 7 ? kStates[static_cast<size_t>(status)] : JobState::failed;
      std::string error = row.text("harvest_errors");
      if (state < JobState::done) {
        problem("jobs", row.line(), fmt::format("job {} was not over: it has failed here", number));
        state = JobState::failed;
        error = "it was not over when the database was copied from NetarchiveSuite";
      }
      auto channel = ids_.channel_names.find(row.text("channel"));
      if (channel == ids_.channel_names.end()) {
        TRY(const auto all, list_channels(c_));
        for (const Channel& one : all)
          if (one.is_default && one.is_snapshot == row.flag("snapshot"))
            ids_.channel_names[row.text("channel")] = one.id;
        channel = ids_.channel_names.find(row.text("channel"));
      }
      const auto used = ids_.template_names.find(row.text("orderxml"));
      const std::string list = row.text("seedlist");
      TRY_VOID(batch.add(Values(
          number, *harvest, row.number("harvest_num", 0), channel->second, name_of(state),
          used == ids_.template_names.end() ? ids_.standard_template : used->second, row.text("orderxml"), "",
          limit_of(row, "forcemaxcount"), limit_of(row, "forcemaxbytes"),
          std::max<int64_t>(0, row.number("forcemaxrunningtime", 0)), 0, row.number("num_configs", 0),
          live_seeds(list).size(), clock_.at(row.text("creationdate")).value_or(edit_.now),
          clock_.at(row.text("submitteddate")), clock_.at(row.text("startdate")), clock_.at(row.text("enddate")), "",
          "", row.number("continuationof"), row.number("resubmitted_as_job"), error, row.text("harvest_error_details"),
          row.text("upload_errors"), row.text("upload_error_details"), "", "", "", "", "", 0, 0)));
      seeds.emplace_back(number, list);
      ids_.jobs.insert(number);
      if (seeds.size() >= kBatch) TRY_VOID(put_in_seeds(batch, seeds));
      return true;
    }));
    TRY_VOID(put_in_seeds(batch, seeds));
    Batch members(c_,
                  "INSERT INTO job_configurations (job_id, configuration_id, domain_id, max_objects, max_bytes, "
                  "expected) VALUES",
                  "ON CONFLICT DO NOTHING");
    TRY_VOID(each("job_configs", [&](const DumpRow& row) -> Result<bool> {
      const auto configuration = known(ids_.configurations, "job_configs", row, "config_id");
      if (!configuration || !ids_.jobs.contains(row.number("job_id", 0))) return false;
      TRY_VOID(members.add(
          Values(row.number("job_id", 0), *configuration, ids_.domain_of[*configuration], kNoLimit, kNoLimit, 0)));
      return true;
    }));
    return members.flush();
  }

  Result<void> put_in_seeds(Batch& jobs, std::vector<std::pair<int64_t, std::string>>& seeds) {
    TRY_VOID(jobs.flush());
    Batch batch(c_, "INSERT INTO job_files (job_id, name, text) VALUES");
    for (const auto& [job, text] : seeds) TRY_VOID(batch.add(Values(job, "seeds.txt", text)));
    seeds.clear();
    return batch.flush();
  }

  Result<void> history() {
    constexpr std::array<StopReason, 7> kReasons{
        StopReason::completed,  StopReason::object_limit,        StopReason::size_limit, StopReason::config_size_limit,
        StopReason::unfinished, StopReason::config_object_limit, StopReason::time_limit};
    std::unordered_map<int64_t, std::pair<int64_t, int64_t>> of_job;  // definition, run
    TRY_VOID(c_.each("SELECT id, definition_id, run FROM jobs", Values(),
                     [&](const Row& row) { of_job[row.number(0)] = {row.number(1), row.number(2)}; }));
    Batch results(c_,
                  "INSERT INTO results (job_id, definition_id, run, domain_id, configuration_id, objects, bytes, "
                  "stop_reason, time) VALUES",
                  "ON CONFLICT DO NOTHING");
    TRY_VOID(each("historyinfo", [&](const DumpRow& row) -> Result<bool> {
      const auto configuration = known(ids_.configurations, "historyinfo", row, "config_id");
      const auto job = of_job.find(row.number("job_id", 0));
      const int64_t reason = row.number("stopreason", -1);
      if (!configuration) return false;
      if (job == of_job.end() || reason < 0 || reason > 6) {
        problem("historyinfo", row.line(),
                job == of_job.end() ? fmt::format("job {} was not taken, or is not there", row.text("job_id"))
                                    : fmt::format("stopreason {} is not known", reason));
        return false;
      }
      TRY_VOID(results.add(
          Values(row.number("job_id", 0), job->second.first, job->second.second, ids_.domain_of[*configuration],
                 *configuration, std::clamp<int64_t>(row.number("objectcount", 0), 0, kMostObjects),
                 std::max<int64_t>(0, row.number("bytecount", 0)), name_of(kReasons[static_cast<size_t>(reason)]),
                 clock_.at(row.text("harvest_time")).value_or(edit_.now))));
      return true;
    }));
    TRY_VOID(results.flush());
    return c_.execute(
        "UPDATE jobs SET objects = (SELECT coalesce(sum(objects), 0) FROM results r WHERE r.job_id = jobs.id), "
        "bytes = (SELECT coalesce(sum(bytes), 0) FROM results r WHERE r.job_id = jobs.id)");
  }

  // The expectation of each configuration follows from its history.
  Result<void> precedents() {
    std::vector<std::pair<int64_t, Precedent>> all;
    TRY_VOID(
        c_.each("SELECT configuration_id, objects, bytes, stop_reason FROM results ORDER BY configuration_id, "
                "time, id",
                Values(), [&](const Row& row) {
                  if (all.empty() || all.back().first != row.number(0)) all.emplace_back(row.number(0), Precedent());
                  const bool is_complete = reason_named(row.text(3)) == StopReason::completed;
                  all.back().second = with_result(all.back().second, {row.number(1), row.number(2), is_complete});
                }));
    for (const auto& [configuration, one] : all)
      TRY_VOID(
          c_.execute("UPDATE configurations SET most_objects = ?, most_bytes = ?, most_complete = ?, "
                     "described_objects = ?, described_bytes = ?, described_complete = ? WHERE id = ?",
                     Values(one.most->objects, one.most->bytes, one.most->is_complete, one.described->objects,
                            one.described->bytes, one.described->is_complete, configuration)));
    if (c_.dialect() == sql::Dialect::sqlite) return {};
    // Rows came with their numbers: the next ones follow them.
    for (const std::string_view table : {"domains", "seed_lists", "credentials", "configurations", "jobs"})
      TRY_VOID(c_.each(fmt::format("SELECT setval(pg_get_serial_sequence('{0}', 'id'), "
                                   "greatest((SELECT coalesce(max(id), 0) FROM {0}), 1))",
                                   table),
                       Values(), [](const Row&) {}));
    return {};
  }

  io::Files& files_;
  Connection& c_;
  const NasOptions& options_;
  const Edit& edit_;
  NasReport& report_;
  const LocalClock clock_;
  std::set<std::string, std::less<>> read_;
  NasIds ids_;
};

}  // namespace

Result<NasReport> import_nas_database(io::Files& files, sql::Database& database, const NasOptions& options,
                                      const Edit& edit) {
  const bool is_folder = files.is_directory(options.dump);
  TRY(const auto tables, is_folder ? exported_tables(files, options.dump) : dump_tables(files, options.dump));
  TRY(const auto zone, text::TimeZone::find(options.zone));
  NasReport report;
  constexpr std::string_view kTried = "it was a try";
  const auto done = database.transact([&](Connection& c) -> Result<void> {
    TRY(const int64_t there, c.number("SELECT (SELECT count(*) FROM domains) + (SELECT count(*) FROM jobs)"));
    if (there > 0)
      return fail(ErrorCode::conflict,
                  "the archive has domains or jobs already: a database is imported into a new one");
    report = NasReport();
    report.in_dump = tables;
    Import import(files, c, options, edit, report, *zone);
    TRY_VOID(import.run());
    TRY_VOID(record_change(c, edit, "archive", "",
                           fmt::format("imported from NetarchiveSuite: {} domains", report.taken["domains"])));
    return options.only_tries ? fail(ErrorCode::cancelled, std::string(kTried)) : Result<void>();
  });
  if (!done && !(options.only_tries && done.error().code == ErrorCode::cancelled)) return std::unexpected(done.error());
  return report;
}

}  // namespace caddis::harvest
