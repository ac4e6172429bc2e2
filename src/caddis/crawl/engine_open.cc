// How an engine begins: a new launch, or the latest one again from exactly where its state was committed.

#include <fmt/format.h>

#include <algorithm>

#include "caddis/archive/warcinfo.h"
#include "caddis/base/log.h"
#include "caddis/base/strings.h"
#include "caddis/base/version.h"
#include "caddis/commit/committer.h"
#include "caddis/config/seeds.h"
#include "caddis/crawl/checkpoint.h"
#include "caddis/crawl/engine.h"
#include "caddis/crawl/folders.h"
#include "caddis/crawl/follow_sheets.h"
#include "caddis/crawl/going_back.h"
#include "caddis/crawl/memory_shares.h"
#include "caddis/crawl/meta_rows.h"
#include "caddis/crawl/outputs.h"
#include "caddis/crawl/scheduled_url.h"
#include "caddis/crawl/state_format.h"
#include "caddis/crawl/store_layout.h"
#include "caddis/crawl/visit_ledger.h"
#include "caddis/settings/render.h"
#include "caddis/url/public_form.h"

namespace caddis::crawl {
namespace {

// What sheets make of the policy: "; ignore (sheet near)".
std::string robots_in_sheets(const settings::Sheets& sheets) {
  const settings::Field* const policy = settings::schema_of<robots::RobotsSettings>().find("policy");
  std::string out;
  for (const settings::Sheet& sheet : sheets)
    for (const auto& entry : sheet.values.entries())
      if (entry.field == policy) out += fmt::format("; {} (sheet {})", entry.field->write(entry.value), sheet.name);
  return out;
}

// For the record: the policy, and by whose names it goes.
std::string robots_name(const robots::RobotsSettings& settings) {
  const std::string name(robots::to_string(settings.policy));
  if (settings.policy == robots::RobotsPolicy::first_named || settings.policy == robots::RobotsPolicy::most_favored)
    return fmt::format("{} ({})", name, fmt::join(settings.agents, ", "));
  return name;
}

// For crawl.yaml and the state, which others may read: without secrets.
std::string effective_yaml(const config::Settings& settings) { return settings_yaml(settings); }
std::string secrets_yaml(const config::Settings& settings) { return settings_yaml(settings, settings::Secrets::only); }

constexpr std::string_view kContactHelp =
    "a contact is needed, so that site owners can reach you: give --contact URL-or-address, or set CADDIS_CONTACT, or "
    "write "
    "'contact: …' below 'crawl:' into ~/.config/caddis/caddis.yaml";

// Adds the seeds of the settings; those that cannot be used are put into `problems`. Fails where nothing is left to
// crawl and there are no `others` either, or where nobody could be reached about it.
Result<void> add_seeds(const config::CrawlSettings& settings, bool others, std::vector<url::Url>& seeds,
                       config::SeedProblems& problems) {
  for (const std::string& text : settings.seeds) {
    auto seed = config::parse_seed(text);
    if (seed)
      seeds.push_back(*std::move(seed));
    else
      problems.add(std::move(seed).error().message);
  }
  if (seeds.empty() && !(others && problems.empty()))
    return fail(ErrorCode::config, problems.empty() ? "nothing to crawl: give at least one URL, or --seeds FILE"
                                                    : fmt::format("{}", fmt::join(problems.told(), "\n")));
  if (settings.contact.empty() && (seeds.empty() || !config::only_loopback(seeds)))
    return fail(ErrorCode::config, std::string(kContactHelp));
  return {};
}

// Whether URLs that wait may not belong to the crawl any more.
bool is_of_scope(const settings::Change& change) {
  return change.section == "scope" || change.section == "sheets: scope";
}

Privacy privacy_of(const config::Settings& settings) {
  return settings.crawl.is_private ? Privacy::launch : Privacy::state;
}

// Null where no file is given.
Result<std::shared_ptr<const frontier::Precedences>> load_precedences(const config::Settings& settings,
                                                                      io::Files& files,
                                                                      const frontier::Identity& identity) {
  std::shared_ptr<const frontier::Precedences> none;
  const std::string& path = settings.frontier.precedences;
  if (path.empty()) return none;
  TRY(auto listed, frontier::Precedences::load(files, path, identity, memory_shares(settings).precedences));
  return std::make_shared<const frontier::Precedences>(std::move(listed));
}

}  // namespace

// What is wrong with the settings of a new crawl is said before a folder is made.
Result<void> Engine::check_beginning(const LaunchOptions& options) {
  const config::Settings& settings = options.settings;
  const bool waits_in_log = options.recover && !options.recover->include_only;
  TRY_VOID(validate(settings));
  TRY(precedences_, load_precedences(settings, world_.files, identity_));
  std::vector<url::Url> seeds;
  config::SeedProblems problems;
  TRY_VOID(add_seeds(settings.crawl, waits_in_log, seeds, problems));
  TRY(const auto scope, scope::Scope::create(settings.scope, seeds));
  return {};
}

Result<void> Engine::begin(const LaunchOptions& options) {
  if (options.recover) TRY_VOID(look_at_recovery_log(world_.files, options.recover->path));
  resumes_ = options.resume;
  launch_.collection = options.collection;
  identity_ = frontier::Identity::draw(random_);  // of a launch that has none yet
  if (resumes_) {
    TRY(const auto latest, latest_launch(world_.files, options.collection));
    if (!latest)
      return fail(ErrorCode::not_found, fmt::format("there is no crawl to resume in {}", options.collection));
  } else {
    if (options.from_checkpoint.empty()) TRY_VOID(check_beginning(options));
    new_folders_ = missing_folders(world_.files, options.collection);
  }
  TRY(lock_, lock_collection(world_.files, options.collection, fmt::format("{} on {}", world_.pid, world_.hostname)));
  TRY(auto back, open_launch(options));
  const bool resumed = !is_new_;
  groups_.most = world_.groups_kept;
  streams_ = nullptr;
  const std::string orphans = back ? back->aside() : launch_.state() + "/orphans";
  TRY(streams_, store::StreamSet::open(world_.files, *kv_, kStreams, orphans, launch_.collection));
  if (back) TRY_VOID(back->move_later_files(*kv_));
  if (resumed) TRY_VOID(recover_streams(options, back ? &*back : nullptr));
  if (back) TRY_VOID(back->finish());
  TRY_VOID(look_at_checkpoints());
  keep_private(privacy_of(settings_));
  TRY_VOID(open_seen(resumed));
  TRY_VOID(statistics_.load(*kv_, kStatistics));
  for (const std::string& line : options.unusable_seeds) statistics_.seeds().add_unusable(line);
  TRY_VOID(open_frontier());
  TRY_VOID(open_outputs());
  TRY_VOID(open_lanes());
  TRY_VOID(queue_what_was_lost());
  TRY_VOID(open_actions());
  if (back) {
    TRY(const auto serial, kv_->get(kMeta, kSerialRow));
    const std::string story = back->story(serial.value_or("0"));
    notices_.push_back(story);
    note(story);
  }
  if (resumes_) TRY_VOID(note_recovery(options));
  TRY_VOID(begin_recovery());
  // The seeds come after it: they may be among what is finished.
  if (!recover_) TRY_VOID(inject_seeds());
  return resumes_ ? store_settings() : Result<void>();
}

// A disk that has no such modes, or files of somebody else, are no reason not to go on.
void Engine::keep_private(Privacy privacy) {
  if (const auto kept = crawl::keep_private(world_.files, launch_, privacy); !kept)
    notices_.push_back(
        fmt::format("other users may read of this crawl what they should not: {}", kept.error().message));
}

// Gives what is to be finished where it goes back to a checkpoint.
Result<std::optional<GoingBack>> Engine::open_launch(const LaunchOptions& options) {
  std::optional<GoingBack> back;
  if (!options.resume && !options.from_checkpoint.empty()) {
    TRY_VOID(begin_from_checkpoint(options));
    return back;
  }
  if (options.resume) {
    TRY(auto latest, latest_launch(world_.files, options.collection));
    if (!latest)
      return fail(ErrorCode::not_found, fmt::format("there is no crawl to resume in {}", options.collection));
    launch_ = *std::move(latest);
    keep_private(Privacy::state);
    TRY_VOID(make_missing_folders(world_.files, launch_));
    TRY_VOID(look_at_checkpoint(options));
    TRY(back, GoingBack::begin(world_.files, world_.open_kv, launch_, options.checkpoint));
  } else {
    settings_ = options.settings;
    TRY(launch_, create_launch(world_.files, options.collection, settings_.crawl.name, world_.clock.wall(),
                               privacy_of(settings_)));
    TRY_VOID(note_recovery(options));
    TRY_VOID(write_settings());
  }
  const bool had_store = world_.files.exists(launch_.state() + "/db");
  TRY(kv_, world_.open_kv(launch_.state() + "/db", family_names()));
  TRY(const auto format, kv_->get(kMeta, kFormatRow));
  is_new_ = !format.has_value();
  if (is_new_ && options.resume) {
    if (auto refused = refuse_without_state(); !refused) {
      // An empty store would stand in the way of who puts the state back.
      kv_.reset();
      if (!had_store) remove_tree(world_.files, launch_.state() + "/db");
      return std::unexpected(std::move(refused).error());
    }
  }
  if (is_new_) {
    TRY_VOID(options.resume ? begin_again(options) : write_state());
    return back;
  }
  TRY_VOID(check_format(*format, launch_.folder()));
  TRY_VOID(read_state(options));
  return back;
}

// It died before its state was written: everything it began with stands in its crawl.yaml.
Result<void> Engine::begin_again(const LaunchOptions& options) {
  TRY_VOID(load_settings_file(world_.files, launch_.settings_file(), settings_));
  TRY_VOID(load_secrets(settings_));
  TRY_VOID(write_state());
  if (!options.overlay) return {};
  settings_changed_ = true;
  TRY_VOID(options.overlay(settings_));
  return validate(settings_);
}

// Nothing is logged before the state has its first rows: where something is, they have been taken away.
Result<void> Engine::refuse_without_state() {
  for (const char* log : {"/crawl.log", "/progress-statistics.log", "/pages.jsonl"}) {
    const std::string path = launch_.logs() + log;
    if (!world_.files.exists(path)) continue;
    TRY(const auto file, world_.files.open_read(path));
    TRY(const uint64_t bytes, file->size());
    if (bytes == 0) continue;
    TRY(const Checkpoints checkpoints, list_checkpoints(world_.files, launch_));
    return fail(ErrorCode::corrupt,
                fmt::format("{0}/db does not have the state of this crawl, though {1} says that it has begun: put {0} "
                            "back as it was when the crawl last ran{2}, or begin a new crawl without --resume",
                            launch_.state(), path,
                            checkpoints.complete.empty()
                                ? ""
                                : ", go back to a checkpoint ('caddis crawl --resume --checkpoint latest')"));
  }
  return {};
}

// What somebody has written into crawl.yaml since the crawl wrote it, and did not give anew: it is a record, and not
// read.
void Engine::tell_of_edits(const config::Settings& stored) {
  const std::string path = launch_.settings_file();
  if (!world_.files.exists(path)) return;
  config::Settings edited;
  std::string what;
  const auto read = [&]() -> Result<void> {
    TRY_VOID(load_settings_file(world_.files, path, edited));
    TRY_VOID(load_secrets(edited));
    TRY(const auto edits, allowed_changes(stored, edited));
    TRY(const auto differ, allowed_changes(settings_, edited));
    for (const settings::Change& change : differ) {
      const bool is_edit = std::ranges::any_of(edits, [&](const settings::Change& edit) {
        return edit.section == change.section && edit.name == change.name;
      });
      if (is_edit)
        what += fmt::format("{}{}.{} is {} there, and stays {}", what.empty() ? "" : "; ", change.section, change.name,
                            change.after, change.before);
    }
    return {};
  };
  if (const auto done = read(); !done) what = done.error().message;
  if (what.empty()) return;
  notices_.push_back(fmt::format(
      "{} was changed, but it only tells what the crawl goes by, and is not read: {}. To change settings, give a file "
      "with --config when the crawl is resumed, or 'caddis resume --set' while it runs",
      path, what));
}

// Whether there is nothing to keep, or it is kept.
Result<bool> Engine::has_secrets_file() {
  const std::string secrets = secrets_yaml(settings_);
  if (!world_.files.exists(launch_.secrets_file())) return secrets == secrets_yaml(config::Settings());
  TRY(const std::string kept, world_.files.read_all(launch_.secrets_file()));
  return kept == secrets;
}

// The secrets first: a launch whose crawl.yaml is there has everything that it goes on with.
Result<void> Engine::write_settings() {
  TRY(const bool are_secrets_kept, has_secrets_file());
  if (!are_secrets_kept)
    TRY_VOID(world_.files.write_atomically_private(launch_.secrets_file(), secrets_yaml(settings_)));
  return world_.files.write_atomically(launch_.settings_file(), effective_yaml(settings_));
}

Result<void> Engine::load_secrets(config::Settings& into) {
  const std::string path = launch_.secrets_file();
  if (!world_.files.exists(path)) return {};
  TRY(const std::string yaml, world_.files.read_all(path, settings::kMostYaml));
  return config::load_secrets(yaml, path, into);
}

Result<void> Engine::write_state() {
  store::Batch batch;
  batch.put(kMeta, std::string(kFormatRow), std::string(kFormat));
  batch.put(kMeta, std::string(kIdentityRow), fmt::format("{} {}", identity_.key.k0, identity_.key.k1));
  batch.put(kMeta, std::string(kSettingsRow), effective_yaml(settings_));
  return kv_->write(batch, store::Durability::synced);
}

Result<void> Engine::read_state(const LaunchOptions& options) {
  TRY(const auto identity, kv_->get(kMeta, kIdentityRow));
  if (!identity) return fail(ErrorCode::corrupt, launch_.state() + "/db lacks the rows that a crawl begins with");
  identity_ = read_identity(*identity);
  config::Settings stored;
  TRY(const auto changes, read_settings(*kv_, options, stored));
  for (const settings::Change& change : changes)
    notices_.push_back(
        fmt::format("{}.{} changed from {} to {}", change.section, change.name, change.before, change.after));
  tell_of_edits(stored);
  settings_changed_ = !changes.empty();
  TRY(const auto changed_before, kv_->get(kMeta, kScopeChangedRow));
  has_scope_changed_ = changed_before.has_value() || std::ranges::any_of(changes, is_of_scope);
  return {};
}

// Those that were stored become the settings, with what is given anew; gives what that changes.
Result<std::vector<settings::Change>> Engine::read_settings(store::Kv& kv, const LaunchOptions& options,
                                                            config::Settings& stored) {
  TRY(const auto yaml, kv.get(kMeta, kSettingsRow));
  if (!yaml) return fail(ErrorCode::corrupt, launch_.state() + "/db lacks the settings of the crawl");
  TRY_VOID(load_settings(*yaml, "the state's settings", stored));
  TRY_VOID(load_secrets(stored));
  settings_ = stored;
  if (options.overlay) TRY_VOID(options.overlay(settings_));
  TRY_VOID(validate(settings_));
  return allowed_changes(stored, settings_);
}

// Of a crawl that is resumed, and last of all: should it be refused, what it was given is forgotten.
Result<void> Engine::store_settings() {
  // A launch of before may show in its crawl.yaml what is secret now.
  TRY(const bool are_secrets_kept, has_secrets_file());
  if (settings_changed_ || !are_secrets_kept) TRY_VOID(write_settings());
  store::Batch batch;
  batch.put(kMeta, std::string(kSettingsRow), effective_yaml(settings_));
  if (has_scope_changed_) batch.put(kMeta, std::string(kScopeChangedRow), "");
  return kv_->write(batch, store::Durability::synced);
}

Result<void> Engine::open_seen(bool resumed) {
  seen_.spill_to(world_.files, launch_.state() + "/seen-runs", memory_shares(settings_).seen, groups_.most);
  if (!resumed) return {};
  TRY(const auto runs, kv_->get(kMeta, kSeenRunsRow));
  const store::LogParts parts = streams_->parts(kSeenStream);
  store::SeenLog log{.parts = {}, .released = parts.released / sizeof(uint64_t), .is_torn = lost_.is_seen_torn};
  for (const auto& part : parts.parts) log.parts.push_back(part.path);
  TRY(const std::string notice, seen_.load(world_.files, runs, log));
  if (notice.empty()) return {};
  notices_.push_back(notice);
  lost_.reports.push_back(notice);
  return {};
}

Result<void> Engine::open_sites() {
  TRY(auto book, config::SettingsResolver::create(settings_, scope_->rules()));
  sites_.emplace(std::move(book));
  return {};
}

Result<void> Engine::open_frontier() {
  TRY(auto seeds, seeds_on_record());
  // A new crawl was looked at before; one that is resumed began with something.
  const size_t on_record = seeds.size();
  config::SeedProblems problems;
  TRY_VOID(add_seeds(settings_.crawl, true, seeds, problems));
  for (size_t i = on_record; i < seeds.size(); ++i) addresses_.take_seed(seeds[i]);
  // Told where they were given: not whenever the crawl is resumed.
  if (!resumes_)
    for (std::string& problem : problems.told()) notices_.push_back(std::move(problem));
  TRY(scope_, scope::Scope::create(settings_.scope, seeds));
  TRY_VOID(open_sites());
  frontier::Frontier::Options options{settings_.politeness, settings_.frontier, identity_,
                                      fetch::product_token(settings_.fetch),
                                      settings_.robots.policy != robots::RobotsPolicy::ignore};
  options.resolve_names = settings_.fetch.proxy.empty();
  options.hosts_in_memory = hosts_in_memory(settings_);
  options.quota = settings_.quota;
  follow_sheets(options, sites_);
  options.may_connect = [this](const std::string& host, const std::string& address) {
    return !addresses_.refusal({address, 0}, sites_->of_host(host).fetch.allow_addresses);
  };
  options.importance_memory = memory_shares(settings_).importance;
  TRY(options.again, frontier::Again::parse(settings_.fetch.again));
  if (!precedences_) {
    TRY(precedences_, load_precedences(settings_, world_.files, identity_));
  }
  options.precedences = std::move(precedences_);
  TRY(frontier_, frontier::Frontier::open(options, kFrontierFamilies, *kv_, seen_, world_.clock));
  return {};
}

Result<void> Engine::open_outputs() {
  Outputs::Options options;
  archive::Provenance& provenance = options.warc.provenance;
  provenance.software = fmt::format("Caddis/{}", kVersion);
  const std::string& own_name = settings_.archive.host_name;
  provenance.hostname = own_name.empty() ? world_.hostname : own_name;
  provenance.ip = world_.address;
  provenance.contact = settings_.crawl.contact;
  const std::string user_agent = fetch::user_agent(settings_.fetch, settings_.crawl.contact);
  provenance.user_agent = fetch::header_as_sent(settings_.fetch, "User-Agent", user_agent);
  provenance.from = fetch::header_as_sent(settings_.fetch, "From", settings_.fetch.from);
  provenance.robots = robots_name(settings_.robots) + robots_in_sheets(settings_.sheets);
  provenance.crawl_key_rules = url::policy_rules(settings_.crawl.crawl_key);
  provenance.index_key_rules = url::policy_rules(url::Policy::ia_surt);
  provenance.crawl = launch_.name;
  options.warc.folder = launch_.archive();
  options.warc.settings = settings_.archive;
  options.warc.pid = world_.pid;
  options.warc.port = world_.control_port;
  TRY(const auto serial, kv_->get(kMeta, kSerialRow));
  options.warc.next_serial = static_cast<uint64_t>(parse_int(serial.value_or("0")).value_or(0));
  options.undo = groups_;
  options.writes_recovery_log = settings_.crawl.recovery_log;
  const Outputs::Sources sources{world_.clock, writer_random_, *frontier_, seen_, statistics_};
  outputs_ = std::make_unique<Outputs>(launch_, std::move(options), sources);
  committer_ = std::make_unique<commit::Committer>(world_.loop, world_.blocking, *streams_, *kv_);
  ledger_ = std::make_unique<VisitLedger>(world_.clock, *frontier_, *committer_);
  return outputs_->add_to(*committer_, *ledger_, events_);
}

Result<void> Engine::open_lanes() {
  visits_limit_ = VisitsLimit(static_cast<uint64_t>(settings_.limits.max_visits));
  spools_ =
      std::make_unique<io::SpoolFolder>(world_.files, launch_.state() + "/spool", memory_shares(settings_).spools);
  spools_->keep_free(static_cast<uint64_t>(settings_.limits.min_free_space));
  const std::string user_agent = fetch::user_agent(settings_.fetch, settings_.crawl.contact);
  context_.reset(new visit::VisitContext{.settings = std::make_shared<const config::Settings>(settings_),
                                         .sites = sites_->shared_resolver(),
                                         .scope = *scope_,
                                         .addresses = addresses_,
                                         .spools = *spools_,
                                         .identity = identity_,
                                         .key_policy = settings_.crawl.crawl_key,
                                         .user_agent = user_agent,
                                         .asks_scope_again = has_scope_changed_});
  const auto wanted = static_cast<unsigned>(settings_.crawl.lanes);
  for (unsigned number = 0; number < std::max(1u, wanted != 0 ? wanted : world_.lanes); ++number) {
    TRY(auto parts, world_.make_lane(number, settings_));
    parts.seed = random_.next();
    const auto has_results = [this, number] { world_.loop.post([this, number] { collect_results(number); }); };
    lanes_.push_back(std::make_unique<visit::Lane>(number, std::move(parts), *context_, has_results));
  }
  lane_watch_ = std::make_unique<LaneWatch>(lanes_, static_cast<uint64_t>(world_.lane_patience.count()));
  return load_hung_urls();
}

Result<void> Engine::open_actions() {
  if (settings_.crawl.action_interval == Duration(0)) return {};
  ActionDirectory::Crawl crawl;
  crawl.scheduled_url_of = [this](const RecoveryLine& line,
                                  const ActionName& action) -> Result<std::optional<frontier::ScheduledUrl>> {
    TRY(const url::Url url, config::parse_seed(line.url));
    const scope::Candidate candidate{url, line.hops, line.via, false, sites_->of(url).scope.get()};
    if (action.asks_scope && !scope_->decide(candidate).accepted) return std::optional<frontier::ScheduledUrl>();
    TRY(frontier::ScheduledUrl scheduled, make_scheduled_url(url));
    if (!line.via.empty()) {
      TRY(const url::Url via, url::Url::parse(line.via));
      scheduled.candidate.via = via.href();
    }
    scheduled.candidate.hops = line.hops;
    scheduled.candidate.is_seed = action.kind == ActionKind::seeds;
    scheduled.candidate.force = action.kind == ActionKind::force;
    return std::optional(std::move(scheduled));
  };
  crawl.take = [this](std::vector<frontier::ScheduledUrl> scheduled_urls, bool as_seen) {
    const TakenUrls taken = as_seen ? TakenUrls{remember(scheduled_urls), 0} : take(std::move(scheduled_urls));
    dispatch();
    return taken;
  };
  crawl.can_take = [this] {
    const bool goes_on = state_ == State::running || state_ == State::paused;
    return goes_on && !disk_low_ && committer_->trouble().empty() && !seen_.is_behind();
  };
  crawl.note = [this](std::string_view change) { note(change); };
  crawl.on_idle = [this] { changed_.notify(); };
  crawl.rows = &outputs_->action_progress();
  actions_ = std::make_unique<ActionDirectory>(world_.files, world_.loop, world_.blocking, *committer_, launch_,
                                               std::move(crawl));
  return actions_->open(*kv_);
}

Result<std::vector<url::Url>> Engine::seeds_on_record() {
  std::vector<url::Url> seeds;
  const auto rows = kv_->cursor(kMeta);
  for (rows->seek(kSeedRow); rows->valid() && rows->key().starts_with(kSeedRow); rows->next()) {
    auto seed = url::Url::parse(rows->key().substr(kSeedRow.size()));
    if (!seed) continue;
    if (rows->value() != kFoundSeed) addresses_.take_seed(*seed);
    seeds.push_back(*std::move(seed));
  }
  TRY_VOID(rows->status());
  TRY(const auto ranges, rows_of(kRangeRow));
  for (const auto& [range, host] : ranges) addresses_.allow_range(range);
  return seeds;
}

Result<void> Engine::inject_seeds() {
  for (const std::string& text : settings_.crawl.seeds) {
    const auto seed = config::parse_seed(text);
    if (!seed) {
      statistics_.seeds().add_unusable(text);
      continue;
    }
    const std::string href(seed->href());
    TRY(const auto known, kv_->get(kMeta, std::string(kSeedRow) + href));
    if (known) continue;
    TRY(frontier::ScheduledUrl scheduled, make_scheduled_url(*seed));
    scheduled.candidate.is_seed = true;
    if (!is_new_) TRY_VOID(frontier_->look_up_again(scheduled.host));
    statistics_.seeds().add(scheduled.candidate.seed);
    outputs_->meta().put(std::string(kSeedRow) + href, "given");
    const std::string name = scheduled.candidate.seed;
    const uint64_t before = frontier_->stats().queued;
    std::vector<frontier::ScheduledUrl> one;
    one.push_back(std::move(scheduled));
    ledger_->schedule(std::move(one));
    if (frontier_->stats().queued == before) statistics_.seeds().mark_known(name);
  }
  return {};
}

}  // namespace caddis::crawl
