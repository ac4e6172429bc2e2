// Files of a crawl that people have taken away before it is resumed.
#include <gtest/gtest.h>

#include <algorithm>

#include "caddis/crawl/rollback.h"
#include "caddis/crawl/store_layout.h"
#include "sim/crawl.h"

namespace caddis::crawl {
namespace {

using testing::Leniency;
using testing::SimCrawl;

void run_to_end(SimCrawl& crawl) {
  while (!crawl.live({}) && !::testing::Test::HasFailure()) {
  }
}

// A crawl that has died and has some finished WARC files, of which one is gone: in the latest groups, or further back.
class MissingArchive {
 public:
  explicit MissingArchive(uint64_t groups_kept) : crawl(1) {
    crawl.groups_kept = groups_kept;
    crawl.settings.limits.max_documents = 10;
    // Each process that ends closes its file.
    for (const int64_t documents : {10, 20, 30, 0}) {
      EXPECT_FALSE(crawl.live({documents > 0 ? SimCrawl::kEndless : SimCrawl::kEvents / 8, {}}));
      crawl.overlay = [documents](config::Settings& settings) -> Result<void> {
        settings.limits.max_documents = documents == 30 ? 0 : documents + 10;
        return {};
      };
    }
    crawl.overlay = nullptr;
    const std::string archive = std::string(SimCrawl::kCollection) + "/archive";
    for (const auto& entry : *crawl.disk.files.list(archive))
      if (entry.name.ends_with(".warc.gz")) files.push_back(archive + "/" + entry.name);
    EXPECT_GE(files.size(), 3u);
    path = files[1];
    bytes = *crawl.disk.files.read_all(path);
    EXPECT_TRUE(crawl.disk.files.remove(path));
    EXPECT_TRUE(crawl.disk.files.sync_dir(archive));
  }
  std::string refusal() {
    crawl.faulty = true;
    EXPECT_FALSE(crawl.live({}));
    crawl.faulty = false;
    return std::exchange(crawl.refusal, {});
  }
  void put_back() {
    const auto file = *crawl.disk.files.open_append(path);
    ASSERT_TRUE(file->append(bytes) && file->sync() &&
                crawl.disk.files.sync_dir(std::string(SimCrawl::kCollection) + "/archive"));
  }
  bool tells(std::string_view what) const {
    return std::ranges::any_of(crawl.notices, [&](const std::string& notice) { return notice.contains(what); });
  }
  std::string report() {
    const collection::Launch launch = **collection::latest_launch(crawl.disk.files, SimCrawl::kCollection);
    return *crawl.disk.files.read_all(launch.reports() + "/crawl-report.txt");
  }
  // Nothing of what is there was taken away.
  void expect_others() {
    for (const std::string& file : files)
      if (file != path) EXPECT_TRUE(crawl.disk.files.exists(file)) << file;
    EXPECT_FALSE(tells("goes back"));
  }

  SimCrawl crawl;
  std::vector<std::string> files;
  std::string path, bytes;
};

TEST(MissingFiles, AreAskedFor) {
  for (const uint64_t groups_kept : {2, 64}) {
    SCOPED_TRACE(groups_kept);
    MissingArchive missing(groups_kept);
    for (int i = 0; i < 2; ++i) {
      const std::string refusal = missing.refusal();
      EXPECT_TRUE(refusal.contains(missing.path)) << refusal;
      EXPECT_TRUE(refusal.contains("--missing moved") && refusal.contains("--missing lost")) << refusal;
    }
    missing.put_back();
    run_to_end(missing.crawl);
    missing.crawl.verify();
  }
}

// Who is refused has changed nothing: what was given with it is given again, or not.
TEST(MissingFiles, LeaveTheSettingsAsTheyWereWhereTheyAreAskedFor) {
  MissingArchive missing(64);
  SimCrawl& crawl = missing.crawl;
  const collection::Launch launch = **collection::latest_launch(crawl.disk.files, SimCrawl::kCollection);
  const auto stored = [&] {
    const auto kv = *crawl.disk.kv_opener()(launch.store(), family_names());
    return (*kv->get(kMeta, kSettingsRow)).value_or("");
  };
  const auto told = [&] { return *crawl.disk.files.read_all(launch.settings_file()); };
  const std::string in_state = stored(), in_record = told();
  ASSERT_TRUE(in_state.contains("delay: 150ms") && in_record.contains("delay: 150ms"));
  crawl.overlay = [](config::Settings& settings) -> Result<void> {
    settings.politeness.delay = std::chrono::milliseconds(20);
    settings.fetch.proxy = "http://me:secret@proxy.test:3128";
    return {};
  };
  ASSERT_TRUE(crawl.disk.files.write_atomically("/log", "F+ http://a.test/new L http://a.test/\n"));
  crawl.recover_when_resumed = RecoverOptions{.path = "/log"};
  EXPECT_TRUE(missing.refusal().contains(missing.path));
  EXPECT_EQ(stored(), in_state);
  EXPECT_EQ(told(), in_record);
  EXPECT_FALSE(crawl.disk.files.exists(launch.secrets_file()));
  EXPECT_FALSE(crawl.disk.files.exists(launch.recovery_note()));
  missing.put_back();
  crawl.recover_when_resumed.reset();
  crawl.overlay = [](config::Settings& settings) -> Result<void> {
    settings.politeness.delay = std::chrono::milliseconds(20);
    return {};
  };
  ASSERT_FALSE(crawl.live({0, {}}));
  EXPECT_TRUE(stored().contains("delay: 20ms")) << "durable where it begins";
  EXPECT_TRUE(told().contains("delay: 20ms"));
  crawl.overlay = nullptr;
  run_to_end(crawl);
  crawl.verify();
}

// A refusal changes nothing: the crawl can still go on as it is.
TEST(MissingFiles, AreAskedForBeforeACrawlGoesBackToACheckpoint) {
  MissingArchive missing(64);
  SimCrawl& crawl = missing.crawl;
  const collection::Launch launch = **collection::latest_launch(crawl.disk.files, SimCrawl::kCollection);
  crawl.checkpoint = "latest";
  const std::string refusal = missing.refusal();
  EXPECT_TRUE(refusal.contains(missing.path) && refusal.contains("--missing moved")) << refusal;
  EXPECT_FALSE(Rollback::is_underway(crawl.disk.files, launch));
  EXPECT_FALSE(crawl.disk.files.exists(launch.state() + "/looked-at"));
  // Whatever else is wrong is told before, too.
  missing.put_back();
  const auto refuses = [&](std::string_view what) {
    const std::string why = missing.refusal();
    EXPECT_TRUE(why.contains(what)) << why;
    EXPECT_FALSE(Rollback::is_underway(crawl.disk.files, launch));
    EXPECT_TRUE(crawl.disk.files.exists(launch.index()));
  };
  ASSERT_TRUE(crawl.disk.files.write_atomically("/log", "nonsense\n"));
  crawl.recover_when_resumed = RecoverOptions{.path = "/log"};
  refuses("is no recovery log");
  crawl.recover_when_resumed.reset();
  crawl.overlay = [](config::Settings&) -> Result<void> { return fail(ErrorCode::config, "no such setting"); };
  refuses("no such setting");
  crawl.overlay = nullptr;
  const auto rename = [&](const std::string& from, const std::string& to) {
    return crawl.disk.files.rename(from, to) && crawl.disk.files.sync_dir("/") &&
           crawl.disk.files.sync_dir(launch.logs());
  };
  ASSERT_TRUE(rename(launch.crawl_log(), "/crawl.log"));
  crawl.missing = MissingFiles::moved;
  refuses(launch.crawl_log());
  crawl.missing = MissingFiles::refused;
  ASSERT_TRUE(rename("/crawl.log", launch.crawl_log()));
  crawl.checkpoint.clear();
  run_to_end(crawl);
  EXPECT_FALSE(missing.tells("checkpoint"));
  crawl.verify();
}

TEST(MissingFiles, ThatWereMovedKeepTheirCaptures) {
  for (const uint64_t groups_kept : {2, 64}) {
    SCOPED_TRACE(groups_kept);
    MissingArchive missing(groups_kept);
    missing.crawl.missing = MissingFiles::moved;
    // Dying before a commit changes nothing; after it nobody asks any more.
    EXPECT_FALSE(missing.crawl.live({SimCrawl::kEvents / 8, {}}));
    missing.crawl.missing = MissingFiles::refused;
    run_to_end(missing.crawl);
    EXPECT_TRUE(missing.tells("it was moved, and its captures stand"));
    EXPECT_FALSE(missing.report().contains("lost by the disk")) << missing.report();
    missing.expect_others();
    missing.put_back();
    missing.crawl.verify();
  }
}

TEST(MissingFiles, ThatAreLostAreFetchedAgain) {
  for (const uint64_t groups_kept : {2, 64}) {
    SCOPED_TRACE(groups_kept);
    MissingArchive missing(groups_kept);
    missing.crawl.missing = MissingFiles::lost;
    run_to_end(missing.crawl);
    EXPECT_TRUE(missing.tells("what was captured in it is fetched again"));
    missing.expect_others();
    missing.crawl.verify(
        {.may_repeat = [](std::string_view where,
                          std::string_view) { return where == "crawl.log" || where == "pages"; },
         .may_miss = [](std::string_view where,
                        std::string_view url) { return where == "lookups" || url.starts_with("dns:"); },
         .may_appear = [](std::string_view, std::string_view url) { return url == "http://b.test/of-an-error-page"; }});
  }
}

// Not what can be moved: the crawl goes by it.
TEST(MissingFiles, AreNotMovedWhereTheyAreLogs) {
  SimCrawl crawl(1);
  ASSERT_FALSE(crawl.live({SimCrawl::kEvents / 2, {}}));
  const std::string log = (*collection::latest_launch(crawl.disk.files, SimCrawl::kCollection))->crawl_log();
  const std::string bytes = *crawl.disk.files.read_all(log);
  ASSERT_TRUE(crawl.disk.files.remove(log));
  ASSERT_TRUE(crawl.disk.files.sync_dir(io::parent_path(log)));
  crawl.faulty = true;
  for (const MissingFiles what : {MissingFiles::refused, MissingFiles::moved}) {
    crawl.missing = what;
    EXPECT_FALSE(crawl.live({}));
    EXPECT_TRUE(crawl.refusal.contains(log)) << crawl.refusal;
    EXPECT_FALSE(crawl.refusal.contains("--missing moved")) << crawl.refusal;
  }
  crawl.faulty = false;
  const auto file = *crawl.disk.files.open_append(log);
  ASSERT_TRUE(file->append(bytes) && file->sync() && crawl.disk.files.sync_dir(io::parent_path(log)));
  run_to_end(crawl);
  crawl.verify();
}

// A state that is gone is no crawl that has not begun.
TEST(MissingFiles, OfTheStateAreAskedFor) {
  SimCrawl crawl(1);
  ASSERT_FALSE(crawl.live({SimCrawl::kEvents / 2, {}}));
  crawl.open_kv = [&](const std::string&, const std::vector<std::string>& families) {
    return SimCrawl(2).disk.kv_opener()("db", families);
  };
  crawl.faulty = true;
  EXPECT_FALSE(crawl.live({}));
  EXPECT_TRUE(crawl.refusal.contains("does not have the state of this crawl")) << crawl.refusal;
  crawl.faulty = false;
  crawl.open_kv = nullptr;
  run_to_end(crawl);
  crawl.verify();
}

TEST(SettingsFile, TellsThatItIsNotRead) {
  SimCrawl crawl(1);
  ASSERT_FALSE(crawl.live({SimCrawl::kEvents / 4, {}}));
  const std::string path = (*collection::latest_launch(crawl.disk.files, SimCrawl::kCollection))->settings_file();
  std::string yaml = *crawl.disk.files.read_all(path);
  const size_t at = yaml.find("delay: 150ms");
  ASSERT_NE(at, std::string::npos);
  yaml.replace(at, 12, "delay: 20ms");
  // What is given anew is no edit.
  crawl.overlay = [](config::Settings& settings) -> Result<void> {
    settings.limits.max_documents = 1'000'000;
    return {};
  };
  ASSERT_FALSE(crawl.live({SimCrawl::kEvents / 8, {}}));
  EXPECT_FALSE(std::ranges::any_of(crawl.notices, [](const auto& notice) { return notice.contains("--config"); }));
  crawl.overlay = nullptr;
  ASSERT_TRUE(crawl.disk.files.write_atomically(path, yaml));
  ASSERT_FALSE(crawl.live({SimCrawl::kEvents / 8, {}}));
  EXPECT_TRUE(std::ranges::any_of(crawl.notices, [](const std::string& notice) {
    return notice.contains("politeness.delay is 20ms there, and stays 150ms") && notice.contains("--config");
  }));
  run_to_end(crawl);
  crawl.verify();
}

}  // namespace
}  // namespace caddis::crawl
