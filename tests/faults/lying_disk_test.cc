// A disk that lies: when the power goes, it loses bytes that it had said were safe. Then the latest groups are taken
// back to where nothing is missing, and their visits are made again; what lies further back than those is found by the
// index journal. Nothing may be lost, and the loss has to be told.
//
// CADDIS_LIE_MOMENTS: how many losses to try in each series (200 by default); CADDIS_CRASH_SEED: where to begin.
#include <algorithm>

#include "faults/campaign.h"

namespace caddis::testing {
namespace {

constexpr const char* kLoss = "the disk has lost";

class LyingDisk {
 public:
  explicit LyingDisk(SimCrawl& crawl) : crawl_(crawl) {}

  // How many files have lost bytes: WARC files only, or any.
  uint64_t lose(bool any_stream) {
    std::vector<std::string> files = warcs();
    if (any_stream) {
      const std::string launch = find_launch();
      if (launch.empty()) return 0;
      for (const char* folder : {"/logs", "/state"}) add_files(launch + folder, files);
    }
    uint64_t damaged = 0;
    for (size_t i = 0; i < files.size(); ++i) {
      // The last of the archive's files is the one that is being written: most of what is lost is lost there.
      const bool likely = files.size() < 3 || (i + 1 == warcs().size() && !any_stream);
      if (crawl_.disk.random.below(likely ? 2 : 4) != 0) continue;
      damaged += damage(files[i]);
    }
    return damaged;
  }

 private:
  std::vector<std::string> warcs() {
    std::vector<std::string> files;
    add_files(std::string(SimCrawl::kCollection) + "/archive", files);
    return files;
  }
  void add_files(const std::string& folder, std::vector<std::string>& files) {
    const auto entries = crawl_.disk.files.list(folder);
    if (!entries) return;
    for (const auto& entry : *entries)
      if (!entry.is_directory && !entry.name.ends_with(".yaml")) files.push_back(folder + "/" + entry.name);
  }
  std::string find_launch() {
    const std::string folder = std::string(SimCrawl::kCollection) + "/crawls";
    const auto entries = crawl_.disk.files.list(folder);
    if (!entries) return {};
    for (const auto& entry : *entries)
      if (crawl_.disk.files.exists(folder + "/" + entry.name + "/crawl.yaml")) return folder + "/" + entry.name;
    return {};
  }
  // From a byte to most of what a few groups hold.
  bool damage(const std::string& path) {
    const auto bytes = crawl_.disk.files.read_all(path);
    if (!bytes || bytes->empty()) return false;
    const uint64_t most = std::min<uint64_t>(bytes->size(), 200'000);
    const uint64_t lost = 1 + crawl_.disk.random.below(1 + crawl_.disk.random.below(most));
    EXPECT_TRUE(crawl_.disk.files.lose_synced_tail(path, lost));
    return true;
  }

  SimCrawl& crawl_;
};

bool tells(const std::vector<std::string>& notices) {
  return std::ranges::any_of(notices, [](const std::string& notice) { return notice.contains(kLoss); });
}

std::string crawl_report(SimCrawl& crawl) {
  const std::string folder = std::string(SimCrawl::kCollection) + "/crawls";
  for (const auto& entry : *crawl.disk.files.list(folder))
    if (const auto report = crawl.disk.files.read_all(folder + "/" + entry.name + "/reports/crawl-report.txt"))
      return *report;
  return {};
}

struct Flavour {
  bool any_stream = false;
  uint64_t groups_kept = 64;
  config::SelfRepair repair = config::SelfRepair::lossless;
  Leniency leniency = {};
};

// Of what lies further back than the groups that are kept, the lines of logs stand already when it is fetched again.
// A robots.txt is fetched like any other URL then, links of its error page included, and a host's addresses are asked
// for only where something else of it is to be fetched.
Leniency beyond_the_groups() {
  return {
      .may_repeat = [](std::string_view where, std::string_view) { return where == "crawl.log" || where == "pages"; },
      .may_miss = [](std::string_view where,
                     std::string_view url) { return where == "lookups" || url.starts_with("dns:"); },
      .may_appear = [](std::string_view, std::string_view url) { return url == "http://b.test/of-an-error-page"; }};
}

void campaign(const Flavour& flavour) {
  const uint64_t moments = number_from("CADDIS_LIE_MOMENTS", 200);
  uint64_t told = 0;
  Series series;
  for (uint64_t seed = first_seed(); series.moments < moments; ++seed) {
    SCOPED_TRACE("CADDIS_CRASH_SEED=" + std::to_string(seed));
    SimCrawl crawl(seed);
    crawl.groups_kept = flavour.groups_kept;
    crawl.settings.crawl.repair = flavour.repair;
    LyingDisk disk(crawl);
    Random& random = crawl.disk.random;
    const uint64_t losses = 1 + random.below(6);
    bool ended = false;
    for (uint64_t lost = 0; !ended && lost < losses && crawl.lives() < 40;) {
      ended = crawl.live(random_death(random));
      if (!ended && disk.lose(flavour.any_stream) > 0) ++lost, ++series.moments;
    }
    while (!ended && !::testing::Test::HasFailure()) ended = crawl.live({});
    crawl.verify(flavour.leniency);
    series.add(crawl);
    told += tells(crawl.notices);
    EXPECT_EQ(tells(crawl.notices), crawl_report(crawl).contains(kLoss));
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_TRUE(moments < 50 || told > 0);
  ::testing::Test::RecordProperty("told", std::to_string(told));
}

TEST(LyingDisk, LosesTheEndOfWarcFiles) { campaign({}); }
TEST(LyingDisk, LosesTheEndOfAnyStream) { campaign({.any_stream = true}); }
TEST(LyingDisk, LosesMoreThanTheLatestGroups) {
  campaign({.groups_kept = 2, .repair = config::SelfRepair::always, .leniency = beyond_the_groups()});
}

std::vector<std::string> runs_of_known_urls(SimCrawl& crawl) {
  const auto launch = collection::latest_launch(crawl.disk.files, SimCrawl::kCollection);
  if (!launch || !*launch) return {};
  const std::string folder = (*launch)->seen_runs();
  std::vector<std::string> runs;
  if (const auto entries = crawl.disk.files.list(folder))
    for (const auto& entry : *entries) runs.push_back(folder + "/" + entry.name);
  return runs;
}

void replace(io::MemoryFiles& files, const std::string& path, std::string_view bytes) {
  if (files.exists(path)) ASSERT_TRUE(files.remove(path));
  const auto file = *files.open_append(path);
  ASSERT_TRUE(file->append(bytes) && file->sync() && files.sync_dir(io::parent_path(path)));
}

// Changes a byte of a run of known URLs, before its index. False where there is none.
bool damage_a_block(SimCrawl& crawl) {
  const auto runs = runs_of_known_urls(crawl);
  if (runs.empty()) return false;
  constexpr size_t kOneBlockIndexAndFooter = 4 + 48;
  const std::string& path = runs[crawl.disk.random.below(runs.size())];
  std::string bytes = *crawl.disk.files.read_all(path);
  if (bytes.size() <= kOneBlockIndexAndFooter) return false;
  bytes[crawl.disk.random.below(bytes.size() - kOneBlockIndexAndFooter)] ^= 1 << crawl.disk.random.below(8);
  replace(crawl.disk.files, path, bytes);
  return true;
}

// The latest run of the set of known URLs is damaged. Where it is younger than the groups that are kept, it is made
// anew from former runs and the log. Otherwise nobody knows what it held: the crawl is refused, until the file is back.
TEST(LyingDisk, LosesRunsOfKnownUrls) {
  const uint64_t moments = number_from("CADDIS_LIE_MOMENTS", 200) / 2;
  uint64_t refused = 0, mended = 0;
  Series series;
  for (uint64_t seed = first_seed(); series.moments < moments; ++seed) {
    SCOPED_TRACE("CADDIS_CRASH_SEED=" + std::to_string(seed));
    SimCrawl crawl(seed);
    crawl.settings.crawl.repair = config::SelfRepair::always;
    crawl.settings.memory.seen = 100 << seed % 4;
    crawl.groups_kept = 1 + seed % 6;
    io::MemoryFiles& files = crawl.disk.files;
    bool ended = false;
    for (int lives = 0; !ended && lives < 8; ++lives) {
      ended = crawl.live(random_death(crawl.disk.random));
      const auto runs = runs_of_known_urls(crawl);
      if (ended || runs.empty()) continue;
      const std::string& path = runs.back();
      const std::string bytes = *files.read_all(path);
      if (bytes.empty()) continue;
      ++series.moments;
      ASSERT_TRUE(files.lose_synced_tail(path, 1 + crawl.disk.random.below(bytes.size())));
      crawl.refusal.clear();
      crawl.faulty = true;
      const size_t told = crawl.notices.size();
      ended = crawl.live({SimCrawl::kEvents / 10, {}});
      crawl.faulty = false;
      mended += std::any_of(crawl.notices.begin() + static_cast<ptrdiff_t>(told), crawl.notices.end(),
                            [](const std::string& notice) { return notice.contains("the seen-set was made anew"); });
      if (crawl.refusal.empty()) continue;
      ++refused;
      EXPECT_TRUE(crawl.refusal.contains("--checkpoint")) << crawl.refusal;
      replace(files, path, bytes);
    }
    while (!ended && !HasFailure()) ended = crawl.live({});
    crawl.verify();
    series.add(crawl);
    if (HasFailure()) return;
  }
  EXPECT_TRUE(moments < 50 || (mended > 0 && refused > 0)) << mended << " mended, " << refused << " refused";
  RecordProperty("told", std::to_string(mended + refused));
}

// A byte of a run of known URLs is not what it was. Where former runs and the log do not have it either, a URL is known
// no more, and may be fetched again; but the crawl goes on, tells it, and loses none.
TEST(LyingDisk, DamagesBlocksOfKnownUrls) {
  const uint64_t moments = number_from("CADDIS_LIE_MOMENTS", 200) / 2;
  const Leniency known_no_more{.may_repeat = [](std::string_view, std::string_view) { return true; }};
  uint64_t told = 0;
  Series series;
  for (uint64_t seed = first_seed(); series.moments < moments; ++seed) {
    SCOPED_TRACE("CADDIS_CRASH_SEED=" + std::to_string(seed));
    SimCrawl crawl(seed);
    Random& random = crawl.disk.random;
    crawl.settings.crawl.repair = config::SelfRepair::always;
    crawl.settings.memory.seen = 100 << seed % 4;
    crawl.groups_kept = 1 + seed % 6;
    uint64_t salvaged = 0;
    bool ended = false;
    for (int lives = 0; !ended && lives < 8; ++lives) {
      ended = crawl.live(random_death(random));
      if (!ended) series.moments += damage_a_block(crawl);
    }
    while (!ended && !HasFailure()) ended = crawl.live({});
    for (const std::string& notice : crawl.notices) salvaged += notice.contains("known URLs is kept");
    crawl.verify(salvaged > 0 ? known_no_more : Leniency{});
    EXPECT_EQ(salvaged > 0, crawl_report(crawl).contains("known URLs is kept"));
    told += salvaged;
    series.add(crawl);
    if (HasFailure()) return;
  }
  EXPECT_TRUE(moments < 50 || told > 0);
  RecordProperty("told", std::to_string(told));
}

// First all captures of a file, beyond the latest groups; then the end of what is left of it, its first record.
TEST(LyingDisk, LosesAFileBitByBit) {
  SimCrawl crawl(1);
  crawl.settings.crawl.repair = config::SelfRepair::always;
  crawl.groups_kept = 2;
  ASSERT_FALSE(crawl.live({SimCrawl::kEvents / 2, {}}));
  const std::string archive = std::string(SimCrawl::kCollection) + "/archive/";
  // Its name loses a suffix when it is closed.
  const auto path = [&] { return archive + crawl.disk.files.list(archive)->front().name; };
  const auto size = [&] { return crawl.disk.files.read_all(path())->size(); };
  ASSERT_GT(size(), 2000u);
  ASSERT_TRUE(crawl.disk.files.lose_synced_tail(path(), size() - 2000));
  ASSERT_FALSE(crawl.live({SimCrawl::kEvents / 4, {}}));
  EXPECT_GT(size(), 0u);
  EXPECT_LT(size(), 2000u);
  ASSERT_TRUE(crawl.disk.files.lose_synced_tail(path(), 1));
  ASSERT_TRUE(crawl.live({}));
  EXPECT_TRUE(tells(crawl.notices));
  crawl.verify(beyond_the_groups());
}

}  // namespace
}  // namespace caddis::testing
