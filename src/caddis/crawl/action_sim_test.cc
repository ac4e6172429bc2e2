// The action directory of whole crawls in the simulated world: what is put there is done, once, whenever the power
// goes.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <map>
#include <optional>

#include "caddis/io/gzip.h"
#include "sim/crawl.h"

namespace caddis::crawl {
namespace {

using testing::SimCrawl;
using namespace std::chrono_literals;

// Nobody links to them: the site answers 500, which is a capture.
std::string extra(int number) { return fmt::format("http://a.test/extra{}", number); }

class Actions {
 public:
  explicit Actions(SimCrawl& crawl) : crawl_(crawl), files_(crawl.disk.files) {}

  void at(const std::string& folder) { folder_ = folder; }
  // As soon as the crawl runs.
  void put(const std::string& name, const std::string& text) { waiting_[name] = text; }
  void put_now(Operator& running) {
    at(running.state().launch.actions());
    for (auto file = waiting_.begin(); file != waiting_.end();) {
      // What was not done when the power went off, is to be done again.
      if (files_.exists(folder_ + "/" + file->first) ||
          files_.write_atomically(folder_ + "/" + file->first, file->second))
        file = waiting_.erase(file);
      else
        ++file;
    }
  }
  void watch() {
    crawl_.on_pulse = [this](aio::SimLoop&, Operator& running) {
      if (!waiting_.empty()) put_now(running);
    };
  }

  // URL of crawl.log to the number of its lines.
  std::map<std::string, int> log(std::string_view part) {
    std::map<std::string, int> counts;
    std::string all;
    for (int number = 1;; ++number) {
      const std::string path = launch() + "/logs/crawl.log" + (number == 1 ? "" : fmt::format(".{}", number));
      if (!files_.exists(path)) break;
      all += *files_.read_all(path);
    }
    for (const std::string_view line : split(all, '\n'))
      for (const std::string_view field : split(line, ' '))
        if (field.contains(part)) {
          ++counts[std::string(field)];
          break;
        }
    return counts;
  }
  // Of the files in done/ the names without their times, and what the reports say.
  std::vector<std::string> done() {
    std::vector<std::string> names;
    const auto entries = files_.list(folder_ + "/done");
    for (const auto& entry : *entries)
      if (!entry.name.ends_with(".report")) names.push_back(entry.name.substr(18));
    return names;
  }
  std::string report(const std::string& name) {
    const auto entries = files_.list(folder_ + "/done");
    for (const auto& entry : *entries)
      if (entry.name.ends_with(name + ".report")) return *files_.read_all(folder_ + "/done/" + entry.name);
    return {};
  }
  bool is_empty() {
    for (const auto& entry : *files_.list(folder_))
      if (!entry.is_directory) return false;
    return files_.list(folder_ + "/taken")->empty();
  }

 private:
  std::string launch() const { return io::parent_path(folder_); }

  SimCrawl& crawl_;
  io::MemoryFiles& files_;
  std::string folder_;
  std::map<std::string, std::string> waiting_;
};

TEST(Actions, AreDoneWhileTheCrawlRuns) {
  SimCrawl crawl(1);
  Actions actions(crawl);
  actions.put(
      "late.seeds",
      "# more\na.test/extra1 # a seed\ngopher://a.test/\n+http://(example,\nhttp://a.test/p0\n- http://b.test/\n");
  actions.put("more.schedule", extra(2) + "\n" + extra(1) + "\nF+ " + extra(3) + " LL http://a.test/p1\n");
  actions.put("zagain.force", extra(3) + "\n");
  actions.put("in.s.schedule.gz", io::gzip_member("http://outside.test/\n" + extra(4) + "\n", io::GzipEffort::small));
  actions.put("not.include", extra(5) + "\n" + extra(6) + "\n");
  actions.put("old.recover", "F+ " + extra(7) + " L http://a.test/\nFs " + extra(7) + "\nF+ " + extra(8) +
                                 " L http://a.test/\nFf " + extra(8) + "\nF+ dns:a.test P\nnonsense\n");
  actions.put("run.groovy", "System.exit(0)\n");
  actions.watch();
  ASSERT_TRUE(crawl.live({}));
  EXPECT_EQ(crawl.end().reason, EndReason::finished);
  const std::map<std::string, int> visited = {
      {extra(1), 1}, {extra(2), 1}, {extra(3), 1}, {extra(4), 1}, {extra(8), 1}};
  EXPECT_EQ(actions.log("/extra"), visited);
  EXPECT_TRUE(actions.is_empty());
  EXPECT_THAT(actions.done(),
              ::testing::UnorderedElementsAre("late.seeds", "more.schedule", "zagain.force", "in.s.schedule.gz",
                                              "not.include", "old.recover", "run.groovy"));
  const std::string seeds = actions.report("late.seeds");
  EXPECT_TRUE(seeds.contains(
      "6 lines: 1 URL taken, 1 known already, 0 outside of the scope, 2 bad (lines 3, 6); 1 line of the scope"))
      << seeds;
  EXPECT_TRUE(seeds.contains("line 3: seed 'gopher://a.test/' has the scheme gopher")) << seeds;
  EXPECT_TRUE(seeds.contains("line 6: is - a bullet? Write the URL alone")) << seeds;
  EXPECT_TRUE(actions.report("in.s.schedule.gz").contains("1 URL taken, 0 known already, 1 outside of the scope"));
  EXPECT_TRUE(actions.report("not.include").contains("2 URLs taken"));
  EXPECT_TRUE(actions.report("old.recover").contains("6 lines: 2 URLs taken, 1 known already"))
      << actions.report("old.recover");
  EXPECT_TRUE(actions.report("run.groovy").contains("refused: it is a script"));
}

// Each waits until it is committed, which takes up to a second.
TEST(Actions, WaitTogether) {
  SimCrawl crawl(1);
  Actions actions(crawl);
  for (int i = 0; i < 50; ++i) actions.put(fmt::format("{:02}.force", i), extra(i) + "\n");
  std::optional<SteadyTime> put, done;
  crawl.on_pulse = [&](aio::SimLoop& loop, Operator& running) {
    const auto now = loop.clock().steady();
    if (!put) {
      actions.put_now(running);
      put = now;
    }
    if (!done && now > *put + 1s && actions.is_empty()) done = now;
  };
  ASSERT_TRUE(crawl.live({}));
  ASSERT_TRUE(done);
  EXPECT_LT(*done - *put, 30s);
  EXPECT_EQ(actions.done().size(), 50u);
  EXPECT_EQ(actions.log("/extra").size(), 50u);
}

TEST(Actions, LeaveAloneWhatIsNotWhole) {
  SimCrawl crawl(1);
  Actions actions(crawl);
  const std::string text = extra(1) + "\n";
  std::string folder;
  SteadyTime grown{};
  int bytes = 0;
  crawl.on_pulse = [&](aio::SimLoop& loop, Operator& running) {
    folder = running.state().launch.actions();
    const auto now = loop.clock().steady();
    if (bytes == 0) {
      ASSERT_TRUE(crawl.disk.files.write_atomically(folder + "/.hidden.force", extra(9)));
      ASSERT_TRUE(crawl.disk.files.write_atomically(folder + "/empty.force", ""));
    }
    // Slowly, but never so slowly that it seems to be whole.
    if (bytes == static_cast<int>(text.size()) || (bytes > 0 && now - grown < 1s)) return;
    grown = now;
    ASSERT_TRUE((*crawl.disk.files.open_append(folder + "/slow.force"))->append(text.substr(bytes++, 1)));
  };
  ASSERT_TRUE(crawl.live({}));
  actions.at(folder);
  const std::map<std::string, int> visited = {{extra(1), 1}};
  EXPECT_EQ(actions.log("/extra"), visited);
  EXPECT_THAT(actions.done(), ::testing::ElementsAre("slow.force"));
}

// Files that come at any time, deaths at any time: everything forced is visited once.
TEST(Actions, AreDoneOnceWheneverThePowerGoes) {
  uint64_t died = 0;
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    SimCrawl crawl(seed);
    Random& random = crawl.disk.random;
    Actions actions(crawl);
    std::string forced, scheduled;
    for (int i = 0; i < 5; ++i) forced += extra(i) + "\n";
    for (int i = 10; i < 15; ++i) scheduled += extra(i) + "\n";
    actions.put("a.force", forced);
    actions.put("b.schedule", scheduled);
    actions.watch();
    bool ended = false;
    for (int lives = 0; !ended && lives < 8; ++lives) {
      SimCrawl::Death death;
      if (random.below(2) == 0)
        death.events = 1 + random.below(900);
      else
        death.changes = 10 + random.below(150);
      ended = crawl.live(death);
    }
    while (!ended && !HasFailure()) ended = crawl.live({});
    died += crawl.disk.crashes();
    const auto log = actions.log("/extra");
    EXPECT_EQ(log.size(), 10u);
    for (const auto& [url, lines] : log) EXPECT_EQ(lines, 1) << url;
    EXPECT_TRUE(actions.is_empty());
    EXPECT_THAT(actions.done(), ::testing::UnorderedElementsAre("a.force", "b.schedule"));
    EXPECT_TRUE(actions.report("a.force").contains("5 lines: 5 URLs taken")) << actions.report("a.force");
    if (HasFailure()) return;
  }
  EXPECT_GT(died, 80u);
}

TEST(Actions, ScriptsAreRun) {
  SimCrawl crawl(1);
  Actions actions(crawl);
  actions.put("good.lua", "print(1)\nprint(2)\n");
  actions.put("bad.lua.gz", io::gzip_member("nonsense", io::GzipEffort::small));
  actions.put("cut.lua.gz", io::gzip_member("print(3)", io::GzipEffort::small).substr(0, 20));
  actions.put("large.lua", std::string(1 << 20, '-') + "\n");
  std::string many;
  while (many.size() <= 1 << 20) many += "-- a line\n";
  actions.put("many.lua", many);
  std::vector<std::string> texts;
  crawl.on_pulse = [&](aio::SimLoop&, Operator& running) {
    running.scripts().run_files_by([&](std::string name, std::string text) -> aio::Task<ScriptRun> {
      texts.push_back(text);
      co_return name == "good.lua" ? ScriptRun{"1\n2\n", ""} : ScriptRun{"", name + ":1: it is wrong"};
    });
    actions.put_now(running);
  };
  ASSERT_TRUE(crawl.live({}));
  EXPECT_THAT(texts, ::testing::UnorderedElementsAre("print(1)\nprint(2)\n", "nonsense\n"));
  EXPECT_EQ(actions.report("good.lua"), "good.lua: was run\n1\n2\n");
  EXPECT_EQ(actions.report("bad.lua.gz"), "bad.lua.gz: failed: bad.lua.gz:1: it is wrong\n");
  EXPECT_EQ(actions.report("cut.lua.gz"), "cut.lua.gz: refused: the gzip file is cut\n");
  EXPECT_EQ(actions.report("many.lua"), "many.lua: refused: a script has at most 1 MiB, and 128 KiB a line\n");
  EXPECT_EQ(actions.report("large.lua"), "large.lua: refused: a script has at most 1 MiB, and 128 KiB a line\n");
}

// A script that had begun may have done anything.
TEST(Actions, ScriptsRunOnceWheneverThePowerGoes) {
  uint64_t left = 0, ran = 0;
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    SimCrawl crawl(seed);
    Random& random = crawl.disk.random;
    Actions actions(crawl);
    actions.put("a.lua", "print(1)\n");
    int runs = 0;
    crawl.on_pulse = [&](aio::SimLoop&, Operator& running) {
      running.scripts().run_files_by([&](std::string, std::string) -> aio::Task<ScriptRun> {
        ++runs;
        co_return ScriptRun{"1\n", ""};
      });
      actions.put_now(running);
    };
    bool ended = false;
    for (int lives = 0; !ended && lives < 8; ++lives) {
      SimCrawl::Death death;
      death.changes = 10 + random.below(150);
      ended = crawl.live(death);
    }
    while (!ended && !HasFailure()) ended = crawl.live({});
    EXPECT_LE(runs, 1);
    EXPECT_TRUE(actions.is_empty());
    const std::string report = actions.report("a.lua");
    // One that was taken already may come before the first pulse of its life.
    if (runs == 0 && report.contains("this crawl runs no scripts")) continue;
    const bool was_left = report.starts_with("a.lua: had begun when the crawl ended");
    EXPECT_TRUE(was_left || report.starts_with("a.lua: was run")) << report;
    if (!was_left) EXPECT_EQ(runs, 1);
    left += was_left ? 1 : 0;
    ran += was_left ? 0 : 1;
    if (HasFailure()) return;
  }
  EXPECT_GT(left, 0u);
  EXPECT_GT(ran, 20u);
}

}  // namespace
}  // namespace caddis::crawl
