// caddis repair COLLECTION: what is wrong with the files of a crawl that does not run, what can be done about it, and with
// --apply, that. The latest launch is mended so that it can go on; launches before it are looked after on their own.

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "caddis/base/visible.h"
#include "caddis/collection/launch.h"
#include "caddis/control/asked_crawl.h"
#include "caddis/crawl/crash_recovery.h"
#include "caddis/crawl/crawl_state.h"
#include "caddis/crawl/stopped_crawl.h"
#include "caddis/crawl/store_layout.h"
#include "caddis/io/files.h"
#include "caddis/repair/earlier_launch.h"
#include "caddis/repair/repair.h"
#include "caddis/store/rocks_kv.h"
#include "commands.h"
#include "tell.h"

namespace caddis::cli {
namespace {

constexpr int kNeedsRepair = 3;

struct RepairOptions {
  std::string collection, missing, launch;
  bool apply = false;

  repair::MissingFiles word() const {
    if (missing.empty()) return repair::MissingFiles::refused;
    return missing == "moved" ? repair::MissingFiles::moved : repair::MissingFiles::lost;
  }
};

Result<void> open_state(crawl::CrawlState& state) {
  // An empty store would stand in the way of who puts the state back.
  if (const std::string db = state.launch.store(); !state.files.exists(db))
    return fail(ErrorCode::not_found,
                fmt::format("{} is not there: put it back, or go back to a checkpoint ('caddis crawl "
                            "--resume --checkpoint latest')",
                            db));
  return crawl::open_stopped_state(state, store::rocks_opener(), fmt::format("process {} (caddis repair)", ::getpid()));
}

void print(const std::vector<std::string>& sentences) {
  for (const std::string& sentence : sentences) fmt::print("{}\n", visible(sentence));
}

Result<void> tell_of_death(crawl::CrawlState& state, const std::string& orphans) {
  TRY(state.streams, store::StreamSet::open(state.files, *state.kv, crawl::kStreams, orphans, state.launch.collection));
  std::vector<std::string> notices;
  TRY(const store::StreamPlan plan, crawl::CrashRecovery(state, 0, notices).inspect());
  const bool has_died = !plan.cuts.empty() || !plan.orphans.empty() || !plan.renamings.empty();
  fmt::print(
      "nothing to repair{}\n",
      has_died ? ": the crawl died, as any process may; the next --resume sets right what that left behind" : "");
  return {};
}

// Returns true if something is left to be done.
Result<bool> look_after_earlier(const collection::Launch& launch, const RepairOptions& options) {
  crawl::CrawlState state(io::real_files());
  state.launch = launch;
  TRY_VOID(open_state(state));
  const repair::Subject subject{state.files, *state.kv, state.launch};
  TRY(const auto damage, repair::inspect_earlier(subject));
  if (damage.damaged.empty()) return false;
  fmt::print("The launch {}, with which no crawl goes on:\n", launch.name);
  const bool is_settled = options.apply && repair::can_settle(damage, options.word());
  auto told = repair::sentences(damage, options.word());
  if (is_settled) {
    TRY(told, repair::settle(subject, damage, options.word()));
  }
  for (std::string& sentence : told) sentence.insert(0, "  ");
  print(told);
  if (is_settled) fmt::print("  Done: they are asked for no more.\n");
  if (!is_settled)
    fmt::print("  Nothing was changed. With --launch {} --missing moved|lost --apply they are asked for no more.\n",
               launch.name);
  fmt::print("\n");
  return !is_settled;
}

// Earlier launches are told of, and changed only if they are named: what became of the files of one is not what became of
// another's. One that cannot be looked at keeps nobody from the others. States that people have removed are not asked for.
bool tell_of_earlier_ones(std::span<const collection::Launch> launches, const RepairOptions& given) {
  RepairOptions options;
  options.collection = given.collection;
  bool is_left = false;
  for (const collection::Launch& launch : launches) {
    if (!io::real_files().exists(launch.store())) continue;
    const auto left = look_after_earlier(launch, options);
    if (!left) tell(fmt::format("caddis repair: {} is not looked at: {}\n", launch.name, left.error().message));
    is_left = is_left || (left && *left);
  }
  return is_left;
}

Result<int> repair_latest(const collection::Launch& launch, const RepairOptions& options) {
  crawl::CrawlState state(io::real_files());
  state.launch = launch;
  TRY_VOID(open_state(state));
  const repair::Subject subject{state.files, *state.kv, state.launch};
  TRY(const repair::RepairPlan plan, repair::inspect(subject, options.word()));
  if (plan.remedy() == repair::Remedy::none) {
    TRY_VOID(tell_of_death(state, subject.orphans));
    return 0;
  }
  if (!options.apply) {
    print(plan.sentences());
    if (plan.remedy() != repair::Remedy::unknown)
      fmt::print("\nNothing was changed. With --apply it is done{}; caddis crawl --resume goes on then.\n",
                 plan.remedy() == repair::Remedy::losing ? ", and some of it is lost for good" : "");
    return kNeedsRepair;
  }
  TRY(const auto done, repair::apply(subject, plan));
  print(done);
  fmt::print("\nDone: caddis crawl --resume goes on.\n");
  return 0;
}

Result<int> repair_now(const RepairOptions& options) {
  TRY(const auto launches, collection::launches(io::real_files(), collection::Layout(options.collection)));
  if (launches.empty()) return fail(ErrorCode::not_found, control::no_crawl_in(io::real_files(), options.collection));
  if (!options.launch.empty() && options.launch != launches.back().name) {
    const auto named = std::ranges::find(launches, options.launch, &collection::Launch::name);
    if (named == launches.end())
      return fail(ErrorCode::not_found,
                  fmt::format("there is no launch '{}' in {}", options.launch, options.collection));
    TRY(const bool is_left, look_after_earlier(*named, options));
    return is_left ? kNeedsRepair : 0;
  }
  const bool is_left =
      options.launch.empty() && tell_of_earlier_ones(std::span(launches).first(launches.size() - 1), options);
  TRY(const int code, repair_latest(launches.back(), options));
  return code == 0 && is_left ? kNeedsRepair : code;
}

int fail_with(const Error& error) {
  tell(fmt::format("caddis repair: {}\n", error.message));
  return error.code == ErrorCode::not_found ? 2 : 1;
}

}  // namespace

void add_repair_commands(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand(
      "repair", "What a disk or people have taken from a crawl that does not run, and what can be done");
  command->footer("Exit code 3: a repair is needed, and was not done.");
  auto options = std::make_shared<RepairOptions>();
  command->add_option("collection,--collection", options->collection, "The folder of the collection")->required();
  command->add_flag("--apply", options->apply, "Do it");
  command->add_option("--launch", options->launch,
                      "This launch alone; earlier ones are changed only if they are named");
  command
      ->add_option(
          "--missing", options->missing,
          "What became of files that are not there any more: WARC files are kept elsewhere, and their captures "
          "stand (moved), or what was in them is fetched again (lost)")
      ->check(CLI::IsMember({"moved", "lost"}));
  command->callback([options, &exit_code] {
    const auto code = repair_now(*options);
    exit_code = code ? *code : fail_with(code.error());
  });
}

}  // namespace caddis::cli
