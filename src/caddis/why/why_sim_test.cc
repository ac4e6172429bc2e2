// Whole crawls in the simulated world of a site whose paths decide what becomes of a URL: a hundred URLs of each fate are
// asked about, and each answer is held against what the site knows.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/strings.h"
#include "caddis/collection/launch.h"
#include "caddis/control/api_json.h"
#include "caddis/control/asked_crawl.h"
#include "caddis/logs/line_upgrade.h"
#include "caddis/why/fate_words.h"
#include "caddis/why/inquiry.h"
#include "sim/crawl.h"
#include "sim/requests.h"

namespace caddis::why {
namespace {

using namespace std::chrono_literals;
using caddis::testing::SimCrawl;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Pair;

constexpr int kOfEach = 100;
constexpr int kAlike =
    200;  // not all are revisits: those that were under way at the same time know nothing of each other
constexpr int kQuota = 600;  // more than the main host has

std::string page(std::string_view body, std::string_view status = "200 OK") {
  return fmt::format("HTTP/1.1 {}\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\r\n{}", status, body.size(),
                     body);
}

class WhyTest : public ::testing::Test {
 protected:
  WhyTest() {
    crawl_.make_parts = [this](aio::SimLoop& loop) { return parts(loop); };
    crawl_.settings.crawl.seeds = {"http://w.test/"};
    crawl_.settings.scope.kind = scope::ScopeKind::any;
    crawl_.settings.scope.exclude = {"/rejected/"};
    crawl_.settings.pipeline.guard = {"records: not url /left/"};
    crawl_.settings.politeness.delay = 1ms;
    crawl_.settings.politeness.url_retries = 1;
    crawl_.settings.politeness.host_failures = 1;
    crawl_.settings.politeness.host_probes = 0;
    crawl_.settings.memory.hosts = 0;
  }

  Result<visit::Lane::Parts> parts(aio::SimLoop& loop) {
    auto network = std::make_unique<aio::SimNetwork>(loop, crawl_.network);
    network->serve_rest([this](const aio::Endpoint&) -> aio::SimServer {
      return [this](std::unique_ptr<aio::Stream> stream) {
        return caddis::testing::answer_requests(std::move(stream),
                                                [this](const std::string& url) { return answer(url); });
      };
    });
    return visit::Lane::Parts{
        loop, std::move(network),
        dns::make_table_resolver(loop.clock(),
                                 {{"w.test", {"192.0.2.1"}}, {"q.test", {"192.0.2.2"}}, {"late.test", {"192.0.2.3"}}}),
        0};
  }

  std::string answer(const std::string& url) {
    served_.insert(url);
    if (url.ends_with("/robots.txt")) return page("User-agent: *\nDisallow: /private/\n");
    if (url == "http://w.test/") return page(links_);
    if (url.contains("/gone/")) return page("gone: " + url, "404 Not Found");
    if (url.contains("/same/")) return page("the same for all, and long enough to be worth a reference");
    return page("this is " + url);
  }
  void link(const std::string& url) { links_ += fmt::format("<a href=\"{}\">x</a>\n", url); }
  static std::string at(std::string_view path, int i, std::string_view host = "w.test") {
    return fmt::format("http://{}/{}/{}.html", host, path, i);
  }

  UrlEvidence ask(const std::string& url, Limits limits = {}, bool opens_state = true) {
    const control::AskingWorld world{.files = crawl_.disk.files,
                                     .clock = clock_,
                                     .ask = {},
                                     .open_kv = opens_state ? crawl_.disk.kv_opener() : store::KvOpener()};
    auto evidence = gather_evidence(world, {.collection = SimCrawl::kCollection, .url = url, .limits = limits});
    EXPECT_TRUE(evidence) << evidence.error().message;
    return evidence ? *std::move(evidence) : UrlEvidence();
  }
  void expect(const std::string& url, Fate fate, std::string_view words) {
    const UrlEvidence evidence = ask(url);
    const std::string told = fmt::format("{}", fmt::join(fate_sentences(evidence), "\n"));
    EXPECT_EQ(name_of(fate_of(evidence)), name_of(fate)) << url << "\n" << told;
    EXPECT_THAT(told, HasSubstr(std::string(words))) << url;
    EXPECT_EQ(evidence.problems, std::vector<std::string>()) << url;
  }
  void expect_all(std::string_view path, Fate fate, std::string_view words) {
    for (int i = 0; i < kOfEach; ++i) expect(at(path, i), fate, words);
  }

  // All files below a folder, if the name of the first step begins so.
  void remove_below(const std::string& folder, std::string_view begin) {
    const auto entries = *crawl_.disk.files.list(folder);
    for (const auto& entry : entries) {
      if (!entry.name.starts_with(begin)) continue;
      if (entry.is_directory)
        remove_below(folder + "/" + entry.name, "");
      else
        ASSERT_TRUE(crawl_.disk.files.remove(folder + "/" + entry.name));
    }
  }
  // Its lines stand in the logs in JSON, and no more in crawl.log.
  void convert_log(const collection::Launch& launch) {
    std::map<std::string, std::string> logs;
    uint64_t number = 0;
    const std::string text = *crawl_.disk.files.read_all(launch.crawl_log());
    for (const std::string_view line : split(text, '\n')) {
      if (line.empty()) continue;
      const auto upgraded = logs::upgraded_line(line, ++number);
      logs[upgraded.log] += upgraded.json + "\n";
    }
    for (const auto& [name, lines] : logs)
      ASSERT_TRUE(crawl_.disk.files.write_atomically(launch.logs() + "/" + name + ".jsonl", lines));
    ASSERT_TRUE(crawl_.disk.files.remove(launch.crawl_log()));
  }

  SimCrawl crawl_{5};
  ManualClock clock_;
  std::string links_;
  std::set<std::string> served_;
};

TEST_F(WhyTest, HundredOfEachFate) {
  for (int i = 0; i < kAlike; ++i) link(at("same", i));
  for (const char* path : {"page", "gone", "left", "private", "rejected"})
    for (int i = 0; i < kOfEach; ++i) link(at(path, i));
  for (int i = 0; i < kOfEach; ++i) link(fmt::format("http://h{}.nowhere.test/", i));
  for (int i = 0; i < kQuota + kOfEach; ++i) link(at("quota", i, "q.test"));
  crawl_.settings.quota.host_successes = kQuota;
  crawl_.settings.quota.action = frontier::QuotaAction::drop;
  ASSERT_TRUE(crawl_.live({}));

  expect_all("page", Fate::captured, "1 capture, of 20");
  expect_all("gone", Fate::captured, "status 404");
  expect_all("left", Fate::left_out, "left out of the archive by a guard");
  expect_all("private", Fate::robots, "forbids it (-9998)");
  expect_all("rejected", Fate::rejected, "/rejected/");
  expect_all("nowhere", Fate::unknown, "would accept it");
  int revisits = 0, refused = 0;
  for (int i = 0; i < kOfEach; ++i) {
    std::string shouted = at("page", i);
    shouted.replace(shouted.find("page"), 4, "PAGE");
    expect(shouted, Fate::captured_as, "under another spelling with the same key, " + at("page", i));
    const std::string lost = fmt::format("http://h{}.nowhere.test/", i);
    expect(lost, Fate::failed, fmt::format("The visit of dns:h{}.nowhere.test", i));
    expect(lost, Fate::failed, "It was found on http://w.test/ by hops L, from the seed http://w.test/.");
  }
  for (int i = 0; i < kAlike; ++i) {
    const UrlEvidence same = ask(at("same", i));
    ASSERT_EQ(fate_of(same), Fate::captured);
    const std::string first = fate_sentences(same).front();
    const bool is_revisit = same.captures.back().is_revisit();
    EXPECT_EQ(first.contains("It is a revisit: its payload is stored with http://w.test/same/"), is_revisit) << first;
    revisits += is_revisit ? 1 : 0;
  }
  EXPECT_GE(revisits, kOfEach);
  for (int i = 0; i < kQuota + kOfEach; ++i) {
    const std::string url = at("quota", i, "q.test");
    const bool was_served = served_.contains(url);
    refused += was_served ? 0 : 1;
    if (was_served)
      EXPECT_EQ(name_of(fate_of(ask(url))), "captured") << url;
    else
      expect(url, Fate::excluded, "the quota host-successes is used up");
  }
  EXPECT_GE(refused, kOfEach);

  // An index may outlive its files.
  remove_below(collection::Layout(SimCrawl::kCollection).archive(), "");
  EXPECT_THAT(ask(at("page", 0)).problems, ElementsAre(HasSubstr("is in no folder of the collection")));

  // The rest, if the index is gone, and then the log.
  const auto launch = *collection::latest_launch(crawl_.disk.files, SimCrawl::kCollection);
  remove_below(std::string(SimCrawl::kCollection) + "/indexes", "");
  remove_below(launch->state(), "cdx-journal");
  expect_all("page", Fate::unindexed, "No index of the collection has it");
  convert_log(*launch);
  expect_all("page", Fate::unindexed, "No index of the collection has it");
  expect_all("private", Fate::robots, "forbids it (-9998)");
  expect("http://h7.nowhere.test/", Fate::failed, "The visit of dns:h7.nowhere.test");
  for (const char* name : {"http", "dns", "failures", "not-crawled"})
    ASSERT_TRUE(crawl_.disk.files.remove(launch->logs() + "/" + name + ".jsonl"));
  expect_all("page", Fate::ended, "does not wait any more");
}

TEST_F(WhyTest, HundredThatWaitAndThatWereDeleted) {
  for (int i = 0; i < 2 * kOfEach; ++i) link(at("page", i));
  for (int i = 0; i < kOfEach; ++i) link(at("late", i, "late.test"));
  crawl_.settings.politeness.delay = 10s;
  bool has_deleted = false;
  crawl_.on_pulse = [&](aio::SimLoop&, crawl::Operator& running) {
    if (has_deleted || !served_.contains(at("page", 0)) || !served_.contains("http://late.test/robots.txt")) return;
    has_deleted = true;
    frontier::WaitingQuery query;
    query.host = "late.test";
    query.limit = 10 * kOfEach;
    EXPECT_TRUE(running.erase(std::move(query), "a test"));
    running.stop("a test");
  };
  EXPECT_FALSE(crawl_.live({}));
  ASSERT_TRUE(has_deleted);
  int waiting = 0, deleted = 0;
  for (int i = 0; i < 2 * kOfEach; ++i) {
    if (served_.contains(at("page", i))) continue;
    ++waiting;
    expect(at("page", i), Fate::waiting, "The crawl does not run");
    expect(at("page", i), Fate::waiting, "It was found on http://w.test/ by hops L.");
  }
  for (int i = 0; i < kOfEach; ++i) {
    if (served_.contains(at("late", i, "late.test"))) continue;
    ++deleted;
    expect(at("late", i, "late.test"), Fate::excluded, "-6000");
  }
  EXPECT_GE(waiting, kOfEach);
  EXPECT_GE(deleted, kOfEach - 2);

  // For a page nobody opens the state, and nobody says that it was never found.
  const UrlEvidence of_page = ask(at("page", 2 * kOfEach - 1), limits_of_a_page(), false);
  EXPECT_FALSE(of_page.was_state_asked);
  EXPECT_EQ(of_page.problems, std::vector<std::string>());
  const auto told = fate_sentences(of_page, Audience::readers);
  EXPECT_THAT(told.front(), HasSubstr("or it waited when the crawl stopped"));
  EXPECT_THAT(told.back(), HasSubstr("those who keep the archive can find out more"));
}

// A clock on which each look takes a second: there is time for one piece of a log.
class Ticking final : public ManualClock {
 public:
  SteadyTime steady() const override { return SteadyTime(std::chrono::seconds(++seconds_)); }

 private:
  mutable int seconds_ = 0;
};

TEST(Inquiry, LogsAreReadForSoLong) {
  io::MemoryFiles files;
  const std::string logs = "/c/crawls/l-20260101000000/logs";
  ASSERT_TRUE(files.make_dirs(logs));
  const auto line = [](std::string_view url, int status) {
    return fmt::format("2026-01-01T00:00:00.000Z {} - {} L http://e.org/ unknown #001 - - - -\n", status, url);
  };
  std::string filling;
  while (filling.size() < LogSearch::kPiece + 100'000) filling += line("http://e.org/other", 200);
  ASSERT_TRUE(files.write_atomically(logs + "/crawl.log",
                                     line("http://a.org/", -1) + filling + line("http://b.org/", -2) + filling));
  const Ticking clock;
  const control::AskingWorld world{.files = files, .clock = clock, .ask = {}, .open_kv = {}};
  const auto asked = [&](const std::string& url, Duration most) {
    Limits limits = limits_of_a_page();
    limits.logs = most;
    return *gather_evidence(world, {.collection = "/c", .url = url, .limits = limits});
  };
  const UrlEvidence late = asked("http://b.org/", 3s), early = asked("http://a.org/", 2s),
                    patient = asked("http://a.org/", 1h);
  ASSERT_EQ(late.visits.size(), 1u);
  EXPECT_EQ(late.visits.front().status, -2);
  EXPECT_TRUE(early.visits.empty());
  EXPECT_FALSE(early.logs_searched);
  EXPECT_THAT(fate_sentences(early, Audience::readers).front(), HasSubstr("would take too long"));
  ASSERT_EQ(patient.visits.size(), 1u);
  EXPECT_TRUE(patient.logs_searched);
}

// A crawl that answers late: all questions of an inquiry share one patience, and none comes after one that had no answer.
TEST(Inquiry, QuestionsHaveOnePatience) {
  io::MemoryFiles files;
  const std::string launch = "/c/crawls/l-20260101000000";
  ASSERT_TRUE(files.make_dirs(launch));
  ASSERT_TRUE(files.write_atomically(launch + "/crawl.yaml", "crawl: {seeds: [http://a.org/]}\n"));
  ManualClock clock;
  std::vector<std::pair<std::string, Duration>> asked;
  Duration takes{};
  const auto ask = [&](const std::string&, const control::Question& question,
                       Duration patience) -> Result<std::string> {
    asked.emplace_back(question.target.substr(0, question.target.find('?')), patience);
    clock.advance(std::min(takes, patience));
    if (takes >= patience) return fail(ErrorCode::timeout, "no answer");
    if (question.target.starts_with("/url"))
      return control::api::to_json(control::api::UrlReport{.url = "http://b.org/"});
    if (question.target.starts_with("/scope")) return control::api::to_json(control::api::ScopeReport{});
    return control::api::to_json(control::api::Status{});
  };
  const control::AskingWorld world{.files = files, .clock = clock, .ask = ask, .open_kv = {}, .patience = 1s};
  const auto told = [&](Duration each) {
    asked.clear();
    takes = each;
    return *gather_evidence(world, {.collection = "/c", .url = "http://b.org/", .limits = limits_of_a_page()});
  };
  EXPECT_TRUE(told(300ms).scope);
  EXPECT_THAT(asked, ElementsAre(Pair("/url", 1s), Pair("/status", 700ms), Pair("/scope", 400ms)));
  const UrlEvidence late = told(600ms);
  EXPECT_TRUE(late.was_state_asked);
  EXPECT_FALSE(late.scope);
  EXPECT_THAT(asked, ElementsAre(Pair("/url", 1s), Pair("/status", 400ms)));
  const UrlEvidence silent = told(2s);
  EXPECT_FALSE(silent.was_state_asked);
  EXPECT_EQ(silent.problems.size(), 1u);
  EXPECT_THAT(asked, ElementsAre(Pair("/url", 1s)));
}

// Pages of the archive tell strangers the fate of a URL, and neither commands nor how the crawl is set up.
TEST(FateWords, ReadersGetNoAdviceForOperators) {
  const auto told = [](const UrlEvidence& evidence, Audience audience) {
    return fmt::format("{}", fmt::join(fate_sentences(evidence, audience), "\n"));
  };
  const auto expect_kept_back = [&](const UrlEvidence& evidence, std::initializer_list<const char*> words) {
    for (const char* word : words) {
      EXPECT_THAT(told(evidence, Audience::operators), HasSubstr(word));
      EXPECT_THAT(told(evidence, Audience::readers), Not(HasSubstr(word)));
    }
    EXPECT_THAT(told(evidence, Audience::readers), Not(HasSubstr("'caddis ")));
  };
  UrlEvidence waits{.url = "http://a.org/", .launches = 1};
  waits.report.emplace().waits.push_back({.url = "http://a.org/", .via = "http://b.org/", .queue = "secret-queue"});
  expect_kept_back(waits, {"secret-queue", "'caddis crawl --resume'"});
  EXPECT_THAT(told(waits, Audience::readers), HasSubstr("It waits to be visited."));
  waits.runs = true;
  expect_kept_back(waits, {"secret-queue"});
  waits.state = "paused";
  expect_kept_back(waits, {"secret-queue", "'caddis resume'"});
  UrlEvidence rejected{.url = "http://a.org/", .launches = 1};
  rejected.scope = {.url = "http://a.org/", .explanation = "the file /home/me/blocked.txt has it"};
  expect_kept_back(rejected, {"/home/me/blocked.txt"});
  EXPECT_THAT(told(rejected, Audience::readers), HasSubstr("As a link, the scope of the crawl would reject it."));
  rejected.scope->accepted = true;
  expect_kept_back(rejected, {"/home/me/blocked.txt"});
  rejected.has_searched = true;
  rejected.links.push_back({.page = "http://b.org/", .hop = "L"});
  expect_kept_back(rejected, {"/home/me/blocked.txt", "politeness.host-budget"});
  UrlEvidence visited{.url = "http://a.org/", .launches = 1};
  visited.visits.push_back({.url = "http://a.org/", .time = "t", .annotations = "scope:the%20rule", .status = -5000});
  expect_kept_back(visited, {"the rule"});
  visited.visits.back() = {.url = "http://a.org/", .time = "t", .status = 200};
  expect_kept_back(visited, {"'caddis index add'"});
  visited.visits.back() = {.url = "http://a.org/", .time = "t", .reason = "the proxy wants a name", .status = -2};
  visited.tries.push_back(visited.visits.back());
  expect_kept_back(visited,
                   {"with -2 (no connection): the proxy wants a name", "last one at t, with -2 (no connection): the"});
  EXPECT_THAT(told(visited, Audience::readers), HasSubstr("no connection to its server could be made"));
  visited.visits.back() = {
      .url = "http://a.org/", .time = "t", .annotations = "wall:consent:ours,noRecords", .status = 200};
  expect_kept_back(visited, {"the wall 'ours' (walls.store: false, "});
  EXPECT_THAT(told(visited, Audience::readers),
              HasSubstr("left out of the archive: it is a request for consent in place of the page."));
}

class DetailsOfVisits : public ::testing::Test {
 protected:
  void put(std::string_view name, std::string_view text) {
    ASSERT_TRUE(files_.make_dirs(kLogs));
    ASSERT_TRUE(files_.write_atomically(fmt::format("{}/{}", kLogs, name), text));
  }
  std::string told(const std::string& url) {
    const ManualClock clock;
    const control::AskingWorld world{.files = files_, .clock = clock, .ask = {}, .open_kv = {}};
    const auto evidence = gather_evidence(world, {.collection = "/c", .url = url});
    return fmt::format("{}", fmt::join(fate_sentences(*evidence), "\n"));
  }
  static std::string line(std::string_view url, int status, std::string_view annotations = "-") {
    return fmt::format("2026-01-01T00:00:00.000Z {} - {} L http://e.org/ unknown #001 - - - {}\n", status, url,
                       annotations);
  }
  static std::string json(std::string_view url, std::string_view members,
                          std::string_view time = "2026-01-01T00:00:00.000Z") {
    return fmt::format("{{\"time\":\"{}\",\"url\":\"{}\",{}}}\n", time, url, members);
  }

  static constexpr const char* kLogs = "/c/crawls/l-20260101000000/logs";
  io::MemoryFiles files_;
};

TEST_F(DetailsOfVisits, ReasonsOfFailures) {
  put("crawl.log", line("http://a.org/robots.txt", -2) + line("http://a.org/", -61) + line("http://b.org/x", -4) +
                       line("http://c.org/robots.txt", -2, "4t") + line("http://c.org/", -61) +
                       line("sftp://d.org/x", -9));
  put("failures.jsonl",
      json("http://a.org/robots.txt", R"("status":"connect-failed","reason":"the proxy wants a name")") +
          json("http://a.org/", R"("status":"robots-unavailable")") +
          json("http://b.org/x", R"("status":"response-timeout","reason":"another time")", "2025-01-01T00:00:00.000Z") +
          json("sftp://d.org/x", R"("status":"tls-failed","reason":"its key is another one")"));
  std::string tried = line("http://c.org/robots.txt", -2);
  tried.insert(tried.size() - 1, " Connection%20refused");
  put("nonfatal-errors.log", tried);
  EXPECT_THAT(told("http://a.org/"), HasSubstr("The visit of http://a.org/robots.txt at 2026-01-01T00:00:00.000Z ended "
                                               "with -2 (no connection): the proxy wants a name."));
  EXPECT_THAT(told("http://a.org/robots.txt"), HasSubstr("with -2 (no connection): the proxy wants a name."));
  EXPECT_THAT(told("http://b.org/x"), HasSubstr("its server did not answer in time")) << "another visit says nothing";
  EXPECT_THAT(told("http://c.org/"), HasSubstr("with -2 (no connection): Connection refused."));
  EXPECT_THAT(told("sftp://d.org/x"), HasSubstr("with -9 (no secure connection): its key is another one."));
}

TEST_F(DetailsOfVisits, FlawsOfAnswers) {
  put("crawl.log", line("http://a.org/d", 200, "documentProblem,httpProblem") +
                       line("https://a.org/b", 200, "readTrunc,decodeProblem") +
                       line("http://a.org/l", 200, "login:form-failed"));
  put("http.jsonl",
      json("http://a.org/d", R"("status":200,"problem":"broken chunks","document_problem":"rtf: it ends early")") +
          json("https://a.org/b", R"("status":200,"body_problem":"read to 1 MB")") +
          json("http://a.org/l", R"("status":200,"login_problem":"nobody is in")"));
  const std::string document = told("http://a.org/d"), body = told("https://a.org/b");
  EXPECT_THAT(document, HasSubstr("The answer is not as HTTP has it: broken chunks (httpProblem)."));
  EXPECT_THAT(document, HasSubstr("or not as a whole: rtf: it ends early (documentProblem)."));
  EXPECT_THAT(body, HasSubstr("Links were not looked for in all of it: read to 1 MB (readTrunc)."));
  EXPECT_THAT(body, HasSubstr("Its body could not be decoded to its end: read to 1 MB (decodeProblem)."));
  EXPECT_THAT(told("http://a.org/l"), HasSubstr("Its log-in had a problem: nobody is in."));
}

TEST(Inquiry, NoCollectionAndNoUrl) {
  io::MemoryFiles files;
  ManualClock clock;
  const control::AskingWorld world{.files = files, .clock = clock, .ask = {}, .open_kv = {}};
  EXPECT_EQ(gather_evidence(world, {.collection = "/c", .url = "http://a/"}).error().code, ErrorCode::not_found);
  ASSERT_TRUE(files.make_dirs("/c/indexes"));
  EXPECT_FALSE(gather_evidence(world, {.collection = "/c", .url = "mailto:a@b"}));
  const auto evidence = gather_evidence(world, {.collection = "/c", .url = "http://a/<script>"});
  ASSERT_TRUE(evidence);
  EXPECT_EQ(fate_of(*evidence), Fate::unknown);
}

}  // namespace
}  // namespace caddis::why
