// Checkpoints of a running crawl: asked for, taken from time to time and at the end; and how a launch begins from one.

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <tuple>
#include <utility>

#include "caddis/base/log.h"
#include "caddis/base/time_format.h"
#include "caddis/commit/committer.h"
#include "caddis/crawl/engine.h"
#include "caddis/crawl/going_back.h"
#include "caddis/crawl/scheduled_url.h"
#include "caddis/crawl/store_layout.h"
#include "caddis/crawl/takeover.h"

namespace caddis::crawl {

aio::Task<Result<Checkpoint>> Engine::checkpoint(std::string name) {
  if (state_ == State::stopping || state_ == State::ended)
    co_return fail(ErrorCode::conflict,
                   "the crawl is ending; with checkpoint.at-stop a checkpoint is taken at its end");
  if (recover_) co_return fail(ErrorCode::conflict, "a recovery log is being taken over: wait until that is done");
  if (is_taking_checkpoint_) co_return fail(ErrorCode::conflict, "a checkpoint is being taken just now");
  if (!name.empty() && !is_checkpoint_name(name))
    co_return fail(ErrorCode::config,
                   fmt::format("'{}' is no name for a checkpoint: up to 64 letters, digits, '.', '_' and '-', but not "
                               "'latest'",
                               name));
  is_taking_checkpoint_ = true;
  // What is counted belongs to the moment at which the group is put together.
  const auto made = std::make_shared<Checkpoint>();
  std::function<commit::Committer::Work()> prepare = [this, made, name] {
    *made = describe_checkpoint(name);
    operated_ = false;
    return commit::Committer::Work([this, made] { return take_checkpoint(*made); });
  };
  const Result<void> taken = co_await committer_->at_commit(std::move(prepare));
  is_taking_checkpoint_ = false;
  last_checkpoint_ = world_.clock.steady();
  bytes_at_checkpoint_ = statistics_.bytes();
  if (!taken) {
    operated_ = true;  // as far as any checkpoint knows
    co_return std::unexpected(taken.error());
  }
  note_checkpoint(*made);
  co_await remove_old_checkpoints();
  co_return *made;
}

Checkpoint Engine::describe_checkpoint(const std::string& name) const {
  Checkpoint made;
  for (const Checkpoint& one : checkpoints_) made.number = std::max(made.number, one.number);
  ++made.number;
  made.taken = world_.clock.wall();
  made.name = name.empty() ? automatic_name(made.number, made.taken) : name;
  made.is_kept = !name.empty();
  made.launch = launch_.name;
  made.format = kFormat;
  made.documents = statistics_.documents();
  made.bytes = statistics_.bytes();
  made.queued = frontier_->stats().queued;
  made.seen = seen_.size();
  return made;
}

// What has been committed until now. To be called between two groups.
void Engine::add_lengths(Checkpoint& made) const {
  for (const char* stream : {kLogStream, kErrorStream, kProgressStream, kPagesStream, kCdxStream, kSeenStream})
    if (streams_->has_open(stream))
      made.logs.push_back(
          {stream, streams_->committed_length(stream), std::string(io::base_name(streams_->path(stream)))});
  for (const auto& part : streams_->parts(kSeenStream).parts)
    made.seen_parts.push_back({kSeenStream, part.length, std::string(io::base_name(part.path))});
}

// Where blocking is allowed, between two groups.
Result<void> Engine::take_checkpoint(Checkpoint& made) {
  add_lengths(made);
  return write_checkpoint(world_.files, *kv_, launch_, made);
}

void Engine::note_checkpoint(const Checkpoint& made) {
  checkpoints_.push_back(made);
  log_info("crawl", "checkpoint '{}': {} documents, {} URLs queued", made.name, made.documents, made.queued);
  events_.tell(CrawlEvent::Source::checkpoint, made.name);
  committer_->commit_soon();
}

// Those that nobody named, but for the latest.
aio::Task<void> Engine::remove_old_checkpoints() {
  std::vector<std::string> old;
  const auto most = static_cast<size_t>(settings_.checkpoint.kept);
  const auto unnamed = static_cast<size_t>(std::ranges::count(checkpoints_, false, &Checkpoint::is_kept));
  for (size_t i = 0, left = unnamed; i < checkpoints_.size() && left > most; ++i) {
    if (checkpoints_[i].is_kept) continue;
    old.push_back(checkpoints_[i].name);
    --left;
  }
  if (old.empty()) co_return;
  std::function<void()> work = [&] {
    for (const std::string& name : old)
      if (auto removed = remove_checkpoint(world_.files, launch_, name); !removed)
        log_warn("crawl", "the old checkpoint '{}' stays: {}", name, removed.error().message);
  };
  co_await world_.blocking.run(world_.loop, std::move(work));
  std::erase_if(checkpoints_, [&](const Checkpoint& one) { return std::ranges::find(old, one.name) != old.end(); });
}

void Engine::take_checkpoint_if_due() {
  const Duration interval = settings_.checkpoint.interval;
  if (interval == Duration(0) || state_ != State::running || is_taking_checkpoint_ || recover_) return;
  if (world_.clock.steady() - last_checkpoint_ < interval || statistics_.bytes() == bytes_at_checkpoint_) return;
  nursery_.spawn(take_due_checkpoint());
}

aio::Task<void> Engine::take_due_checkpoint() {
  const Result<Checkpoint> made = co_await checkpoint(std::string());
  if (!made) log_warn("crawl", "no checkpoint could be taken: {}", made.error().message);
}

// Another one of the same would only take the place of one that is worth going back to. progress-statistics.log grows
// with every start.
bool Engine::is_as_at_last_checkpoint() const {
  if (checkpoints_.empty() || operated_) return false;
  const auto what_counts = [](const Checkpoint& of) {
    std::vector<Checkpoint::Log> logs = of.logs;
    std::erase_if(logs, [](const Checkpoint::Log& log) { return log.stream == kProgressStream; });
    return std::tuple(of.documents, of.bytes, of.queued, of.seen, std::move(logs));
  };
  Checkpoint now = describe_checkpoint(std::string());
  add_lengths(now);
  return what_counts(now) == what_counts(checkpoints_.back());
}

// All groups are committed, and nobody writes any more.
aio::Task<void> Engine::take_last_checkpoint() {
  if (!settings_.checkpoint.at_stop || recover_ || is_as_at_last_checkpoint()) co_return;
  Checkpoint made = describe_checkpoint(std::string());
  Result<void> taken;
  std::function<void()> work = [&] { taken = take_checkpoint(made); };
  co_await world_.blocking.run(world_.loop, std::move(work));
  if (!taken) {
    log_warn("crawl", "no checkpoint could be taken at the end: {}", taken.error().message);
    co_return;
  }
  checkpoints_.push_back(made);
  co_await remove_old_checkpoints();
}

// A checkpoint that was not finished is links and copies only.
Result<void> Engine::look_at_checkpoints() {
  TRY(Checkpoints found, list_checkpoints(world_.files, launch_));
  checkpoints_ = std::move(found.complete);
  for (const std::string& name : found.incomplete) {
    TRY_VOID(remove_checkpoint(world_.files, launch_, name));
    notices_.push_back(fmt::format("a checkpoint that was never completed, {}, was removed", name));
  }
  for (const std::string& why : found.damaged) notices_.push_back(fmt::format("a checkpoint cannot be used: {}", why));
  return {};
}

Result<void> Engine::begin_from_checkpoint(const LaunchOptions& options) {
  TRY(const TakeoverSource source, find_takeover(world_.files, options.from_checkpoint));
  config::Settings named;
  named.crawl.name = source.crawl_name();
  if (options.overlay) TRY_VOID(options.overlay(named));
  TRY(launch_, create_launch(world_.files, options.collection, named.crawl.name, world_.clock.wall()));
  TRY(Takeover taken, take_over(world_.files, world_.open_kv, source, launch_));
  kv_ = std::move(taken.kv);
  TRY(const auto identity, kv_->get(kMeta, kIdentityRow));
  TRY(const auto yaml, kv_->get(kMeta, kSettingsRow));
  if (!identity || !yaml)
    return fail(ErrorCode::corrupt, source.folder + "/db lacks the rows that a crawl begins with");
  identity_ = read_identity(*identity);
  TRY_VOID(load_settings(*yaml, "the checkpoint's settings", settings_));
  const std::string secrets = source.secrets_file();
  if (world_.files.exists(secrets)) {
    TRY(const std::string kept, world_.files.read_all(secrets));
    TRY_VOID(config::load_secrets(kept, secrets, settings_));
  }
  const url::Policy key = settings_.crawl.crawl_key;
  if (options.overlay) TRY_VOID(options.overlay(settings_));
  if (settings_.crawl.crawl_key != key)
    return fail(ErrorCode::config, "crawl.crawl-key cannot differ from that of the checkpoint: by it URLs are known");
  settings_.crawl.name = named.crawl.name;
  TRY_VOID(validate(settings_));
  store::Batch batch;
  batch.put(kMeta, std::string(kSettingsRow), settings_yaml(settings_));
  TRY_VOID(kv_->write(batch, store::Durability::synced));
  is_new_ = false;
  notices_.push_back(
      fmt::format("begins with the {} known and {} queued URLs of the checkpoint '{}' of {}; what was "
                  "captured until then lies in that crawl's WARC files with serial numbers below {}",
                  source.checkpoint.seen, source.checkpoint.queued, source.checkpoint.name, source.checkpoint.launch,
                  taken.next_serial));
  TRY_VOID(note_recovery(options));
  return write_settings();
}

}  // namespace caddis::crawl
