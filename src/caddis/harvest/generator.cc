// A piece: candidates are read (`read_candidates`), with their seeds; sorted, split, and each plan of a job is written
// (`JobWriter`). The last piece sets the next date, whatever becomes of the jobs.

#include "caddis/harvest/generator.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "caddis/base/counted.h"
#include "caddis/base/strings.h"
#include "caddis/harvest/dates.h"
#include "caddis/harvest/definitions.h"
#include "caddis/harvest/domain_name.h"
#include "caddis/harvest/job_files.h"
#include "caddis/harvest/jobs.h"
#include "caddis/harvest/plans.h"
#include "caddis/harvest/templates.h"

namespace caddis::harvest {
namespace {

using sql::Connection;
using sql::Row;
using sql::Values;

constexpr size_t kIds = 2000;      // of one statement
constexpr size_t kMostNamed = 10;  // domains that were left out

// A candidate with what else becomes part of its job.
struct Found {
  Candidate candidate;
  std::string traps, seeds;
  Precedent precedent;
};

struct Piece {
  std::vector<Found> found;
  int64_t last = 0;  // where the next piece goes on behind
  bool is_last = false;
};

constexpr std::string_view kColumns =
    "c.id, c.domain_id, d.name, c.template_id, t.name, c.overrides, c.max_objects, c.max_bytes, d.traps, "
    "c.most_objects, "
    "c.most_bytes, c.most_complete, c.described_objects, c.described_bytes, c.described_complete";
constexpr std::string_view kNoAlias = "(d.alias_of_id IS NULL OR d.alias_confirmed < ?)";

std::optional<Brought> brought_of(const Row& row, size_t at) {
  if (row.is_null(at)) return std::nullopt;
  return Brought{row.number(at), row.number(at + 1), row.flag(at + 2)};
}

Found found_of(const Row& row) {
  Found one;
  one.candidate.configuration = row.number(0);
  one.candidate.domain = row.number(1);
  one.candidate.domain_name = row.text(2);
  one.candidate.template_id = row.number(3);
  one.candidate.template_name = row.text(4);
  one.candidate.overrides = row.text(5);
  one.candidate.limits = {row.number(6), row.number(7)};
  one.traps = row.text(8);
  one.precedent = {brought_of(row, 9), brought_of(row, 12)};
  return one;
}

// A domain of the snapshot before: whether this one takes it again.
bool goes_on(StopReason reason, const Limits& own, int64_t objects, int64_t bytes) {
  switch (reason) {
    case StopReason::completed:
    case StopReason::unfinished:
      return false;
    case StopReason::config_size_limit:
      return own.bytes == kNoLimit || own.bytes > bytes;
    case StopReason::config_object_limit:
      return own.objects == kNoLimit || own.objects > objects;
    default:
      return true;
  }
}

Result<Piece> read_plain(Connection& c, const std::string& sql, const Values& values, size_t limit, bool by_domain) {
  Piece piece;
  TRY_VOID(c.each(sql, values, [&](const Row& row) {
    piece.found.push_back(found_of(row));
    piece.last = row.number(by_domain ? 1 : 0);
  }));
  piece.is_last = piece.found.size() < limit;
  return piece;
}

// Reads what the snapshot before has left: of each configuration its latest result counts.
Result<Piece> read_continued(Connection& c, int64_t base, int64_t after, int64_t confirmed, size_t limit) {
  Piece piece;
  size_t rows = 0;
  TRY_VOID(
      c.each(fmt::format("SELECT {}, r.stop_reason, r.objects, r.bytes, CASE WHEN {} THEN 1 ELSE 0 END FROM "
                         "(SELECT configuration_id, max(id) AS id FROM results WHERE definition_id = ? AND "
                         "configuration_id > ? GROUP BY configuration_id ORDER BY configuration_id LIMIT ?) p "
                         "JOIN results r ON r.id = p.id JOIN {} ON c.id = p.configuration_id "
                         "JOIN domains d ON d.id = c.domain_id JOIN templates t ON t.id = c.template_id ORDER BY c.id",
                         kColumns, kNoAlias, "configurations c"),
             Values(confirmed, base, after, limit), [&](const Row& row) {
               ++rows;
               Found one = found_of(row);
               piece.last = one.candidate.configuration;
               const StopReason reason = reason_named(row.text(15)).value_or(StopReason::unfinished);
               if (row.flag(18) && goes_on(reason, one.candidate.limits, row.number(16), row.number(17)))
                 piece.found.push_back(std::move(one));
             }));
  piece.is_last = rows < limit;
  return piece;
}

Result<Piece> read_piece(Connection& c, const Definition& one, const std::optional<int64_t>& base, int64_t after,
                         const GeneratorSettings& settings, int64_t now) {
  const size_t limit = settings.piece;
  const int64_t confirmed = now - settings.alias_validity;
  if (base) return read_continued(c, *base, after, confirmed, limit);
  if (one.kind != "snapshot")
    return read_plain(c,
                      fmt::format("SELECT {} FROM definition_configurations l JOIN {} ON c.id = l.configuration_id "
                                  "JOIN domains d ON d.id = c.domain_id JOIN templates t ON t.id = c.template_id "
                                  "WHERE l.definition_id = ? AND c.id > ? ORDER BY c.id LIMIT ?",
                                  kColumns, "configurations c"),
                      Values(one.id, after, limit), limit, false);
  return read_plain(c,
                    fmt::format("SELECT {} FROM domains d JOIN configurations c ON c.id = d.default_configuration_id "
                                "JOIN templates t ON t.id = c.template_id WHERE d.id > ? AND {} ORDER BY d.id LIMIT ?",
                                kColumns, kNoAlias),
                    Values(after, confirmed, limit), limit, true);
}

// Calls `use` with a list of question marks and the values for each part of the ids.
Result<void> in_parts(const std::vector<int64_t>& ids,
                      const std::function<Result<void>(const std::string& marks, const Values& values)>& use) {
  for (size_t at = 0; at < ids.size(); at += kIds) {
    Values values;
    const size_t count = std::min(kIds, ids.size() - at);
    for (size_t i = at; i < at + count; ++i) values.add(ids[i]);
    TRY_VOID(use(question_marks(count), values));
  }
  return {};
}

Result<void> read_seeds(Connection& c, Piece& piece) {
  std::vector<int64_t> ids;
  std::map<int64_t, Found*> by_id;
  for (Found& one : piece.found) {
    ids.push_back(one.candidate.configuration);
    by_id[one.candidate.configuration] = &one;
  }
  return in_parts(ids, [&](const std::string& marks, const Values& values) {
    return c.each(fmt::format("SELECT l.configuration_id, s.seeds FROM configuration_seeds l "
                              "JOIN seed_lists s ON s.id = l.seed_list_id WHERE l.configuration_id IN ({}) "
                              "ORDER BY l.configuration_id, s.name",
                              marks),
                  values, [&](const Row& row) { by_id.at(row.number(0))->seeds += row.text(1) + "\n"; });
  });
}

// Writes the jobs of one piece.
class JobWriter {
 public:
  JobWriter(Connection& connection, const Definition& definition, const GeneratorSettings& settings, const Piece& piece,
            int64_t now)
      : c_(connection), definition_(definition), settings_(settings), now_(now) {
    for (const Found& one : piece.found) found_[one.candidate.configuration] = &one;
  }

  // `stored_by`: the harvests whose payloads are not stored again.
  Result<void> prepare(const std::vector<int64_t>& stored_by) {
    TRY(auto own, trap_patterns(definition_.traps));
    traps_ = std::move(own);
    TRY(const auto lists, list_trap_lists(c_));
    for (const TrapList& list : lists) {
      if (!list.is_active) continue;
      TRY(const auto patterns, trap_patterns(list.traps));
      traps_.insert(traps_.end(), patterns.begin(), patterns.end());
    }
    TRY(channel_, c_.number("SELECT channel_id FROM definitions WHERE id = ?", Values(definition_.id)));
    return read_earlier(stored_by);
  }

  Result<void> write(JobPlan plan) {
    JobParts parts;
    parts.plan = std::move(plan);
    TRY(parts.from, template_of(parts.plan));
    TRY_VOID(collect(parts));
    TRY(parts.job, insert(parts));
    parts.definition = definition_.id;
    parts.definition_name = definition_.name;
    parts.audience = definition_.audience;
    parts.run = definition_.runs;
    parts.max_seconds = definition_.max_seconds;
    parts.max_silence = settings_.max_silence;
    parts.max_idle = settings_.max_idle;
    parts.contact = settings_.contact;
    parts.earlier_jobs = earlier_;
    std::vector<Values> files;
    for (const TemplateFile& file : job_files_of(parts)) files.emplace_back(parts.job, file.name, file.text);
    TRY_VOID(c_.insert_all("INSERT INTO job_files (job_id, name, text) VALUES", files));
    std::vector<Values> members;
    for (const Candidate& member : parts.plan.members)
      members.emplace_back(parts.job, member.configuration, member.domain, member.limits.objects, member.limits.bytes,
                           member.expected);
    ++jobs;
    return c_.insert_all(
        "INSERT INTO job_configurations (job_id, configuration_id, domain_id, max_objects, max_bytes, "
        "expected) VALUES",
        members);
  }

  int64_t jobs = 0;

 private:
  Result<void> read_earlier(const std::vector<int64_t>& stored_by) {
    Values values;
    for (const int64_t id : stored_by) values.add(id);
    values.add(settings_.earlier_jobs);
    return c_.each(
        fmt::format("SELECT j.id FROM jobs j WHERE j.definition_id IN ({}) AND EXISTS (SELECT 1 FROM stored_files s "
                    "WHERE s.job_id = j.id AND s.kind = 'digests') ORDER BY j.id DESC LIMIT ?",
                    question_marks(stored_by.size())),
        values, [&](const Row& row) { earlier_.push_back(row.number(0)); });
  }

  Result<Template> template_of(const JobPlan& plan) {
    auto known = templates_.find(plan.template_id);
    if (known == templates_.end()) {
      TRY(Template found, find_template(c_, plan.template_name));
      known = templates_.emplace(plan.template_id, std::move(found)).first;
    }
    if (!known->second.is_active)
      return fail(ErrorCode::config, fmt::format("the template '{}' is switched off", plan.template_name));
    return known->second;
  }

  Result<void> collect(JobParts& parts) {
    TRY(parts.excluded, excluded_by(parts.from.yaml, parts.plan.overrides));
    parts.excluded.insert(parts.excluded.end(), traps_.begin(), traps_.end());
    std::vector<int64_t> configurations, domains;
    for (const Candidate& member : parts.plan.members) {
      for (std::string& seed : crawlable_seeds(found_.at(member.configuration)->seeds))
        parts.seeds.push_back(std::move(seed));
      configurations.push_back(member.configuration);
      domains.push_back(member.domain);
    }
    parts.seed_domains = seed_domains_of(parts.plan);
    TRY_VOID(collect_traps(parts));
    TRY_VOID(in_parts(configurations, [&](const std::string& marks, const Values& values) {
      return c_.each(
          fmt::format("SELECT d.name, k.url, k.realm, k.username, k.password FROM configuration_credentials l "
                      "JOIN credentials k ON k.id = l.credential_id JOIN domains d ON d.id = k.domain_id "
                      "WHERE l.configuration_id IN ({}) ORDER BY d.name, k.name",
                      marks),
          values, [&](const Row& row) {
            parts.logins.push_back({row.text(0), row.text(1), row.text(2), row.text(3), row.text(4)});
          });
    }));
    return in_parts(domains, [&](const std::string& marks, const Values& values) {
      return c_.each(fmt::format("SELECT a.name, d.name FROM domains a JOIN domains d ON d.id = a.alias_of_id "
                                 "WHERE a.alias_of_id IN ({}) ORDER BY a.name",
                                 marks),
                     values, [&](const Row& row) { parts.aliases.emplace_back(row.text(0), row.text(1)); });
    });
  }

  // Domains of seeds that the job has not; the first that has a seed there has it.
  std::map<std::string, std::vector<std::string>> seed_domains_of(const JobPlan& plan) const {
    std::set<std::string, std::less<>> known;
    for (const Candidate& member : plan.members) known.insert(member.domain_name);
    std::map<std::string, std::vector<std::string>> others;
    for (const Candidate& member : plan.members)
      for (const std::string_view seed : live_seeds(found_.at(member.configuration)->seeds))
        if (auto other = domain_of_url(seed); other && known.insert(*other).second)
          others[member.domain_name].push_back(*std::move(other));
    return others;
  }

  // A domain's traps hold for it alone, and for where its seeds are.
  Result<void> collect_traps(JobParts& parts) const {
    std::map<std::string, std::vector<std::string>> domains;
    for (const Candidate& member : parts.plan.members) {
      const std::string& traps = found_.at(member.configuration)->traps;
      if (traps.empty()) continue;
      std::vector<std::string>& those = domains[traps];
      those.push_back(member.domain_name);
      if (const auto others = parts.seed_domains.find(member.domain_name); others != parts.seed_domains.end())
        those.insert(those.end(), others->second.begin(), others->second.end());
    }
    if (domains.empty()) return {};
    TRY(parts.rules, scope_rules_of(parts.from.yaml, parts.plan.overrides));
    for (auto& [traps, those] : domains) {
      TRY(auto patterns, trap_patterns(traps));
      if (!patterns.empty()) parts.traps.push_back({std::move(patterns), std::move(those)});
    }
    return {};
  }

  Result<int64_t> insert(const JobParts& parts) {
    const JobPlan& plan = parts.plan;
    return c_.number(
        "INSERT INTO jobs (definition_id, run, channel_id, state, template_id, template_name, overrides, max_objects, "
        "max_bytes, max_seconds, expected, configurations, seed_count, created, harvester, wish, harvest_error, "
        "harvest_details, upload_error, upload_details, command, exit, latest, verdict, verdict_note, objects, bytes) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '', '', '', '', '', '', '', '', '', '', '', 0, 0) RETURNING "
        "id",
        Values(definition_.id, definition_.runs, channel_, name_of(JobState::created), plan.template_id,
               plan.template_name, plan.overrides, plan.limits.objects, plan.limits.bytes, definition_.max_seconds,
               plan.expected, plan.members.size(), parts.seeds.size(), now_));
  }

  Connection& c_;
  const Definition& definition_;
  const GeneratorSettings& settings_;
  const int64_t now_;
  int64_t channel_ = 0;
  std::map<int64_t, const Found*> found_;
  std::map<int64_t, Template> templates_;
  std::vector<std::string> traps_;
  std::vector<int64_t> earlier_;
};

Result<Definition> definition_by_id(Connection& c, int64_t id) {
  TRY(const auto row, c.row("SELECT name FROM definitions WHERE id = ?", Values(id)));
  if (!row) return fail(ErrorCode::not_found, "the harvest is gone");
  return find_definition(c, row->text(0));
}

// The harvest, and those that it is based on, the nearest first.
Result<std::vector<int64_t>> chain_of(Connection& c, int64_t id) {
  std::vector<int64_t> chain;
  while (id != 0 && std::ranges::count(chain, id) == 0) {
    chain.push_back(id);
    TRY(id, c.number("SELECT based_on_id FROM definitions WHERE id = ?", Values(id)));
  }
  return chain;
}

// The harvests whose payloads are not stored again: the chain, and of a snapshot the whole chain before, too. That ends with the
// snapshot that was the last to begin before the first one of this chain had.
Result<std::vector<int64_t>> stored_by(Connection& c, const Definition& one, std::vector<int64_t> chain) {
  if (one.kind != "snapshot") return chain;
  constexpr std::string_view kFirstJob = "(SELECT min(j.id) FROM jobs j WHERE j.definition_id = d.id)";
  TRY(const int64_t begun, c.number(fmt::format("SELECT coalesce({}, 0) FROM definitions d WHERE d.id = ?", kFirstJob),
                                    Values(chain.back())));
  constexpr int64_t kNotBegun = std::numeric_limits<int64_t>::max();
  TRY(const int64_t last,
      c.number(fmt::format("SELECT p.id FROM (SELECT d.id, {} AS first FROM definitions d WHERE d.kind = 'snapshot') p "
                           "WHERE p.first < ? ORDER BY p.first DESC LIMIT 1",
                           kFirstJob),
               Values(begun > 0 ? begun : kNotBegun)));
  TRY(const auto before, chain_of(c, last));
  for (const int64_t id : before)
    if (std::ranges::count(chain, id) == 0) chain.push_back(id);
  return chain;
}

// Says what the harvest has to wait for, in words; empty if for nothing.
Result<std::string> waits_for(Connection& c, const Definition& one, const std::vector<int64_t>& chain,
                              const GeneratorSettings& settings, int64_t now) {
  if (one.kind != "snapshot" && settings.waits_for_harvesters) {
    TRY(const bool is_served, is_channel_served(c, one.channel, now - settings.harvester_silence));
    if (!is_served) return fmt::format("a harvester on the channel {}", one.channel);
  }
  if (chain.size() < 2) return std::string();
  TRY(const auto base,
      c.row("SELECT runs, generating_after, (SELECT count(*) FROM jobs j WHERE j.definition_id = d.id AND "
            "j.state IN ('NEW', 'SUBMITTED', 'STARTED')) FROM definitions d WHERE d.id = ?",
            Values(chain[1])));
  if (base->number(0) == 0 || base->number(1) > 0) return fmt::format("{} to run", one.based_on);
  if (base->number(2) > 0)
    return fmt::format("{} of {} to end", counted(static_cast<uint64_t>(base->number(2)), "job"), one.based_on);
  return std::string();
}

// A run so far, or a piece of it, with some of the domains whose configurations were left out.
struct Made {
  Generated sums;
  std::vector<std::string> left_out;
};

// "; 3 configurations were left out, …", if any were.
std::string left_out_in_words(const Made& made) {
  const int64_t all = made.sums.left_out;
  if (all == 0) return {};
  const auto named = static_cast<int64_t>(made.left_out.size());
  return fmt::format("; {} {} left out, without live seeds or with a limit of 0: {}{}",
                     counted(static_cast<uint64_t>(all), "configuration"), all == 1 ? "was" : "were",
                     fmt::join(made.left_out, ", "), all > named ? fmt::format(" and {} more", all - named) : "");
}

std::string missed_in_words(int64_t missed) {
  if (missed == 0) return {};
  return fmt::format("; {} had passed, and {} left out", counted(static_cast<uint64_t>(missed), "date"),
                     missed == 1 ? "was" : "were");
}

// A run that was asked for since the claim is still to be made.
Result<void> set_next(Connection& c, const Definition& one, const Claim& claim, Made& made, int64_t now) {
  NextRun next;
  if (one.kind != "snapshot") {
    TRY(const NamedSchedule schedule, find_schedule(c, one.schedule));
    const Moment planned{std::chrono::seconds(one.next_run.value_or(now))};
    TRY(const int64_t dates, dates_had(c, one));
    if (claim.is_extra) {
      next.at = planned;
    } else {
      TRY(next, next_run(schedule.schedule, planned, dates + 1, Moment(std::chrono::seconds(now))));
    }
  }
  made.sums.missed = next.missed;
  const std::optional<int64_t> at =
      next.at ? std::optional<int64_t>(next.at->time_since_epoch().count()) : std::optional<int64_t>();
  TRY_VOID(
      c.execute("UPDATE definitions SET next_run = ?, is_active = ?, runs = runs + 1, extra_runs = extra_runs + ?, "
                "dated_run = CASE WHEN ? = 1 THEN dated_run ELSE runs END, missed = missed + ?, generating_after = 0, "
                "generating_until = 0, waits = '', asked = CASE WHEN asked = ? THEN 0 ELSE asked END, "
                "edition = edition + 1 WHERE id = ?",
                Values(at, at.has_value(), claim.is_extra, claim.is_extra, next.missed, claim.asked, one.id)));
  return record_change(
      c, {"scheduler", now}, "harvest", one.name,
      fmt::format("run {} was generated: {}{}{}{}", one.runs, counted(static_cast<uint64_t>(made.sums.jobs), "job"),
                  left_out_in_words(made), missed_in_words(next.missed),
                  one.kind != "snapshot" && !at ? "; its schedule has no more dates" : ""));
}

void leave_out(Made& made, const Candidate& one) {
  ++made.sums.left_out;
  if (made.left_out.size() < kMostNamed) made.left_out.push_back(shown_domain(one.domain_name));
}

Result<void> split(std::vector<Found>& found, const Definition& one, const GeneratorSettings& settings,
                   JobWriter& writer, Made& made) {
  std::vector<Candidate> candidates;
  for (Found& each : found) {
    if (live_seeds(each.seeds).empty()) {
      leave_out(made, each.candidate);
      continue;
    }
    each.candidate.expected = expected_objects(settings.expectation, each.precedent, each.candidate.limits, one.limits);
    candidates.push_back(each.candidate);
  }
  sort_candidates(candidates, one.limits);
  SplitSettings rules = settings.split;
  rules.leave_out_zero_budget = true;  // a crawl cannot be told to fetch nothing of a domain
  std::set<int64_t> taken;
  JobSplitter splitter(rules, one.limits, [&](JobPlan plan) {
    made.sums.configurations += static_cast<int64_t>(plan.members.size());
    for (const Candidate& member : plan.members) taken.insert(member.configuration);
    return writer.write(std::move(plan));
  });
  for (const Candidate& candidate : candidates) TRY_VOID(splitter.add(candidate));
  TRY_VOID(splitter.finish());
  for (const Candidate& candidate : candidates)
    if (!taken.contains(candidate.configuration)) leave_out(made, candidate);
  return {};
}

struct PieceDone {
  Made made;
  int64_t until = 0;  // the claim of what follows
  bool is_last = false;
  std::string waits;     // for that it waits: nothing was done
  bool is_lost = false;  // somebody else generates it, or has, or it was deactivated: nothing was done
};

Result<PieceDone> generate_piece(Connection& c, int64_t id, const Claim& claim, const GeneratorSettings& settings,
                                 int64_t now) {
  PieceDone piece_done;
  piece_done.until = now + settings.claim;
  TRY(const auto held, c.row("SELECT generating_until, is_active FROM definitions WHERE id = ?", Values(id)));
  if (!held || held->number(0) != claim.until || !held->flag(1)) {
    piece_done.is_lost = true;
    return piece_done;
  }
  TRY(const Definition one, definition_by_id(c, id));
  TRY(const auto chain, chain_of(c, id));
  TRY(const int64_t after, c.number("SELECT generating_after FROM definitions WHERE id = ?", Values(id)));
  if (after == 0) {
    TRY(piece_done.waits, waits_for(c, one, chain, settings, now));
    if (!piece_done.waits.empty()) return piece_done;
  }
  const std::optional<int64_t> base = chain.size() > 1 ? std::optional(chain[1]) : std::nullopt;
  TRY(Piece piece, read_piece(c, one, base, after, settings, now));
  TRY_VOID(read_seeds(c, piece));
  JobWriter writer(c, one, settings, piece, now);
  TRY(const auto harvests, stored_by(c, one, chain));
  TRY_VOID(writer.prepare(harvests));
  TRY_VOID(split(piece.found, one, settings, writer, piece_done.made));
  piece_done.made.sums.jobs = writer.jobs;
  piece_done.is_last = piece.is_last;
  if (!piece.is_last)
    TRY_VOID(c.execute("UPDATE definitions SET generating_after = ?, generating_until = ?, waits = '' WHERE id = ?",
                       Values(piece.last, piece_done.until, id)));
  return piece_done;
}

void add(Made& to, const Made& more) {
  to.sums.jobs += more.sums.jobs;
  to.sums.configurations += more.sums.configurations;
  to.sums.left_out += more.sums.left_out;
  for (const std::string& name : more.left_out)
    if (to.left_out.size() < kMostNamed) to.left_out.push_back(name);
}

}  // namespace

int64_t Generator::now() const {
  return std::chrono::duration_cast<std::chrono::seconds>(clock_.wall().time_since_epoch()).count();
}

Result<std::vector<int64_t>> Generator::due() const {
  return database_.read([&](Connection& c) -> Result<std::vector<int64_t>> {
    std::vector<int64_t> ids;
    TRY_VOID(c.each(
        "SELECT id FROM definitions WHERE is_active = 1 AND (next_run <= ? OR asked > 0) AND generating_until <= ? "
        "ORDER BY next_run, id",
        Values(now(), now()), [&](const Row& row) { ids.push_back(row.number(0)); }));
    return ids;
  });
}

Result<std::optional<Claim>> Generator::claim(int64_t definition) const {
  return database_.write([&](Connection& c) -> Result<std::optional<Claim>> {
    const int64_t at = now(), until = at + settings_.claim;
    TRY(const auto claimed, c.row("UPDATE definitions SET generating_until = ? WHERE id = ? AND is_active = 1 AND "
                                  "(next_run <= ? OR asked > 0) AND generating_until <= ? RETURNING asked, next_run",
                                  Values(until, definition, at, at)));
    if (!claimed) return std::optional<Claim>();
    const int64_t asked = claimed->number(0);
    return std::optional(Claim{until, asked, asked > 0 && claimed->number(1) > at});
  });
}

Result<std::optional<Generated>> Generator::generate(int64_t definition) const {
  TRY(const std::optional<Claim> mine, claim(definition));
  if (!mine) return std::optional<Generated>();
  auto generated = generate_claimed(definition, *mine);
  if (generated) return generated;
  // A database that is away says nothing of the harvest, which is due again when its claim has ended.
  if (generated.error().code == ErrorCode::closed || generated.error().code == ErrorCode::timeout) return generated;
  const std::string why = generated.error().message;
  TRY_VOID(database_.transact([&](Connection& c) -> Result<void> {
    TRY(const Definition one, definition_by_id(c, definition));
    return deactivate(c, one.name, why, {"scheduler", now()});
  }));
  return generated;
}

Result<std::optional<Generated>> Generator::generate_claimed(int64_t definition, Claim claim) const {
  Made all;
  for (;;) {
    TRY(const PieceDone piece, database_.write([&](Connection& c) -> Result<PieceDone> {
      TRY(PieceDone made, generate_piece(c, definition, claim, settings_, now()));
      if (!made.waits.empty())
        TRY_VOID(c.execute("UPDATE definitions SET generating_until = 0, waits = ? WHERE id = ?",
                           Values(made.waits, definition)));
      if (!made.is_last) return made;
      TRY(const Definition one, definition_by_id(c, definition));
      Made total = all;
      add(total, made.made);
      TRY_VOID(set_next(c, one, claim, total, now()));
      made.made.sums.missed = total.sums.missed;
      return made;
    }));
    if (!piece.waits.empty() || piece.is_lost) return std::optional<Generated>();
    claim.until = piece.until;
    add(all, piece.made);
    all.sums.missed = piece.made.sums.missed;
    if (piece.is_last) return std::optional(all.sums);
  }
}

}  // namespace caddis::harvest
