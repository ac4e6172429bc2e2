// The power goes while checkpoints are taken, while a crawl goes back to one, and while a new crawl begins from one:
// the crawl ends with exactly what it would have captured undisturbed, and the new one with what was not done then.
//
// CADDIS_CHECKPOINT_MOMENTS: how many deaths to try (200 by default), CADDIS_ROCKS_MOMENTS: on the real RocksDB (10);
// CADDIS_CRASH_SEED: where to begin.
#include <fmt/format.h>

#include "caddis/base/strings.h"
#include "caddis/crawl/checkpoint.h"
#include "caddis/crawl/rollback.h"
#include "caddis/io/gzip.h"
#include "caddis/io/memory_files.h"
#include "faults/campaign.h"
#include "faults/memory_file_system.h"

namespace caddis::testing {
namespace {

// One crawl that takes checkpoints all the time, and one begun from one of them.
class CheckpointCampaign {
 public:
  struct Counts {
    uint64_t back = 0, interrupted = 0, begun = 0;
  };

  // `changes`: to the disk, about, in an undisturbed run.
  CheckpointCampaign(SimCrawl& crawl, uint64_t changes, Counts& counts)
      : crawl_(crawl), random_(crawl.disk.random), changes_(2 * changes), counts_(counts) {
    crawl.settings.checkpoint.interval = std::chrono::seconds(1);
    crawl.settings.checkpoint.kept = 1 + static_cast<int64_t>(random_.below(4));
  }

  void run() {
    live_and_die(3 + random_.below(8), true);
    if (!::testing::Test::HasFailure()) crawl_.verify();
    if (!::testing::Test::HasFailure() && choose_beginning()) {
      ++counts_.begun;
      live_and_die(1 + random_.below(3), false);
      if (!::testing::Test::HasFailure()) crawl_.verify();
    }
  }

 private:
  void live_and_die(uint64_t deaths, bool goes_back) {
    const uint64_t before = crawl_.disk.crashes();
    bool ended = false;
    while (!ended && crawl_.disk.crashes() < before + deaths && !::testing::Test::HasFailure()) {
      crawl_.checkpoint = goes_back ? choose_goal() : std::string();
      ended = crawl_.live(random_death(random_, changes_));
    }
    crawl_.checkpoint.clear();
    while (!ended && !::testing::Test::HasFailure()) ended = crawl_.live({});
  }

  std::optional<collection::Launch> launch() {
    const auto found = collection::latest_launch(crawl_.disk.files, crawl_.collection);
    return found ? *found : std::nullopt;
  }
  std::vector<crawl::Checkpoint> checkpoints() {
    const auto found = crawl::list_checkpoints(crawl_.disk.files, *launch());
    EXPECT_TRUE(found && found->damaged.empty()) << (found ? found->damaged.front() : found.error().message);
    return found ? found->complete : std::vector<crawl::Checkpoint>();
  }
  // Now and then one of them, unless it is on its way to one already.
  std::string choose_goal() {
    if (!launch()) return {};
    const bool is_underway = crawl::Rollback::is_underway(crawl_.disk.files, *launch());
    counts_.interrupted += is_underway;
    const auto found = checkpoints();
    if (found.empty() || is_underway || random_.below(3) != 0) return {};
    ++counts_.back;
    return found[random_.below(found.size())].name;
  }
  // A new crawl in another collection begins with one of the old crawl's; false where none leaves anything to be done.
  bool choose_beginning() {
    auto found = checkpoints();
    std::erase_if(found, [](const crawl::Checkpoint& one) { return one.queued == 0; });
    if (found.empty()) return false;
    const crawl::Checkpoint& one = found[random_.below(found.size())];
    const collection::Launch old = *launch();
    for (const auto& log : one.logs) {
      if (log.stream == "crawl.log") take_lines(log_until(old, log));
      if (log.stream == "not-crawled.jsonl") take_rejected(log_until(old, log));
    }
    crawl_.from_checkpoint = crawl::checkpoint_folder(old, one.name);
    crawl_.collection = "/archive/new";
    return true;
  }
  // All that it had when the checkpoint was taken. It may have gone on in other files since, and before.
  std::string log_until(const collection::Launch& old, const crawl::Checkpoint::Log& log) {
    std::string all, name = log.stream;
    for (int part = 2; name != log.file; name = fmt::format("{}.{}", log.stream, part++))
      all += read_log(old.logs() + "/" + name);
    const std::string last = read_log(old.logs() + "/" + name);
    EXPECT_GE(last.size(), log.length);
    return all + last.substr(0, static_cast<size_t>(log.length));
  }
  // As it is, or packed.
  std::string read_log(const std::string& path) {
    io::MemoryFiles& files = crawl_.disk.files;
    const bool is_packed = !files.exists(path);
    auto bytes = files.read_all(is_packed ? path + ".gz" : path);
    if (bytes && is_packed) bytes = io::gunzip_all(*bytes, 1 << 30);
    EXPECT_TRUE(bytes) << path;
    return bytes ? *std::move(bytes) : std::string();
  }
  void take_lines(std::string_view log) {
    for (const std::string_view line : split(log, '\n')) {
      std::vector<std::string_view> fields;
      for (const std::string_view field : split(line, ' '))
        if (!field.empty()) fields.push_back(field);
      if (fields.size() > 3) crawl_.done.emplace(fields[3]);
    }
  }
  // Links that were not queued are told of once.
  void take_rejected(std::string_view log) {
    for (const auto& [url, word] : SimSite::unqueued())
      if (log.contains(fmt::format("\"url\":\"{}\",\"status\":\"{}\"", url, word))) crawl_.done.emplace(url);
  }

  SimCrawl& crawl_;
  Random& random_;
  const uint64_t changes_;
  Counts& counts_;
};

TEST(CheckpointPowerCuts, ACrawlEndsAsIfThereHadBeenNone) {
  const uint64_t moments = number_from("CADDIS_CHECKPOINT_MOMENTS", 200);
  CheckpointCampaign::Counts counts;
  Series series;
  for (uint64_t seed = first_seed(); series.moments < moments; ++seed) {
    SCOPED_TRACE("CADDIS_CRASH_SEED=" + std::to_string(seed));
    SimCrawl crawl(seed);
    turn_logs(crawl, seed);
    CheckpointCampaign(crawl, SimCrawl::kChanges, counts).run();
    series.moments += crawl.disk.crashes();
    series.add(crawl);
    if (HasFailure()) return;
  }
  EXPECT_TRUE(moments < 100 || (counts.back > 0 && counts.interrupted > 0 && counts.begun > 0))
      << counts.back << " times back, " << counts.interrupted << " interrupted, " << counts.begun << " begun from one";
  RecordProperty("back", std::to_string(counts.back));
  RecordProperty("begun", std::to_string(counts.begun));
}

TEST(RocksCheckpointPowerCuts, ACrawlEndsAsIfThereHadBeenNone) {
  constexpr uint64_t kChanges = 1200;
  const uint64_t moments = number_from("CADDIS_ROCKS_MOMENTS", 10);
  CheckpointCampaign::Counts counts;
  Series series;
  for (uint64_t seed = first_seed(); series.moments < moments; ++seed) {
    SCOPED_TRACE("CADDIS_CRASH_SEED=" + std::to_string(seed));
    SimCrawl crawl(seed);
    RocksOnMemory rocks(crawl.disk.files);
    crawl.open_kv = rocks.opener();
    CheckpointCampaign(crawl, kChanges, counts).run();
    series.moments += crawl.disk.crashes();
    series.add(crawl);
    if (HasFailure()) return;
  }
  RecordProperty("back", std::to_string(counts.back));
  RecordProperty("begun", std::to_string(counts.begun));
}

}  // namespace
}  // namespace caddis::testing
