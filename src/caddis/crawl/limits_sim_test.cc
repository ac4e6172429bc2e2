// Limits and quotas of whole crawls in the simulated world: what exactly is captured, and that nothing is lost by them.

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "caddis/base/strings.h"
#include "caddis/collection/end_note.h"
#include "sim/crawl.h"

namespace caddis::crawl {
namespace {

using namespace std::chrono_literals;
using testing::SimCrawl;

struct LogLine {
  std::string url, annotations;
  int status = 0;
};

// Of crawl.log, documents and what was given up: all but dns: and robots.txt.
std::vector<LogLine> documents_logged(SimCrawl& crawl) {
  std::vector<LogLine> lines;
  const std::string crawls = std::string(SimCrawl::kCollection) + "/crawls";
  const auto folders = crawl.disk.files.list(crawls);
  for (const auto& folder : *folders) {
    const auto log = crawl.disk.files.read_all(crawls + "/" + folder.name + "/logs/crawl.log");
    if (!log) continue;
    for (const std::string_view line : split(*log, '\n')) {
      std::vector<std::string> fields;
      for (const std::string_view field : split(line, ' '))
        if (!field.empty()) fields.emplace_back(field);
      if (fields.size() != 12 || fields[3].starts_with("dns:")) continue;
      if (fields[3].ends_with("/robots.txt") || fields[3].ends_with("/rules.txt")) continue;
      lines.push_back({fields[3], fields[11], std::atoi(fields[1].c_str())});
    }
  }
  return lines;
}

std::map<std::string, int> captured_by_host(SimCrawl& crawl) {
  std::map<std::string, int> hosts;
  for (const LogLine& line : documents_logged(crawl))
    if (line.status > 0) ++hosts[line.url.substr(7, line.url.find('/', 7) - 7)];
  return hosts;
}

size_t captured(SimCrawl& crawl) {
  size_t sum = 0;
  for (const auto& [host, documents] : captured_by_host(crawl)) sum += static_cast<size_t>(documents);
  return sum;
}

TEST(Limits, PausesUntilSomebodyRaisesThem) {
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    SCOPED_TRACE(seed);
    SimCrawl crawl(seed);
    crawl.settings.limits.max_documents = 10;
    crawl.settings.limits.at_limit = config::AtLimit::pause;
    int pauses = 0;
    crawl.on_pulse = [&](aio::SimLoop&, Operator& running) {
      const CrawlStatus status = running.status();
      if (status.state != RunState::paused) return;
      ++pauses;
      EXPECT_EQ(status.documents, static_cast<uint64_t>(10 * pauses));
      EXPECT_TRUE(status.waits_for.contains("max-documents")) << status.waits_for;
      const auto resumed = running.resume();
      ASSERT_FALSE(resumed);
      EXPECT_EQ(resumed.error().code, ErrorCode::conflict);
      EXPECT_FALSE(running.change_settings({.settings = {{"limits.max-documents", "-1"}}}));
      EXPECT_FALSE(running.change_settings({.settings = {{"limits.max-documents", "1000"}, {"crawl.name", "other"}}}));
      EXPECT_FALSE(running.change_settings({.settings = {{"limits.max-dokuments", "1000"}}}));
      const auto refused = [&](const char* name, const char* value) {
        const auto changed = running.change_settings({.settings = {{name, value}}});
        return changed ? "accepted" : changed.error().message;
      };
      EXPECT_TRUE(refused("crawl.contact", "x@a.test").contains("--from-checkpoint"));
      EXPECT_TRUE(refused("crawl.seeds", "http://new.test/").contains("--add URL --seed"));
      EXPECT_TRUE(refused("crawl.name", "other").contains("begin a new crawl"));
      EXPECT_TRUE(refused("crawl.lanes", "3").contains("resume it with the new value"));
      const auto changed =
          running.change_settings({.settings = {{"limits.max-documents", std::to_string(10 * (pauses + 1))}}});
      ASSERT_TRUE(changed) << changed.error().message;
      EXPECT_EQ(changed->size(), 1u);
      EXPECT_TRUE(running.resume());
    };
    ASSERT_TRUE(crawl.live({})) << crawl.end().text;
    EXPECT_EQ(crawl.end().reason, EndReason::finished);
    EXPECT_EQ(pauses, static_cast<int>(crawl.site.documents() - 1) / 10);
    crawl.verify();
  }
}

// What a bandwidth without limit forgives is what frontier tests tell; here it comes to the frontier at once, and for
// good.
TEST(Limits, ABandwidthIsTakenBackWhileTheCrawlRuns) {
  SimCrawl crawl(1);
  crawl.settings.politeness.bandwidth = 1;
  bool changed = false;
  Duration since_change{};
  std::optional<SteadyTime> changed_at;
  crawl.on_pulse = [&](aio::SimLoop& loop, Operator& running) {
    if (changed_at) since_change = loop.clock().steady() - *changed_at;
    if (changed || running.status().documents < 1) return;
    changed = true;
    changed_at = loop.clock().steady();
    EXPECT_FALSE(running.change_settings({.settings = {{"politeness.bandwidth", "-1"}}}));
    EXPECT_TRUE(
        running.change_settings({.settings = {{"politeness.bandwidth", "0"}, {"politeness.host-bandwidth", "1MB"}}}));
  };
  ASSERT_TRUE(crawl.live({})) << crawl.end().text;
  EXPECT_TRUE(changed);
  EXPECT_LT(since_change, std::chrono::minutes(30)) << "a document is paid for with hours";
  const auto launch = collection::latest_launch(crawl.disk.files, SimCrawl::kCollection);
  const auto yaml = crawl.disk.files.read_all((*launch)->settings_file());
  ASSERT_TRUE(yaml);
  EXPECT_TRUE(yaml->contains("host-bandwidth: 1")) << *yaml;
  crawl.verify();
}

// Who looks at it afterwards is told from a death; what was not committed is fetched again.
TEST(Limits, StoppedWhileTheDiskIsFull) {
  SimCrawl crawl(1);
  crawl.faulty = true;
  crawl.on_pulse = [&](aio::SimLoop&, Operator& running) {
    if (running.status().documents >= 10) crawl.disk.files.set_free_space(0);
    if (!running.can_persist()) running.stop("stopped by the operator");
  };
  ASSERT_FALSE(crawl.live({}));
  EXPECT_EQ(crawl.end().reason, EndReason::failed);
  const auto launch = collection::latest_launch(crawl.disk.files, SimCrawl::kCollection);
  ASSERT_TRUE(collection::noted_end(crawl.disk.files, **launch));
  EXPECT_FALSE(crawl.disk.files.exists((*launch)->reports() + "/crawl-report.txt"));
  crawl.disk.files.set_free_space(100'000'000);
  collection::note_end(crawl.disk.files, **launch, "no room");
  EXPECT_EQ(collection::noted_end(crawl.disk.files, **launch), "no room");
  crawl.on_pulse = nullptr;
  crawl.faulty = false;
  ASSERT_TRUE(crawl.live({})) << crawl.end().text;
  EXPECT_FALSE(collection::noted_end(crawl.disk.files, **launch));
  crawl.verify();
}

// A pause of the operator is not ended by having nothing to do: somebody may be about to change that.
TEST(Limits, AnOperatorsPauseHoldsAnEmptyCrawl) {
  SimCrawl crawl(1);
  ASSERT_TRUE(crawl.live({}));
  int pulses = 0;
  crawl.overlay = [](config::Settings& settings) -> Result<void> {
    settings.limits.run_while_empty = true;
    return {};
  };
  crawl.on_pulse = [&](aio::SimLoop&, Operator& running) {
    if (++pulses == 1) running.pause();
    if (pulses < 50 || running.status().state != RunState::paused) return;
    EXPECT_TRUE(running.change_settings({.settings = {{"limits.run-while-empty", "false"}}}));
    if (pulses > 100) EXPECT_TRUE(running.resume());
  };
  ASSERT_TRUE(crawl.live({})) << crawl.end().text;
  EXPECT_GT(pulses, 100);
}

// What was raised counts for whoever resumes it, and a pause outlives a death.
TEST(Limits, PausedAndDead) {
  SimCrawl crawl(3);
  crawl.settings.limits.max_documents = 10;
  crawl.settings.limits.at_limit = config::AtLimit::pause;
  int pulses = 0;
  bool raise = false;
  crawl.on_pulse = [&](aio::SimLoop&, Operator& running) {
    if (running.status().state != RunState::paused) return;
    if (raise)
      EXPECT_TRUE(running.change_settings({.settings = {{"limits.max-documents", "0"}}}) && running.resume());
    else if (++pulses == 100)
      running.stop("enough");
  };
  ASSERT_FALSE(crawl.live({}));
  EXPECT_EQ(crawl.end().reason, EndReason::stopped);
  EXPECT_EQ(captured(crawl), 10u);
  raise = true;
  ASSERT_FALSE(crawl.live({300, {}}));
  ASSERT_TRUE(crawl.live({}));
  crawl.verify();
}

TEST(Limits, EndsAndGoesOn) {
  SimCrawl crawl(2);
  crawl.settings.limits.max_documents = 15;
  ASSERT_FALSE(crawl.live({}));
  EXPECT_EQ(crawl.end().reason, EndReason::limit);
  EXPECT_EQ(crawl.end().text, "reached max-documents (15)");
  EXPECT_EQ(captured(crawl), 15u);
  crawl.overlay = [](config::Settings& settings) -> Result<void> {
    settings.limits.max_documents = 0;
    settings.limits.max_warc_bytes = 1;
    return {};
  };
  ASSERT_FALSE(crawl.live({}));
  EXPECT_EQ(crawl.end().text, "reached max-warc-bytes (1 bytes)");
  EXPECT_EQ(captured(crawl), 15u);
  crawl.overlay = [](config::Settings& settings) -> Result<void> {
    settings.limits.max_warc_bytes = 0;
    return {};
  };
  ASSERT_TRUE(crawl.live({}));
  crawl.verify();
}

TEST(Limits, BlockGivesUpWhatWaits) {
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    SCOPED_TRACE(seed);
    SimCrawl crawl(seed);
    crawl.settings.limits.max_documents = 20;
    crawl.settings.limits.at_limit = config::AtLimit::block;
    ASSERT_FALSE(crawl.live({}));
    EXPECT_EQ(crawl.end().reason, EndReason::limit);
    size_t given_up = 0;
    for (const LogLine& line : documents_logged(crawl)) {
      if (line.status != -5004) continue;
      ++given_up;
      EXPECT_TRUE(line.annotations.ends_with("limit:max-documents")) << line.annotations;
    }
    EXPECT_EQ(captured(crawl), 20u);
    EXPECT_GT(given_up, 3u);
    EXPECT_EQ(crawl.end().text, fmt::format("reached max-documents (20); {} URLs were given up", given_up));
  }
}

TEST(Limits, RunsWhileEmptyUntilIdleForTooLong) {
  SimCrawl crawl(1);
  crawl.settings.limits.run_while_empty = true;
  crawl.settings.limits.max_idle = 5min;
  std::optional<SteadyTime> empty_since;
  bool added = false;
  crawl.on_pulse = [&](aio::SimLoop& loop, Operator& running) {
    if (running.status().state != RunState::empty) return;
    EXPECT_TRUE(running.status().waits_for.contains("--add"));
    if (!empty_since) empty_since = loop.clock().steady();
    // Just in time: the idle time begins anew.
    if (added || loop.clock().steady() - *empty_since < 4min) return;
    added = true;
    Operator::AddedUrl url;
    url.url = "http://a.test/missing";
    url.force = true;
    EXPECT_EQ(running.add_urls({url})->urls, 1u);
    empty_since.reset();
  };
  ASSERT_FALSE(crawl.live({}));
  EXPECT_EQ(crawl.end().reason, EndReason::limit);
  EXPECT_EQ(crawl.end().text, "reached max-idle (5m)");
  EXPECT_TRUE(added);
  EXPECT_EQ(documents_logged(crawl).size(), crawl.site.documents() + 2) << "forbidden once, missing twice";
}

TEST(Limits, RunsWhileEmptyUntilSomebodyStopsIt) {
  SimCrawl crawl(2);
  crawl.settings.limits.run_while_empty = true;
  crawl.on_pulse = [&](aio::SimLoop&, Operator& running) {
    if (running.status().state == RunState::empty) running.stop("stopped by the operator");
  };
  ASSERT_FALSE(crawl.live({}));
  EXPECT_EQ(crawl.end().reason, EndReason::stopped);
  crawl.overlay = [](config::Settings& settings) -> Result<void> {
    settings.limits.run_while_empty = false;
    return {};
  };
  ASSERT_TRUE(crawl.live({}));
  crawl.verify();
}

// Servers take connections and never say a word.
TEST(Limits, EndsWhenTheWebIsSilent) {
  SimCrawl crawl(1);
  crawl.settings.limits.max_silence = 12s;
  crawl.network.stalled = 1000;
  crawl.network.fault_within = 1;
  ASSERT_FALSE(crawl.live({}));
  EXPECT_EQ(crawl.end().reason, EndReason::limit);
  EXPECT_EQ(crawl.end().text, "reached max-silence (12s)");
}

TEST(Quotas, HostsStopAtThemAndGoOnWhenTheyAreRaised) {
  for (uint64_t seed = 1; seed <= 4; ++seed) {
    SCOPED_TRACE(seed);
    SimCrawl crawl(seed);
    crawl.settings.quota.host_successes = 5;
    // Every other one dies now and then.
    bool ended = false;
    for (int deaths = 0; !ended && seed % 2 == 0 && deaths < 8; ++deaths)
      ended = crawl.live({1 + crawl.disk.random.below(200), {}});
    if (!ended) ended = crawl.live({});
    ASSERT_TRUE(ended);
    EXPECT_EQ(crawl.end().reason, EndReason::finished);
    EXPECT_TRUE(crawl.end().text.contains("quotas are used up")) << crawl.end().text;
    const auto by_host = captured_by_host(crawl);
    for (const char* host : {"a.test", "b.test", "c.test"}) EXPECT_EQ(by_host.at(host), 5) << host;
    for (const auto& [host, documents] : by_host) EXPECT_LE(documents, 5) << host;
    crawl.overlay = [](config::Settings& settings) -> Result<void> {
      settings.quota.host_successes = 0;
      return {};
    };
    ASSERT_TRUE(crawl.live({}));
    EXPECT_EQ(crawl.end().text, "finished");
    crawl.verify();
  }
}

TEST(Quotas, DroppedUrlsAreOnRecord) {
  SimCrawl crawl(1);
  crawl.settings.quota.host_successes = 5;
  crawl.settings.quota.action = frontier::QuotaAction::drop;
  ASSERT_TRUE(crawl.live({}));
  EXPECT_EQ(crawl.end().text, "finished");
  size_t dropped = 0;
  for (const LogLine& line : documents_logged(crawl)) {
    EXPECT_TRUE(line.status > 0 || line.status == -5003 || line.status == -9998) << line.status;
    if (line.status != -5003) continue;
    ++dropped;
    EXPECT_TRUE(line.annotations.ends_with("Q:host-successes")) << line.annotations;
  }
  EXPECT_GT(dropped, 5u);
  for (const auto& [host, documents] : captured_by_host(crawl)) EXPECT_LE(documents, 5) << host;
}

TEST(Again, AStatusClassIsCapturedAgain) {
  for (uint64_t seed = 1; seed <= 2; ++seed) {
    SCOPED_TRACE(seed);
    SimCrawl crawl(seed);
    crawl.settings.fetch.again = {"5xx after 10m, 2 times"};
    bool ended = false;
    for (int deaths = 0; !ended && seed % 2 == 0 && deaths < 8; ++deaths)
      ended = crawl.live({1 + crawl.disk.random.below(400), {}});
    if (!ended) ended = crawl.live({});
    ASSERT_TRUE(ended);
    std::map<std::string, std::vector<std::string>> captures;
    for (const LogLine& line : documents_logged(crawl)) captures[line.url].push_back(line.annotations);
    const std::vector<std::string>& down = captures.at("http://b.test/down");
    ASSERT_EQ(down.size(), 3u);
    EXPECT_FALSE(down[0].contains("again")) << down[0];
    EXPECT_TRUE(down[1].contains("again:1")) << down[1];
    EXPECT_TRUE(down[2].contains("again:2")) << down[2];
    for (const auto& [url, lines] : captures) EXPECT_TRUE(lines.size() == 1 || url.ends_with("/down")) << url;
  }
}

// The rows of domains are committed with the visits that they count: deaths neither add to them nor take from them.
TEST(Quotas, OfDomainsHoldThroughDeaths) {
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE(seed);
    SimCrawl crawl(seed);
    SeededRandom random(seed);
    crawl.settings.quota.domain_successes = 5;
    crawl.settings.quota.action = frontier::QuotaAction::drop;
    for (int deaths = 0; deaths < 10; ++deaths)
      if (crawl.live({.events = 50 + random.below(SimCrawl::kEvents), .changes = std::nullopt})) break;
    while (!crawl.live({})) {
    }
    for (const char* host : {"a.test", "b.test", "c.test"}) EXPECT_EQ(captured_by_host(crawl)[host], 5) << host;
    bool is_told = false;
    for (const LogLine& line : documents_logged(crawl))
      if (line.status == -5003) {
        is_told = true;
        EXPECT_TRUE(line.annotations.contains("Q:domain-successes")) << line.url << " " << line.annotations;
      }
    EXPECT_TRUE(is_told);
  }
}

}  // namespace
}  // namespace caddis::crawl
