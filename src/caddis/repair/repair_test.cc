#include "caddis/repair/repair.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "caddis/base/strings.h"
#include "caddis/repair/earlier_launch.h"
#include "caddis/repair/store_rows.h"
#include "faults/sim_disk.h"

namespace caddis::repair {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr const char* kArchive = "/c/archive/";
constexpr uint64_t kGroups = 8, kKept = 3, kRecord = 100;

// The state of a crawl that has died: eight groups with a capture each, the first three of them in 1.warc, the others in
// 2.warc, which is open; the latest three have undo rows.
class DeadCrawl {
 public:
  DeadCrawl() {
    open();
    EXPECT_TRUE(apply_death());
    for (const char* log : {"crawl.log", kCdxStream, kSeenStream})
      EXPECT_TRUE(streams->open_stream(log, std::string(log) == "crawl.log" ? launch.crawl_log() : path_of(log)));
    for (uint64_t number = 1; number <= kGroups; ++number) commit(number);
    streams.reset();
  }

  void open() {
    streams.reset();
    kv.reset();
    std::vector<std::string> families = {"meta", "streams"};
    while (families.size() <= kDigests) families.push_back(fmt::format("family {}", families.size()));
    kv = *disk.kv_opener()(launch.store(), families);
  }
  bool has_digests() const {
    const auto rows = kv->cursor(kDigests);
    rows->seek("");
    return rows->valid();
  }
  Subject subject() { return {disk.files, *kv, launch}; }
  RepairPlan plan(MissingFiles missing = MissingFiles::refused) {
    const auto before = everything();
    const auto found = inspect(subject(), missing);
    EXPECT_TRUE(found) << found.error().message;
    EXPECT_EQ(everything(), before) << "it only reads";
    return found ? *found : RepairPlan();
  }
  // As a resume begins. Returns if no repair was needed.
  bool apply_death() {
    streams = *store::StreamSet::open(disk.files, *kv, kStreams, launch.orphans(), launch.collection);
    const auto found = *streams->inspect({"/c/archive", io::parent_path(launch.crawl_log())}, nullptr);
    return !found.needs_repair() && streams->apply(found);
  }
  void lose(const std::string& path, uint64_t bytes) { ASSERT_TRUE(disk.files.lose_synced_tail(path, bytes)); }
  void remove(const std::string& path) {
    ASSERT_TRUE(disk.files.remove(path));
    ASSERT_TRUE(disk.files.sync_dir(io::parent_path(path)));
  }
  std::map<std::string, std::string> rows(std::string_view prefix) {
    std::map<std::string, std::string> found;
    const auto cursor = kv->cursor(kMeta);
    for (cursor->seek(prefix); cursor->valid() && cursor->key().starts_with(prefix); cursor->next())
      found.emplace(cursor->key().substr(prefix.size()), cursor->value());
    return found;
  }
  std::vector<std::string> keys(std::string_view prefix) {
    std::vector<std::string> found;
    for (const auto& [key, value] : rows(prefix)) found.push_back(key);
    return found;
  }
  uint64_t size(const std::string& path) { return disk.files.read_all(path).value_or("").size(); }
  std::string path_of(std::string_view log) const {
    return log == kCdxStream ? launch.cdx_journal() : launch.seen_log();
  }

  testing::SimDisk disk{1};
  const collection::Launch launch{"/c", "x-20260101000000"};
  std::unique_ptr<store::Kv> kv;
  std::unique_ptr<store::StreamSet> streams;

 private:
  void commit(uint64_t number) {
    const store::StreamEnds before = streams->ends();
    if (number == 1 || number == 4)
      ASSERT_TRUE(streams->roll_stream(kWarcStream, fmt::format("{}{}.warc", kArchive, number / 4 + 1), ".open"));
    const std::string url = fmt::format("http://a.test/{}", number);
    const auto at = *streams->append(kWarcStream, std::string(kRecord, 'r'));
    ASSERT_TRUE(streams->append(
        kCdxStream,
        fmt::format("test,a)/{} 20260101000000 {{\"url\": \"{}\", \"filename\": \"{}\", \"offset\": \"{}\", "
                    "\"length\": \"{}\"}}\n",
                    number, url, io::base_name(at.path), at.offset, kRecord)));
    ASSERT_TRUE(streams->append("crawl.log", url + "\n"));
    const std::string seen(8, static_cast<char>('a' + number));
    ASSERT_TRUE(streams->append(kSeenStream, seen));
    frontier::Lease lease;
    lease.kind = frontier::LeaseKind::url;
    lease.candidate.url = url;
    UndoEntries visits;
    visits.add(lease);
    store::Batch batch;
    batch.put(kMeta, group_row(number), encode_group_undo(before, visits, seen));
    batch.put(kDigests, fmt::format("digest {}", number), "an original");
    if (number > kKept) batch.erase(kMeta, group_row(number - kKept));
    ASSERT_TRUE(streams->sync());
    streams->stage_lengths(batch);
    ASSERT_TRUE(kv->write(batch, store::Durability::synced));
    ASSERT_TRUE(streams->committed());
  }
  std::map<std::string, std::string> everything() {
    std::map<std::string, std::string> found = rows("");
    const auto streams_rows = kv->cursor(kStreams);
    for (streams_rows->seek(""); streams_rows->valid(); streams_rows->next())
      found.emplace(streams_rows->key(), streams_rows->value());
    add_files("/c", found);
    return found;
  }
  void add_files(const std::string& folder, std::map<std::string, std::string>& found) {
    const auto entries = disk.files.list(folder);
    if (!entries) return;
    for (const auto& entry : *entries) {
      const std::string path = io::join_path(folder, entry.name);
      if (entry.is_directory)
        add_files(path, found);
      else
        found.emplace(path, *disk.files.read_all(path));
    }
  }
};

// Applies the plan, with the power going at each of its writes in turn, and again until it is done.
void repair_everywhere(const std::function<void(DeadCrawl&)>& damage, MissingFiles missing,
                       const std::function<void(DeadCrawl&)>& check) {
  for (uint64_t cut = 0;; ++cut) {
    SCOPED_TRACE(fmt::format("power for {} changes", cut));
    DeadCrawl crawl;
    damage(crawl);
    const RepairPlan plan = crawl.plan(missing);
    EXPECT_EQ(crawl.apply_death(), plan.damaged.empty());
    crawl.disk.cut_power_after(cut);
    const bool is_done = apply(crawl.subject(), plan).has_value();
    if (!is_done) {
      crawl.disk.crash();
      crawl.disk.disarm();
      crawl.open();
      const RepairPlan again = crawl.plan(missing);
      EXPECT_TRUE(again.remedy() == Remedy::none || again.remedy() >= plan.remedy());
      EXPECT_TRUE(apply(crawl.subject(), again));
    }
    crawl.disk.disarm();
    RepairPlan nothing;
    nothing.seen.needs = store::SeenMending::none;
    EXPECT_TRUE(crawl.plan() == nothing);
    EXPECT_TRUE(crawl.apply_death());
    EXPECT_FALSE(crawl.has_digests()) << "what is fetched again would be a revisit of what is lost";
    check(crawl);
    if (is_done || ::testing::Test::HasFailure()) return;
    ASSERT_LT(cut, 1000u);
  }
}

TEST(Repair, FindsNothingWhereNothingIs) {
  DeadCrawl crawl;
  const RepairPlan plan = crawl.plan();
  EXPECT_EQ(plan.remedy(), Remedy::none);
  EXPECT_THAT(plan.sentences(), IsEmpty());
  EXPECT_THAT(*apply(crawl.subject(), plan), IsEmpty());
  EXPECT_TRUE(crawl.apply_death());
}

TEST(Repair, GoesBackToWhereNothingIsMissing) {
  const auto damage = [](DeadCrawl& crawl) { crawl.lose(std::string(kArchive) + "2.warc.open", kRecord + 1); };
  DeadCrawl crawl;
  damage(crawl);
  const RepairPlan plan = crawl.plan();
  EXPECT_EQ(plan.remedy(), Remedy::lossless);
  EXPECT_EQ(plan.back->group, 7u);
  EXPECT_EQ(plan.back->visits, 2u);
  EXPECT_THAT(plan.sentences(),
              ElementsAre(HasSubstr("2.warc: the disk has lost 101 bytes"), HasSubstr("goes back by 2 groups")));
  EXPECT_THAT(refusal(plan, "/c").message, HasSubstr("crawl.repair=lossless"));
  repair_everywhere(damage, MissingFiles::refused, [](DeadCrawl& mended) {
    EXPECT_EQ(mended.size(std::string(kArchive) + "2.warc.open"), 3 * kRecord);
    EXPECT_EQ(mended.size(mended.launch.seen_log()), 6 * 8u);
    EXPECT_EQ(mended.size(mended.launch.crawl_log()), 6 * std::string("http://a.test/1\n").size());
    EXPECT_EQ(mended.rows(kWentBackRow).begin()->second, group_row(7));
    EXPECT_THAT(mended.keys(kAgainRow), IsEmpty());
    EXPECT_THAT(mended.rows(kLossRow), SizeIs(2));
  });
}

// Groups that were taken back are no places to go to any more.
TEST(Repair, GoesBackFurtherEachTime) {
  DeadCrawl crawl;
  for (const uint64_t group : {8, 7}) {
    crawl.lose(std::string(kArchive) + "2.warc.open", 1);
    const RepairPlan plan = crawl.plan();
    EXPECT_EQ(plan.back->group, group);
    EXPECT_EQ(plan.back->visits, kGroups + 1 - group);
    ASSERT_TRUE(apply(crawl.subject(), plan));
    ASSERT_TRUE(crawl.apply_death());
    EXPECT_EQ(crawl.rows(kWentBackRow).begin()->second, group_row(group));
  }
  EXPECT_THAT(crawl.rows(kLossRow), SizeIs(4));
}

TEST(Repair, CutsWhatLiesFurtherBack) {
  const auto damage = [](DeadCrawl& crawl) { crawl.lose(std::string(kArchive) + "1.warc", kRecord + 1); };
  DeadCrawl crawl;
  damage(crawl);
  const RepairPlan plan = crawl.plan();
  EXPECT_EQ(plan.remedy(), Remedy::losing);
  EXPECT_FALSE(plan.back);
  EXPECT_THAT(plan.urls, ElementsAre("http://a.test/2", "http://a.test/3"));
  EXPECT_THAT(refusal(plan, "/c").message, HasSubstr("crawl.repair=always"));
  repair_everywhere(damage, MissingFiles::refused, [](DeadCrawl& mended) {
    EXPECT_EQ(mended.size(std::string(kArchive) + "1.warc"), kRecord);
    EXPECT_EQ(mended.size(std::string(kArchive) + "2.warc.open"), 5 * kRecord);
    EXPECT_THAT(mended.keys(kAgainRow), ElementsAre("http://a.test/2", "http://a.test/3"));
    EXPECT_EQ(mended.rows(kLostCapturesRow), (std::map<std::string, std::string>{{"1.warc", "100"}}));
    EXPECT_TRUE(mended.rows(kWentBackRow).empty());
  });
}

// No record of the file is whole, and all is further back than the groups: it becomes an orphan, logs are cut.
TEST(Repair, CutsLogsToTheirLastLine) {
  const auto damage = [](DeadCrawl& crawl) {
    crawl.lose(std::string(kArchive) + "1.warc", 3 * kRecord - 1);
    crawl.lose(crawl.launch.crawl_log(), 70);
    crawl.lose(crawl.launch.seen_log(), 30);
  };
  repair_everywhere(damage, MissingFiles::refused, [](DeadCrawl& mended) {
    EXPECT_FALSE(mended.disk.files.exists(std::string(kArchive) + "1.warc"));
    EXPECT_TRUE(mended.disk.files.read_all(mended.launch.crawl_log())->ends_with("/3\n"));
    EXPECT_EQ(mended.size(mended.launch.seen_log()), 4 * 8u);
    EXPECT_EQ(mended.rows(kWentBackRow).begin()->second, group_row(6));
    EXPECT_THAT(mended.keys(kAgainRow), ElementsAre("http://a.test/1", "http://a.test/2", "http://a.test/3"));
    ASSERT_TRUE(mended.streams->open_stream("crawl.log", mended.launch.crawl_log()));
    EXPECT_EQ(mended.streams->path("crawl.log"), mended.launch.crawl_log() + ".2");
  });
}

TEST(Repair, AsksAboutFilesThatAreMissing) {
  const auto damage = [](DeadCrawl& crawl) { crawl.remove(std::string(kArchive) + "1.warc"); };
  DeadCrawl crawl;
  damage(crawl);
  const RepairPlan plan = crawl.plan();
  EXPECT_EQ(plan.remedy(), Remedy::unknown);
  EXPECT_THAT(plan.sentences(), ElementsAre(HasSubstr("--missing moved")));
  EXPECT_FALSE(apply(crawl.subject(), plan));
  EXPECT_EQ(crawl.plan(MissingFiles::moved).remedy(), Remedy::told);
  EXPECT_EQ(crawl.plan(MissingFiles::lost).remedy(), Remedy::told);
  repair_everywhere(damage, MissingFiles::moved, [](DeadCrawl& mended) {
    EXPECT_TRUE(mended.rows(kAgainRow).empty() && mended.rows(kLossRow).empty() && mended.rows(kWentBackRow).empty());
  });
  repair_everywhere(damage, MissingFiles::lost, [](DeadCrawl& mended) {
    EXPECT_THAT(mended.keys(kAgainRow), ElementsAre("http://a.test/1", "http://a.test/2", "http://a.test/3"));
    EXPECT_EQ(mended.rows(kLostCapturesRow), (std::map<std::string, std::string>{{"1.warc", "0"}}));
    EXPECT_EQ(mended.size(std::string(kArchive) + "2.warc.open"), 5 * kRecord);
  });
}

// Only WARC files are kept elsewhere by people.
TEST(Repair, AsksAboutLogsThatAreMissing) {
  const auto damage = [](DeadCrawl& crawl) { crawl.remove(crawl.launch.crawl_log()); };
  DeadCrawl crawl;
  damage(crawl);
  for (const MissingFiles word : {MissingFiles::refused, MissingFiles::moved}) {
    const Error why = refusal(crawl.plan(word), "/c");
    EXPECT_EQ(why.code, ErrorCode::config);
    EXPECT_FALSE(why.message.contains("--missing moved")) << why.message;
  }
  repair_everywhere(damage, MissingFiles::lost, [](DeadCrawl& mended) {
    EXPECT_EQ(mended.rows(kWentBackRow).begin()->second, group_row(6));
    EXPECT_FALSE(mended.disk.files.exists(mended.launch.crawl_log()));
  });
}

// A run that is damaged is made anew from the log, as long as that has all of it.
TEST(Repair, ReplacesDamagedRuns) {
  const auto damage = [](DeadCrawl& crawl) {
    const std::string folder = crawl.launch.seen_runs();
    const auto writer = *store::SeenRunWriter::create(crawl.disk.files, folder, 1, 2);
    const std::vector<uint64_t> values = {7, 1ULL << 63};
    ASSERT_TRUE(writer->add(values) && writer->finish());
    store::Batch batch;
    batch.put(kMeta, kSeenRunsRow, store::encode_seen_states({{.rows = 2, .runs = {{.number = 1, .values = 2}}}}));
    ASSERT_TRUE(crawl.kv->write(batch, store::Durability::synced));
    EXPECT_EQ(crawl.plan().remedy(), Remedy::none);
    crawl.lose(store::seen_run_path(folder, 1), 1);
  };
  DeadCrawl crawl;
  damage(crawl);
  const RepairPlan plan = crawl.plan();
  EXPECT_EQ(plan.remedy(), Remedy::lossless);
  EXPECT_THAT(plan.sentences(), ElementsAre(HasSubstr("made anew from its log")));
  EXPECT_THAT(*apply(crawl.subject(), plan), ElementsAre(HasSubstr("the seen-set was made anew from its log")));
  repair_everywhere(damage, MissingFiles::refused,
                    [](DeadCrawl& mended) { EXPECT_THAT(mended.rows(kLossRow), SizeIs(1)); });
}

// A launch behind which others have begun. Its latest WARC file is closed, as at an end.
TEST(EarlierLaunch, TellsWhatIsGoneAndIsSettledByAWord) {
  const auto damage = [](DeadCrawl& crawl) { crawl.remove(std::string(kArchive) + "1.warc"); };
  {
    DeadCrawl crawl;
    EXPECT_THAT(sentences(*inspect_earlier(crawl.subject()), MissingFiles::refused), IsEmpty());
    damage(crawl);
    const auto found = *inspect_earlier(crawl.subject());
    EXPECT_THAT(found.urls, ElementsAre("http://a.test/1", "http://a.test/2", "http://a.test/3"));
    EXPECT_THAT(sentences(found, MissingFiles::refused),
                ElementsAre(HasSubstr("/c/archive/1.warc is not there any more"), HasSubstr("3 captures were"),
                            HasSubstr("--missing lost")));
    EXPECT_FALSE(can_settle(found, MissingFiles::refused));
    EXPECT_EQ(settle(crawl.subject(), found, MissingFiles::refused).error().code, ErrorCode::config);
    ASSERT_TRUE(settle(crawl.subject(), found, MissingFiles::moved));
    EXPECT_FALSE(crawl.disk.files.exists(lost_urls_file(crawl.launch))) << "its captures stand";
    EXPECT_THAT(inspect_earlier(crawl.subject())->damaged, IsEmpty());
  }
  for (uint64_t cut = 0;; ++cut) {
    SCOPED_TRACE(fmt::format("power for {} changes", cut));
    DeadCrawl crawl;
    damage(crawl);
    const auto found = *inspect_earlier(crawl.subject());
    crawl.disk.cut_power_after(cut);
    const bool is_done = settle(crawl.subject(), found, MissingFiles::lost).has_value();
    if (!is_done) {
      crawl.disk.crash();
      crawl.disk.disarm();
      crawl.open();
      ASSERT_TRUE(settle(crawl.subject(), *inspect_earlier(crawl.subject()), MissingFiles::lost));
    }
    crawl.disk.disarm();
    EXPECT_EQ(*crawl.disk.files.read_all(lost_urls_file(crawl.launch)),
              "http://a.test/1\nhttp://a.test/2\nhttp://a.test/3\n");
    EXPECT_THAT(inspect_earlier(crawl.subject())->damaged, IsEmpty());
    EXPECT_TRUE(crawl.rows(kAgainRow).empty()) << "no crawl would fetch them";
    if (is_done || ::testing::Test::HasFailure()) return;
    ASSERT_LT(cut, 1000u);
  }
}

TEST(EarlierLaunch, KeepsWhatADiskHasLeftOfAFile) {
  DeadCrawl crawl;
  crawl.lose(std::string(kArchive) + "2.warc.open", 150);
  crawl.remove(crawl.launch.seen_log());
  const auto found = *inspect_earlier(crawl.subject());
  EXPECT_THAT(found.damaged, SizeIs(1)) << "nobody needs the known URLs any more";
  EXPECT_THAT(found.urls, ElementsAre("http://a.test/7", "http://a.test/8"));
  ASSERT_TRUE(settle(crawl.subject(), found, MissingFiles::refused));
  EXPECT_EQ(crawl.size(std::string(kArchive) + "2.warc.open"), 5 * kRecord - 150);
  EXPECT_EQ(*crawl.disk.files.read_all(lost_urls_file(crawl.launch)), "http://a.test/7\nhttp://a.test/8\n");
  EXPECT_THAT(inspect_earlier(crawl.subject())->damaged, IsEmpty());
  // A later loss is added to the list. Without the journal nobody knows which captures were lost.
  crawl.remove(std::string(kArchive) + "1.warc");
  ASSERT_TRUE(settle(crawl.subject(), *inspect_earlier(crawl.subject()), MissingFiles::lost));
  EXPECT_EQ(split(*crawl.disk.files.read_all(lost_urls_file(crawl.launch)), '\n').size(), 6u);
  DeadCrawl other;
  other.remove(std::string(kArchive) + "1.warc");
  other.remove(other.launch.cdx_journal());
  const auto unknown = *inspect_earlier(other.subject());
  EXPECT_NE(unknown.why_unknown, "");
  EXPECT_TRUE(settle(other.subject(), unknown, MissingFiles::lost));
  EXPECT_FALSE(other.disk.files.exists(lost_urls_file(other.launch)));
}

}  // namespace
}  // namespace caddis::repair
