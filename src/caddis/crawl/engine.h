// The engine runs one launch of a crawl: it opens or resumes the launch, hands leases to lanes and finished visits to
// the committer, watches limits, and ends the crawl so that it can be looked at, resumed or replayed.
//
//   TRY(auto engine, Engine::open(std::move(world), options));
//   CrawlEnd end = co_await engine->run();        // on world.loop
//
// All methods belong to the world's main loop.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "caddis/aio/blocking.h"
#include "caddis/aio/event.h"
#include "caddis/aio/loop.h"
#include "caddis/aio/nursery.h"
#include "caddis/aio/process_use.h"
#include "caddis/config/settings.h"
#include "caddis/config/settings_cache.h"
#include "caddis/crawl/action_directory.h"
#include "caddis/crawl/checkpoint.h"
#include "caddis/crawl/collection.h"
#include "caddis/crawl/crawl_state_listener.h"
#include "caddis/crawl/hung_urls.h"
#include "caddis/crawl/lane_watch.h"
#include "caddis/crawl/limits.h"
#include "caddis/crawl/recover.h"
#include "caddis/crawl/statistics.h"
#include "caddis/crawl/undo_log.h"
#include "caddis/crawl/visits_limit.h"
#include "caddis/frontier/frontier.h"
#include "caddis/io/files.h"
#include "caddis/scope/scope.h"
#include "caddis/store/kv.h"
#include "caddis/store/seen.h"
#include "caddis/store/streams.h"
#include "caddis/visit/lane.h"

namespace caddis::commit {
class Committer;
}  // namespace caddis::commit

namespace caddis::crawl {

class GoingBack;
class Outputs;
class VisitLedger;
struct RecoveryLine;

// Everything outside of the crawl, behind its seams: the real one is made by real_world.h, the simulated one by tests.
struct World {
  io::Files& files;
  const Clock& clock;
  store::KvOpener open_kv;
  aio::Loop& loop;
  aio::Blocking& blocking;
  uint64_t seed = 0;
  std::string pid, hostname;
  std::string address = "";   // under which the machine reaches the internet; empty if it does not
  uint16_t control_port = 0;  // where the control API is to listen; 0 if at no port, or at any
  // Makes the parts of lane `number`; called once for each lane.
  std::function<Result<visit::Lane::Parts>(unsigned number, const config::Settings& settings)> make_lane;
  unsigned lanes = 1;  // where the settings do not say
  // None where it is not to be known, as in a simulated world.
  std::function<aio::ProcessUse()> use = nullptr;
  uint64_t groups_kept = 64;  // so many of the latest can be taken back (group_undo.h)
  // A lane that does not come back to its loop for so long, in whole seconds, stands still.
  std::chrono::seconds lane_patience{10};
};

// What is done about files of a crawl that are not there when it is resumed.
enum class MissingFiles {
  refused,  // it is not resumed: whoever knows where they are has to say it
  moved,    // finished WARC files are kept elsewhere: their captures stand
  lost,     // what was in them is fetched again
};

struct LaunchOptions {
  std::string collection;
  config::Settings settings;
  std::vector<std::string> unusable_seeds;  // lines of a list of seeds that are none: seeds-report.txt has them
  bool resume = false;
  std::string checkpoint;                 // for resuming: the name of one to go back to, or "latest"
  std::optional<RecoverOptions> recover;  // a recovery log to take over first
  std::string from_checkpoint;            // for a new launch: the path of one to begin with (takeover.h)
  MissingFiles missing = MissingFiles::refused;
  // For resuming, and for beginning with a checkpoint: called with the stored settings, to lay what the user gave anew
  // over them.
  std::function<Result<void>(config::Settings&)> overlay;
};

enum class EndReason {
  finished,  // nothing is left to do
  limit,     // a limit was reached; resumable with a higher one
  stopped,   // somebody asked; resumable
  failed,    // the disk or the store; resumable when the cause is gone
};

struct CrawlEnd {
  EndReason reason = EndReason::finished;
  std::string text;  // "finished", "reached max-documents (200)", …
};

// What a crawl is doing now.
struct Status {
  std::string state;      // "running", "empty" (and nevertheless running), "paused", "stopping", "ended"
  std::string waits_for;  // why it stands still, where it does
  Duration elapsed{};
  uint64_t documents = 0, bytes = 0, failed = 0, excluded = 0, queued = 0, seen = 0;
  uint64_t visiting = 0, active_hosts = 0, hosts_aside = 0, backlog = 0;
  double documents_per_second = 0, documents_per_second_average = 0, bytes_per_second = 0, bytes_per_second_average = 0;
  uint64_t queued_retired = 0, queued_over_quota = 0;
  uint64_t novel_bytes = 0, warc_bytes = 0;
  std::vector<LimitUse> limits;
  Duration late_median{}, late_p99{};  // of visits, behind the moment at which politeness allowed them
  std::vector<frontier::QueueReport> slowest;
  frontier::Waits waits;
  std::string slow_because;             // "politeness: 37 of 40 queues wait for their delay"; empty where nothing waits
  std::vector<Checkpoint> checkpoints;  // the oldest first
  std::vector<StandingLane> standing;
};

class Engine {
 public:
  // Opens a new launch or resumes the latest. Errors say what to do: a locked collection, settings that may not change,
  // a state of another format, seeds none of which is usable.
  static Result<std::unique_ptr<Engine>> open(World world, const LaunchOptions& options);
  ~Engine();
  // Takes back an engine that is not going to run: of a new launch nothing is left behind. One that was resumed keeps
  // its state.
  static void discard(std::unique_ptr<Engine> engine);

  // Runs until the crawl has ended and everything is on disk.
  aio::Task<CrawlEnd> run();

  // Takes a checkpoint while the crawl goes on, under a name, which is kept for ever, or under an automatic one.
  // ErrorCode::conflict where there is one of that name, or the crawl is ending.
  aio::Task<Result<Checkpoint>> checkpoint(std::string name);

  void stop(std::string why);
  void pause();
  // ErrorCode::conflict where a limit is reached at which the crawl pauses.
  Result<void> resume();
  struct NewSetting {
    std::string name, value;  // "limits.max-documents", "500"
  };
  // Limits and quotas, at once and for good: all or none. ErrorCode::config where one may not change, or not so.
  Result<std::vector<settings::Change>> change_settings(const std::vector<NewSetting>& given);
  // Whether what is asked for now is kept: committed within two seconds. ErrorCode::io while nothing can be
  // written: it would be lost if the crawl ended before there is room again.
  Result<void> keeps_orders() const;
  Status status() const;

  // After `run`: lanes that stood still are left behind, their threads cannot be joined, and what they use must live.
  // All is on disk: whoever has run the crawl ends the process without destroying anything.
  bool has_left_lanes() const { return has_left_any_; }
  bool has_left(size_t lane) const { return has_left_any_ && !drained_[lane]; }

  const Launch& launch() const { return launch_; }
  // Of the machine it runs on.
  const std::string& hostname() const { return world_.hostname; }
  const Statistics& statistics() const { return statistics_; }
  const config::Settings& settings() const { return settings_; }
  // What recovery found when the launch was resumed, a line each; and seeds that could not be used.
  const std::vector<std::string>& notices() const { return notices_; }
  // Where it may connect to, for who knows more of that.
  fetch::AddressPolicy& addresses() { return addresses_; }
  // Called every second while the crawl runs.
  void on_tick(std::function<void(const Status&)> call) { on_tick_ = std::move(call); }

  // Called with what there is to tell in the course of the crawl, for people.
  void on_notice(std::function<void(const std::string&)> call) { on_notice_ = std::move(call); }

  // --- explaining and operating (engine_operate.cc, engine_limits.cc). Every change is noted in
  // progress-statistics.log, and durable with the next commit, within a second or two.
  frontier::Frontier& frontier() { return *frontier_; }  // to look
  // A URL as it would be scheduled. ErrorCode::config where it is none that can be crawled.
  Result<frontier::ScheduledUrl> scheduled_url_of(std::string_view url);
  // The names of the sheets that hold for a URL, the later counts.
  Result<std::vector<std::string>> sheets_of(std::string_view url);
  struct AddedUrl {
    std::string url, via, hops;
    bool is_seed = false;  // widens the scope, as the seeds of the settings do
    bool force = false;    // though it was seen
    std::optional<frontier::Precedence> precedence;
  };
  // Takes all or none; no scope is asked, the operator has decided. Budgets are: what is over them is left out.
  Result<TakenUrls> add_urls(const std::vector<AddedUrl>& urls);
  // Each is on record as deleted (-6000). `what` says for the log which ones.
  Result<frontier::Erased> erase(frontier::WaitingQuery query, std::string_view what);
  Result<void> order(const std::string& host, const frontier::Orders& orders);
  Result<void> retire_queue(const std::string& origin, bool retired);
  Result<frontier::Woken> wake(const std::string& host, const std::string& marker);
  // Ends the visit of that URL with -7000. ErrorCode::not_found where it is not being visited, ErrorCode::conflict
  // where it is a prerequisite.
  Result<void> end_visit(const std::string& url);

 private:
  enum class State { running, paused, stopping, ended };
  explicit Engine(World world);

  Result<void> begin(const LaunchOptions& options);
  Result<void> check_beginning(const LaunchOptions& options);
  Result<std::optional<GoingBack>> open_launch(const LaunchOptions& options);
  void keep_private(Privacy privacy);
  Result<void> begin_again(const LaunchOptions& options);
  Result<void> read_state(const LaunchOptions& options);
  Result<std::vector<settings::Change>> read_settings(store::Kv& kv, const LaunchOptions& options,
                                                      config::Settings& stored);
  Result<void> store_settings();
  Result<void> write_state();
  Result<void> write_settings();
  Result<void> load_secrets(config::Settings& into);
  Result<bool> has_secrets_file();
  Result<void> open_seen(bool resumed);
  Result<void> refuse_without_state();
  void tell_of_edits(const config::Settings& stored);
  Result<void> recover_streams(const LaunchOptions& options, const GoingBack* back);
  Result<std::vector<store::MissingFile>> give_up_missing(MissingFiles what);
  Result<std::vector<std::pair<uint64_t, GroupUndo>>> recorded_groups();
  void tell(const store::RecoveryReport& report, bool went_back);
  bool is_archive(const store::MissingFile& file) const;
  Result<void> refuse_missing(const std::vector<store::MissingFile>& missing, MissingFiles what) const;
  bool is_seen_log(const std::string& path) const;
  Result<void> cut_what_is_torn(const store::RecoveryReport::Cut& lost);
  struct LostPart {
    using Captures = std::vector<std::pair<uint64_t, std::string>>;  // offset, URL
    store::RecoveryReport::Cut part;
    Captures captures;
  };
  using LostParts = std::map<std::string, LostPart>;  // by the names of the WARC files
  Result<void> look_at_checkpoint(const LaunchOptions& options);
  Result<void> look_at_copy(const std::string& path, const LaunchOptions& options);
  Result<void> find_lost_captures(LostParts parts);
  Result<void> take_lost_captures(const std::string& name, const store::RecoveryReport::Cut& lost,
                                  LostPart::Captures captures);
  std::string loss_row(size_t report) const;
  Result<size_t> loss_rows_of_next_group();
  Result<void> queue_what_was_lost();
  Result<void> queue_again(const UndoEntry& visit);
  Result<void> begin_from_checkpoint(const LaunchOptions& options);
  Result<void> look_at_checkpoints();
  Result<void> note_recovery(const LaunchOptions& options);
  Result<void> begin_recovery();
  Result<void> end_recovery(const std::string& report);
  aio::Task<void> take_over_recovery_log();
  aio::Task<Result<void>> read_recovery_log(RecoverCounts& counts, bool finished);
  Result<frontier::ScheduledUrl> recovered_url(const url::Url& url, const RecoveryLine& line);
  void take_recovery_lines(std::string_view text, bool finished, uint64_t& line, RecoverCounts& counts);
  Result<void> open_frontier();
  Result<void> open_outputs();
  Result<void> open_lanes();
  Result<void> open_actions();
  Result<std::vector<url::Url>> seeds_on_record();
  Result<void> inject_seeds();

  void judge_by_hangs(frontier::Lease& lease) const;
  Result<void> load_hung_urls();
  void look_at_lanes(SteadyTime now);
  void note_hang(const StandingLane& lane);
  void forget_hang(const frontier::Disposition& disposition);
  uint64_t visiting() const;
  bool only_held_visits_left() const;
  void leave_held_visits();
  Result<void> open_sites();
  Result<frontier::ScheduledUrl> make_scheduled_url(const url::Url& url);
  void dispatch();
  void arm_timer();
  void collect_results(size_t lane);
  void settle(visit::VisitResult finished);
  void tick();
  void check_limits();
  void check_space();
  void mind_load(Duration late);
  bool has_memory() const;
  bool is_over() const;
  bool ran_dry() const;
  LimitCounts limit_counts() const;
  void look_at_activity(SteadyTime now);
  std::string end_text() const;
  void tell(std::string_view what);
  void retract_report();
  Checkpoint describe_checkpoint(const std::string& name) const;
  void add_lengths(Checkpoint& made) const;
  Result<void> take_checkpoint(Checkpoint& made);
  bool is_as_at_last_checkpoint() const;
  void note_checkpoint(const Checkpoint& made);
  void take_checkpoint_if_due();
  aio::Task<void> take_due_checkpoint();
  aio::Task<void> take_last_checkpoint();
  aio::Task<void> remove_old_checkpoints();
  aio::Task<void> drain_lanes();
  aio::Task<void> keep_seen();
  Result<void> write_results();
  Result<std::map<std::string, std::string, std::less<>>> rows_of(std::string_view prefix);
  std::string progress_line() const;
  const frontier::Survey& survey() const;
  std::string why_slow() const;
  void note(std::string_view change);
  Result<void> take_out_forced(std::vector<frontier::ScheduledUrl>& scheduled_urls);
  TakenUrls take(std::vector<frontier::ScheduledUrl> scheduled_urls);
  void take_seed(frontier::ScheduledUrl scheduled);
  uint64_t remember(const std::vector<frontier::ScheduledUrl>& scheduled_urls);
  bool looks_once_more();
  // An operation that failed half done: nothing more may be committed.
  std::unexpected<Error> broken(Error error);

  World world_;
  SeededRandom random_;
  config::Settings settings_;
  Launch launch_;
  std::vector<std::string> new_folders_;  // of a new launch, what was not there before
  bool resumes_ = false;
  std::unique_ptr<io::FileLock> lock_;
  std::unique_ptr<store::Kv> kv_;
  std::unique_ptr<store::StreamSet> streams_;
  store::SeenSet seen_;
  frontier::Identity identity_;
  std::shared_ptr<const frontier::Precedences> precedences_;  // until the frontier has them
  Statistics statistics_;
  std::unique_ptr<scope::Scope> scope_;
  fetch::AddressPolicy addresses_;
  std::optional<config::SettingsCache> sites_;  // as this loop sees them
  std::unique_ptr<frontier::Frontier> frontier_;
  std::unique_ptr<io::SpoolFolder> spools_;
  std::unique_ptr<visit::VisitContext> context_;
  SeededRandom writer_random_;
  CrawlEvents events_;
  std::unique_ptr<Outputs> outputs_;
  std::unique_ptr<commit::Committer> committer_;
  std::unique_ptr<VisitLedger> ledger_;
  std::unique_ptr<ActionDirectory> actions_;  // null where there is none
  std::optional<uint64_t> last_look_;         // into it, before the end: how many files had been taken
  std::vector<std::unique_ptr<visit::Lane>> lanes_;
  std::unique_ptr<LaneWatch> lane_watch_;
  HungUrls hung_;
  uint64_t looks_at_held_visits_ = 0;  // in a row, that found nothing else left
  bool gives_up_lanes_ = false;        // those that stand still are not waited for any more
  bool has_left_any_ = false;
  std::vector<bool> drained_;  // as `lanes_`
  std::vector<std::string> notices_;
  // What recovery found a disk to have lost, until it is queued again.
  struct Lost {
    std::vector<std::pair<uint64_t, GroupUndo>> groups;   // taken back
    std::vector<std::string> urls;                        // of captures that lay further back
    std::vector<std::pair<std::string, uint64_t>> files;  // of those: name, and up to where it is whole
    std::vector<std::string> reports;
    size_t told_before = 0;     // reports by a process that died before it committed anything
    bool is_seen_torn = false;  // the fingerprint log has lost rows that lay further back
  } lost_;
  UndoRange groups_;
  bool is_new_ = true;
  bool settings_changed_ = false;        // since the process before
  bool has_scope_changed_ = false;       // since the crawl began
  std::vector<Checkpoint> checkpoints_;  // the oldest first
  bool is_taking_checkpoint_ = false;
  bool operated_ = false;  // an operator has asked for something since the last one, or since the start
  SteadyTime last_checkpoint_{};
  uint64_t bytes_at_checkpoint_ = 0;

  State state_ = State::running;
  CrawlEnd end_;
  std::string paused_at_;  // the limit at which the crawl is paused
  bool runs_dry_ = false;  // a limit was reached: what waits is given up
  Activity activity_;
  uint64_t visits_begun_ = 0;
  bool disk_low_ = false;
  mutable frontier::Survey survey_;
  mutable SteadyTime survey_holds_until_{};
  VisitsLimit visits_limit_{0};
  bool limit_was_reached_ = false;
  aio::ProcessUse use_;  // at the last tick
  SteadyTime began_{};
  SteadyTime last_tick_{};
  std::optional<SteadyTime> timer_at_;
  aio::Loop::TimerId timer_ = 0;
  aio::Loop::TimerId tick_timer_ = 0;
  uint64_t ticks_ = 0;
  std::vector<std::pair<uint64_t, uint64_t>> recent_;  // documents and bytes at the last ticks
  aio::Event changed_, seen_changed_;
  aio::Nursery nursery_;
  std::function<void(const Status&)> on_tick_;
  std::function<void(const std::string&)> on_notice_;
  std::optional<RecoverOptions> recover_;  // while it is being taken over
};

}  // namespace caddis::crawl
