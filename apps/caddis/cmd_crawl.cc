// caddis crawl: crawls into a collection, shows how it goes, and says at the end what came of it.

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <unordered_set>
#include <utility>
#include <vector>

#include "access_options.h"
#include "caddis/aio/blocking.h"
#include "caddis/alerts/alert_desk.h"
#include "caddis/base/output.h"
#include "caddis/base/strings.h"
#include "caddis/base/utf8.h"
#include "caddis/base/visible.h"
#include "caddis/config/seeds.h"
#include "caddis/config/settings_file.h"
#include "caddis/control/control_server.h"
#include "caddis/control/endpoint.h"
#include "caddis/crawl/crawl.h"
#include "caddis/crawl/crawl_state.h"
#include "caddis/crawl/feed_watch.h"
#include "caddis/crawl/launcher.h"
#include "caddis/crawl/operator.h"
#include "caddis/crawl/real_world.h"
#include "caddis/crawl/report_desk.h"
#include "caddis/crawl/settings_snapshot.h"
#include "caddis/crawl/shared_hosts.h"
#include "caddis/crawl/summary.h"
#include "caddis/documents/worker_pool.h"
#include "caddis/feeds/site_plan.h"
#include "caddis/io/files.h"
#include "caddis/io/stream.h"
#include "caddis/process/programs.h"
#include "commands.h"
#include "default_collection.h"
#include "file_limit.h"
#include "progress.h"
#include "report_signal.h"
#include "setting_options.h"
#include "stop_signals.h"
#include "tell.h"

namespace caddis::cli {
namespace {

struct CrawlOptions {
  std::vector<std::string> urls;
  std::string seeds_file, profile, config, collection, listen, checkpoint, from_checkpoint, missing;
  std::string share_hosts;
  bool resume = false, paused = false;
  crawl::RecoverOptions recover;
  SettingOptions settings;
  AccessOptions access;
};

// A pipe keeps its reader waiting until somebody writes to it, and so does a terminal.
void tell_of_waiting(const std::string& file) {
  if (file == "-" && ::isatty(STDIN_FILENO) == 1)
    say("caddis crawl: reading seeds from the terminal, one a line; Ctrl-D ends them\n");
  else if (!file.starts_with("/dev/") && std::filesystem::is_fifo(file))
    say(fmt::format("caddis crawl: reading seeds from the pipe {} until its writer closes it\n", file));
}

// The list of seeds that --seeds names. A pipe can be read only once, so it stays open.
struct SeedsOption {
  std::string file;  // its whole path; empty if it is no file
  std::optional<crawl::SeedSource> stream;
  std::string beginning;  // some of its first bytes
};

Result<SeedsOption> open_seeds(const std::string& path) {
  SeedsOption seeds;
  if (path.empty()) return seeds;
  tell_of_waiting(path);
  auto opened = io::InputStream::open(path);
  if (!opened) return pass(std::move(opened).error(), "--seeds");
  const std::shared_ptr<io::InputStream> stream = *std::move(opened);
  auto beginning = stream->read();
  if (!beginning) return pass(std::move(beginning).error(), "--seeds");
  seeds.beginning = *std::move(beginning);
  if (std::error_code error; path != "-" && std::filesystem::is_regular_file(path, error)) {
    seeds.file = std::filesystem::absolute(path).lexically_normal();  // it may be resumed from elsewhere
    return seeds;
  }
  const auto read = [stream, first = seeds.beginning]() mutable -> Result<std::string> {
    return first.empty() ? stream->read() : std::exchange(first, {});
  };
  seeds.stream = crawl::SeedSource{path == "-" ? "standard input" : path, read};
  return seeds;
}

// The folder of the archive is named after the first of these.
std::vector<std::string> first_seeds(const config::Settings& settings, const SeedsOption& given) {
  std::vector<std::string> seeds = settings.crawl.seeds;
  std::vector<std::string> beginnings;
  for (const std::string& path : settings.crawl.seed_files)
    if (auto list = open_seeds(path)) beginnings.push_back(std::move(list->beginning));
  beginnings.push_back(given.beginning);
  for (const std::string& text : beginnings)
    for (const std::string_view line : split(without_byte_order_mark(text), '\n'))
      seeds.emplace_back(config::seed_on_line(line));
  if (const auto plans = feeds::parse_site_plans(settings.feeds.sites))
    for (const feeds::SitePlan& plan : *plans) seeds.push_back(plan.feeds.front().url);
  return seeds;
}

// Appends what is given. A crawl that is resumed has its own: those are not added once more.
void add_new(const std::vector<std::string>& given, std::vector<std::string>& known) {
  const std::unordered_set<std::string> before(known.begin(), known.end());
  std::ranges::copy_if(given, std::back_inserter(known), [&](const std::string& one) { return !before.contains(one); });
}

// The user's own defaults, then the environment, then the profile and the file of this crawl, then the command line: the
// later one counts.
Result<void> overlay(const CrawlOptions& options, const SeedsOption& seeds, config::Settings& settings) {
  TRY_VOID(load_given_modules(options.settings, settings));
  if (!options.resume && options.from_checkpoint.empty()) {
    TRY_VOID(config::load_own_settings(io::real_files(), settings));
  }
  if (!options.profile.empty() || !options.config.empty())
    TRY_VOID(config::load_settings_file(io::real_files(), options.profile, options.config, settings));
  const std::vector<std::string> modules = settings.modules.load;
  TRY_VOID(options.settings.apply(config::sections_of(settings)));
  settings.modules.load = config::join_modules(modules, settings.modules.load);
  add_new(options.urls, settings.crawl.seeds);
  if (!seeds.file.empty()) add_new({seeds.file}, settings.crawl.seed_files);
  return {};
}

// Its quotations may come from anywhere, so control characters in them are spelled out.
void say_notice(std::string_view notice) {
  std::string text;
  for (const std::string_view line : split(trim(notice), '\n')) text += visible(line) + '\n';
  say("caddis crawl: " + text);
}

int exit_code_of(const crawl::CrawlEnd& end) {
  switch (end.reason) {
    case crawl::EndReason::finished:
      return 0;
    case crawl::EndReason::limit:
      return 3;
    case crawl::EndReason::stopped:
      return 4;
    case crawl::EndReason::failed:
      return 1;
  }
  return 1;
}

int fail_with(const Error& error) {
  say(fmt::format("caddis crawl: {}\n", error.message));
  return error.code == ErrorCode::config || error.code == ErrorCode::not_found ? 2 : 1;
}

// The first is for this machine.
void tell_addresses(const std::vector<std::string>& addresses) {
  for (size_t i = 0; i < addresses.size(); ++i)
    say(fmt::format("{}: {}\n", i == 0 ? "statistics" : "from other machines", addresses[i]));
}

// `workers` have to outlive the server.
control::ControlListening listening_of(const CrawlOptions& options, aio::Blocking& workers) {
  control::ControlListening listening{.at = options.listen, .scheme = options.access.scheme()};
  const AccessOptions& access = options.access;
  listening.listen = [&access](aio::Loop& loop, aio::Network& network, const aio::Endpoint& at) {
    return open_listener(loop, network, at, access, "");
  };
  if (!access.users.empty())
    listening.gate = [&access, &workers](aio::Loop& loop, const std::string& token) {
      return open_gate({loop, workers, io::real_files()}, access, token);
    };
  return listening;
}

// Whoever is to be told of events hears of pauses, and of the end.
class Messenger {
 public:
  Messenger(crawl::RealWorld& world, crawl::Crawl& running)
      : running_(running),
        webhook_(alerts::make_webhook(world.loop())),
        programs_(process::supervisor_command(), 1, system_clock()),
        desk_(world.loop(), *webhook_, programs_,
              {running.state().launch.name, running.state().launch.collection, running.operations().hostname()}) {}

  void tick(const crawl::CrawlStatus& status) {
    // Between two polls of feeds it stands still as it should.
    const bool rests = status.state == crawl::RunState::empty && feeds_of(running_.operations()).keeps_crawl_open();
    const bool stands = status.state == crawl::RunState::paused || (!status.waits_for.empty() && !rests);
    if (stands && !std::exchange(stood_, true))
      desk_.tell(alerts::Kind::pause,
                 status.waits_for.empty() ? "the crawl is paused" : "the crawl waits: " + status.waits_for);
    if (!stands) stood_ = false;
    desk_.tick(settings());
  }
  aio::Task<void> tell_end(const crawl::CrawlEnd& end) {
    desk_.tell(alerts::Kind::end,
               fmt::format("the crawl has ended: {}; {} documents", end.text, running_.state().statistics.documents()));
    co_await desk_.close(settings());
  }

 private:
  const alerts::AlertSettings& settings() const { return running_.state().settings.now().alerts; }

  crawl::Crawl& running_;
  std::unique_ptr<alerts::Webhook> webhook_;
  process::ProgramPool programs_;
  alerts::AlertDesk desk_;
  bool stood_ = false;
};

aio::Task<void> run_crawl(crawl::Crawl& running, control::ControlServer& control, Messenger& messenger,
                          crawl::CrawlEnd& end) {
  end = co_await running.run();
  co_await messenger.tell_end(end);
  co_await control.stop();
}

// For people; returns the exit code.
int tell_of_end(const crawl::Crawl& ended, const crawl::CrawlEnd& end) {
  fmt::print("{}", crawl::summary(ended, end));
  if (crawl::had_nothing_to_do(ended, end)) {
    say("caddis crawl: nothing was left to do: no URL waits, and no new seed was given\n");
    return 0;
  }
  if (end.reason == crawl::EndReason::finished && ended.state().statistics.documents() == 0) {
    say("caddis crawl: nothing was captured; the seeds above tell why\n");
    return 1;
  }
  return exit_code_of(end);
}

Result<int> crawl_now(CrawlOptions& options) {
  TRY(const SeedsOption seeds, open_seeds(options.seeds_file));
  crawl::LaunchOptions launch;
  launch.resume = options.resume;
  if (seeds.stream) launch.seed_lists.push_back(*seeds.stream);
  launch.checkpoint = options.checkpoint;
  launch.from_checkpoint = options.from_checkpoint;
  if (!options.missing.empty())
    launch.missing = options.missing == "moved" ? crawl::MissingFiles::moved : crawl::MissingFiles::lost;
  if (!options.recover.path.empty()) {
    launch.recover = options.recover;
    launch.recover->path = std::filesystem::absolute(options.recover.path);  // it may be resumed from elsewhere
  }
  launch.collection = options.collection;
  if (std::filesystem::is_regular_file(launch.collection))
    return fail(
        ErrorCode::config,
        launch.collection + ": it is a file, and a collection is a folder; lists of seeds are named with --seeds");
  // The settings of a crawl that is resumed are known once it is open.
  if (!options.resume || launch.collection.empty()) TRY_VOID(overlay(options, seeds, launch.settings));
  if (launch.collection.empty()) {
    TRY(launch.collection, default_collection(first_seeds(launch.settings, seeds)));
    say(fmt::format("caddis crawl: the archive is in {}\n", launch.collection));
  }
  if (options.resume || !options.from_checkpoint.empty())
    launch.overlay = [&](config::Settings& settings) { return overlay(options, seeds, settings); };

  raise_file_limit();
  // Before anything is written: who interrupts while the state is being read gets a clean end, too.
  take_stop_signals();
  take_report_signal();
  crawl::RealWorld world;
  crawl::World parts = world.parts();
  parts.factories.make_reader = [](const documents::DocumentSettings& settings, const Clock& clock) {
    return std::make_unique<documents::WorkerPool>(documents::worker_command(settings), settings, clock);
  };
  parts.factories.make_programs = [](const extract::ProgramOptions& settings, const Clock& clock) {
    return std::make_unique<process::ProgramPool>(process::supervisor_command(),
                                                  static_cast<unsigned>(settings.workers), clock);
  };
  if (!options.listen.empty()) {
    TRY_VOID(check_listen(options.access, options.listen, true));
    TRY(const aio::Endpoint at, control::parse_endpoint(options.listen));
    parts.control_port = at.port;
  }
  std::unique_ptr<crawl::SharedHosts> shared_hosts;
  if (!options.share_hosts.empty()) {
    TRY(shared_hosts, crawl::SharedHosts::open(options.share_hosts, system_clock()));
    parts.factories.claims = shared_hosts.get();
  }
  TRY(auto running, crawl::Launcher::open(std::move(parts), launch));
  for (const std::string& notice : running->notices()) say_notice(notice);
  const auto workers = aio::make_blocking(1);
  auto started = control::ControlServer::start(world.loop(), running->operations(), listening_of(options, *workers));
  if (!started) {
    crawl::Launcher::discard(std::move(running));
    return std::unexpected(std::move(started).error());
  }
  const auto control = *std::move(started);
  for (const aio::Endpoint& own : control->endpoints()) running->addresses().forbid(own);
  tell_addresses(control->addresses());

  Messenger messenger(world, *running);
  Progress progress;
  running->on_tick([&](const crawl::CrawlStatus& status) {
    if (stop_asked()) running->operations().stop("interrupted");
    if (take_reports_asked()) running->operations().reports().ask();
    messenger.tick(status);
    if (shared_hosts) shared_hosts->sweep();
    progress.show(status);
  });
  running->on_notice([&](const std::string& notice) {
    progress.clear();
    say_notice(notice);
  });
  if (options.paused) running->operations().pause();
  crawl::CrawlEnd end;
  world.run(run_crawl(*running, *control, messenger, end), [&](size_t lane) { return running->has_left(lane); });
  progress.clear();
  const int code = tell_of_end(*running, end);
  if (running->has_left_lanes()) {
    // Their threads still use all of this, and nobody can end them but the system.
    std::fflush(nullptr);
    std::_Exit(code);
  }
  return code;
}

}  // namespace

void add_crawl_commands(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("crawl", "Crawl web sites into a collection");
  command->footer(
      "Ctrl-C (SIGINT) and SIGTERM stop the crawl in good order, a second one at once. SIGHUP stops it as well, unless "
      "it is ignored (nohup). --resume goes on with it. SIGUSR1 has all reports written now.");
  auto options = std::make_shared<CrawlOptions>();
  command->add_option("url", options->urls, "Where to begin");
  command->add_option("--seeds", options->seeds_file,
                      "A file with a URL or host a line, of any length, plain or gzip; - for standard input");
  command->add_option(
      "--profile", options->profile,
      "Settings for a usual kind of crawl, over which those of --config are laid (caddis profiles lists "
      "them)");
  command->add_option("--config", options->config, "Settings: a crawl.yaml (caddis schema describes it)");
  command->add_option("--collection", options->collection,
                      "The folder of the archive; without it, one that is named after the first seed's host");
  command->add_option("--listen", options->listen, "Show statistics and take commands at ADDR:PORT over HTTP");
  add_access_options(*command, options->access);
  command->add_flag("--resume", options->resume, "Go on with the latest crawl of the collection");
  command->add_flag("--paused", options->paused,
                    "Visit nothing until caddis resume, so that what waits can be looked at and changed");
  command
      ->add_option("--checkpoint", options->checkpoint,
                   "With --resume: go back to this checkpoint (a name, or latest); what is newer is moved aside")
      ->needs("--resume");
  command
      ->add_option("--from-checkpoint", options->from_checkpoint,
                   "Begin a new crawl with the URLs that a checkpoint knows and has waiting: the folder of a "
                   "checkpoint, or a collection for its latest one")
      ->excludes("--resume");
  command
      ->add_option("--missing", options->missing,
                   "With --resume, if WARC files of the crawl are not there any more: they are kept elsewhere, and "
                   "their captures stand (moved), or what was in them is fetched again (lost)")
      ->check(CLI::IsMember({"moved", "lost"}))
      ->needs("--resume");
  command
      ->add_option("--share-hosts", options->share_hosts,
                   "Take turns at hosts with other crawls that are given the same folder, as the jobs of an engine do "
                   "(frontier.jobs-at-once)")
      ->option_text("FOLDER");
  CLI::Option* const recover =
      command->add_option("--recover", options->recover.path,
                          "First import a recovery log of Heritrix's kind (frontier.recover.gz): what it says is "
                          "finished becomes known, and what waited waits again");
  command->add_flag("--recover-include-only", options->recover.include_only, "Queue nothing of it")->needs(recover);
  command
      ->add_flag("--recover-retry-failures", options->recover.retry_failures, "Queue again what failed or was refused")
      ->needs(recover);
  command->add_flag("--recover-in-scope", options->recover.in_scope, "Queue only what the scope accepts")
      ->needs(recover);
  for (const settings::Schema* schema : config::settings_schemas()) options->settings.add(*command, *schema);
  options->settings.add_set(*command);
  command->callback([command, options, &exit_code] {
    if (command->count_all() == 1) {  // nothing behind the command's name
      tell(command->help("caddis"));
      exit_code = 2;
      return;
    }
    const auto code = crawl_now(*options);
    exit_code = code ? *code : fail_with(code.error());
  });
}

}  // namespace caddis::cli
