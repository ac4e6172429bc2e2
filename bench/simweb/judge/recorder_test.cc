// A synthetic sequence of requests, whose faults are known because they are made here.
#include "simweb/judge/recorder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "simweb/judge/report.h"
#include "simweb/oracle/oracle.h"

namespace simweb {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

class RecorderTest : public testing::Test {
 protected:
  RecorderTest() : world_(*profile("test")), recorder_(world_, now_, {.min_gap = 10ms}) {}

  // The first open host that `fits`, and its first page that does.
  HostFacts host(auto&& fits) const {
    for (HostId id = 0; id < world_.hosts(); ++id)
      if (const HostFacts found = world_.host(id); found.open() && fits(found)) return found;
    ADD_FAILURE() << "no such host";
    return {};
  }
  HostFacts plain_host() const {
    return host([](const HostFacts& h) { return h.crawl_delay == 0 && h.robots == Robots::rules; });
  }
  PageRef page(const HostFacts& of, auto&& fits) const {
    for (uint64_t number = 0; number < of.pages; ++number)
      if (const PageRef found = world_.page(of, number); fits(found)) return found;
    ADD_FAILURE() << "no such page";
    return {};
  }
  PageRef html(const HostFacts& of, uint64_t number) const { return {Kind::html, std::min(number, of.inner - 1)}; }

  Asked ask(const HostFacts& of, const PageRef& what) {
    return recorder_.asked(of, {.id = of.id}, what, "", of.address, now_);
  }
  void end(const Asked& asked, int status = 200, bool whole = true, int64_t retry_after = -1) {
    recorder_.answered(asked, status, whole, retry_after, now_);
  }
  // A whole visit of 5 ms that begins a second after what was before.
  Asked visit(const HostFacts& of, const PageRef& what, int status = 200) {
    now_ += 1s;
    const Asked asked = ask(of, what);
    now_ += 5ms;
    end(asked, status);
    return asked;
  }
  uint64_t count(Violation violation) const { return recorder_.faults(violation).count; }

  const World world_;
  caddis::SteadyTime now_{1h};
  Recorder recorder_;
};

TEST_F(RecorderTest, APoliteCrawlHasNoFaults) {
  const HostFacts h = plain_host();
  visit(h, {.kind = Kind::robots});
  visit(h, html(h, 0));
  visit(h, html(h, 1));
  visit(h, {.kind = Kind::robots});  // recurs
  EXPECT_EQ(recorder_.violations(), 0u);
  EXPECT_EQ(recorder_.duplicates().count, 0u);
  EXPECT_EQ(recorder_.requests(), 4u);
  EXPECT_EQ(recorder_.host_gaps().smallest(), 1'000'000);
  EXPECT_EQ(recorder_.curve().pages(), 2u);
  EXPECT_DOUBLE_EQ(recorder_.curve().mass(), world_.mass(h, html(h, 0)) + world_.mass(h, html(h, 1)));
}

TEST_F(RecorderTest, ALogHasEachAnswerOnALine) {
  std::vector<std::string> lines;
  Recorder logging(world_, now_, {.log = [&](std::string_view line) { lines.emplace_back(line); }});
  const HostFacts h = plain_host();
  const Asked asked = logging.asked(h, {.id = h.id}, html(h, 1), "/p?q", h.address, now_ + 1s);
  EXPECT_THAT(lines, ElementsAre());
  logging.answered(asked, 200, false, -1, now_ + 1500ms);
  EXPECT_THAT(lines, ElementsAre("3601.000000 3601.500000 200 broken " + world_.origin(h) + "/p?q"));
}

TEST_F(RecorderTest, PagesBeforeRobotsTxt) {
  const HostFacts h = plain_host();
  visit(h, html(h, 0));
  const Asked robots = ask(h, {.kind = Kind::robots});
  visit(h, html(h, 1));  // asked, not yet answered
  end(robots);
  visit(h, html(h, 2));
  EXPECT_EQ(count(Violation::before_robots), 2u);
}

TEST_F(RecorderTest, RobotsTxtThatIsNotThereYetOrElsewhere) {
  const HostFacts h = plain_host();
  visit(h, {.kind = Kind::robots}, 503);
  visit(h, html(h, 0));
  visit(h, {.kind = Kind::robots}, 302);
  visit(h, html(h, 1));
  EXPECT_EQ(count(Violation::before_robots), 2u);
  visit(h, {.kind = Kind::robots_target});
  visit(h, html(h, 2));
  EXPECT_EQ(count(Violation::before_robots), 2u);
}

TEST_F(RecorderTest, SubdomainsAreOriginsOfTheirOwn) {
  const HostFacts h = plain_host();
  visit(h, {.kind = Kind::robots});
  const NamedHost sub{.id = h.id, .wildcard = true, .subdomain = 7};
  const PageRef home{.kind = Kind::trap_host, .number = 7};
  now_ += 1s;
  end(recorder_.asked(h, sub, home, "/", h.address, now_));
  EXPECT_EQ(count(Violation::before_robots), 1u);
  now_ += 1s;
  end(recorder_.asked(h, sub, {.kind = Kind::robots}, "/robots.txt", h.address, now_));
  now_ += 1s;
  end(recorder_.asked(h, sub, {.kind = Kind::trap_host, .number = 8}, "/", h.address, now_));
  EXPECT_EQ(count(Violation::before_robots), 1u);
  EXPECT_EQ(recorder_.trap_requests(), 2u);
}

TEST_F(RecorderTest, ForbiddenPages) {
  const HostFacts h = plain_host();
  const PageRef hidden = page(h, [](const PageRef& p) { return p.kind == Kind::hidden; });
  visit(h, {.kind = Kind::robots});
  visit(h, hidden);
  EXPECT_EQ(count(Violation::forbidden), 1u);
  EXPECT_THAT(recorder_.faults(Violation::forbidden).examples, ElementsAre(world_.url(h, hidden)));
}

TEST_F(RecorderTest, CrawlDelay) {
  const HostFacts h = host([](const HostFacts& f) { return f.crawl_delay > 0 && f.inner > 3; });
  end(ask(h, {.kind = Kind::robots}));
  now_ += std::chrono::milliseconds(h.crawl_delay);
  end(ask(h, html(h, 0)));
  EXPECT_EQ(count(Violation::crawl_delay), 0u);
  now_ += std::chrono::milliseconds(h.crawl_delay / 2);
  end(ask(h, html(h, 1)));
  EXPECT_EQ(count(Violation::crawl_delay), 1u);
}

TEST_F(RecorderTest, GapsAndRequestsAtATime) {
  const HostFacts h = plain_host();
  visit(h, {.kind = Kind::robots});
  now_ += 3ms;
  const Asked first = ask(h, html(h, 0));
  const Asked second = ask(h, html(h, 1));  // at the same time
  now_ += 1ms;
  end(first);
  end(second);
  EXPECT_EQ(count(Violation::min_gap), 2u);
  EXPECT_EQ(recorder_.host_gaps().smallest(), 0);
  EXPECT_EQ(recorder_.ledger().find(h.id)->most_active, 2u);
  EXPECT_EQ(recorder_.addresses().at(h.address).most_active, 2u);
}

TEST_F(RecorderTest, LimitsOfRequestsAtATime) {
  Recorder strict(world_, now_, {.host_requests = 1, .address_requests = 2});
  const HostFacts h = plain_host();
  const Asked robots = strict.asked(h, {.id = h.id}, {.kind = Kind::robots}, "", h.address, now_);
  for (uint64_t i = 0; i < 3; ++i) strict.asked(h, {.id = h.id}, {.kind = Kind::robots}, "", h.address, now_);
  strict.answered(robots, 200, true, -1, now_);
  EXPECT_EQ(strict.faults(Violation::host_requests).count, 3u);
  EXPECT_EQ(strict.faults(Violation::address_requests).count, 2u);
}

TEST_F(RecorderTest, Duplicates) {
  const HostFacts h = plain_host();
  visit(h, {.kind = Kind::robots});
  EXPECT_EQ(visit(h, html(h, 1)).attempt, 0u);
  EXPECT_EQ(visit(h, html(h, 1)).attempt, 1u);
  EXPECT_EQ(visit(h, html(h, 1)).attempt, 2u);
  EXPECT_EQ(recorder_.duplicates().count, 2u);
  // Two requests for one page at the same time.
  now_ += 1s;
  const Asked first = ask(h, html(h, 2)), second = ask(h, html(h, 2));
  end(first);
  end(second);
  EXPECT_EQ(recorder_.duplicates().count, 3u);
  // Steps of a chain have no number of their own.
  const PageRef step{.kind = Kind::chain_step, .number = 5, .part = 1};
  visit(h, step, 302);
  visit(h, {.kind = Kind::chain_step, .number = 5, .part = 2}, 302);
  EXPECT_EQ(recorder_.duplicates().count, 3u);
  EXPECT_EQ(visit(h, step, 302).attempt, 1u);
  EXPECT_EQ(recorder_.duplicates().count, 4u);
}

TEST_F(RecorderTest, PagesThatAreNotThereAreToldApart) {
  const HostFacts h = plain_host();
  visit(h, {.kind = Kind::robots});
  for (const std::string_view target : {"/a", "/b", "/a"}) {
    now_ += 1s;
    end(recorder_.asked(h, {.id = h.id}, {.kind = Kind::unknown}, target, h.address, now_), 404);
  }
  EXPECT_THAT(recorder_.duplicates().examples, ElementsAre(world_.origin(h) + "/a"));
}

TEST_F(RecorderTest, WhatBrokeOffMayBeAskedAgain) {
  const HostFacts h = plain_host();
  visit(h, {.kind = Kind::robots});
  now_ += 1s;
  end(ask(h, html(h, 1)), 200, false);
  EXPECT_EQ(visit(h, html(h, 1)).attempt, 1u);
  EXPECT_EQ(recorder_.duplicates().count, 0u);
  EXPECT_EQ(recorder_.odd().broken_off, 1u);
  EXPECT_EQ(recorder_.curve().pages(), 1u);
  visit(h, html(h, 1));
  EXPECT_EQ(recorder_.duplicates().count, 1u);
}

// The server has sent all it had, but a client could not take it for an answer.
TEST_F(RecorderTest, WhatIsNoAnswerMayBeAskedAgain) {
  const HostFacts h = plain_host();
  visit(h, {.kind = Kind::robots});
  for (const Kind kind : {Kind::bad_head, Kind::huge_head, Kind::length_long, Kind::drip})
    for (int i = 0; i < 3; ++i) visit(h, {.kind = kind, .number = 7 + static_cast<uint64_t>(kind)});
  EXPECT_EQ(recorder_.duplicates().count, 0u);
  EXPECT_EQ(recorder_.curve().pages(), 4u);
  for (int i = 0; i < 2; ++i) visit(h, {.kind = Kind::length_short, .number = 3});
  EXPECT_EQ(recorder_.duplicates().count, 1u);
}

TEST_F(RecorderTest, RefusalsWithoutATimeMayBeTriedAgain) {
  const HostFacts h = plain_host();
  visit(h, {.kind = Kind::robots});
  for (const PageRef refused : {PageRef{.kind = Kind::too_many, .number = 3}, {.kind = Kind::unavailable, .number = 4}})
    for (int attempt = 0; attempt < 3; ++attempt)
      visit(h, refused, attempt == 2 ? 200 : refused.kind == Kind::too_many ? 429 : 503);
  EXPECT_EQ(recorder_.duplicates().count, 0u);
  EXPECT_EQ(recorder_.violations(), 0u);
}

TEST_F(RecorderTest, WhatWasAnsweredAtADoorMayBeAskedForAgain) {
  const HostFacts h = plain_host();
  visit(h, {.kind = Kind::robots});
  now_ += 1s;
  Asked led = ask(h, html(h, 1));
  led.let_in = false;
  end(led, 302);
  visit(h, html(h, 1));
  now_ += 1s;
  Asked asked_who = ask(h, html(h, 2));
  asked_who.let_in = false;
  end(asked_who, 401);
  end(ask(h, html(h, 2)));  // at once
  EXPECT_EQ(recorder_.duplicates().count, 0u);
  EXPECT_EQ(recorder_.violations(), 0u);
  end(ask(h, html(h, 3)));
  EXPECT_EQ(count(Violation::min_gap), 1u);
  visit(h, html(h, 1));
  EXPECT_EQ(recorder_.duplicates().count, 1u);
}

TEST_F(RecorderTest, RetryAfter) {
  const HostFacts h = plain_host();
  const PageRef refused{.kind = Kind::too_many, .number = 3};
  visit(h, {.kind = Kind::robots});
  now_ += 1s;
  end(ask(h, refused), 429, true, 2);
  now_ += 1s;
  const Asked early = ask(h, refused);
  EXPECT_EQ(early.attempt, 1u);
  EXPECT_EQ(count(Violation::retry_after), 1u);
  end(early, 429, true, 2);
  now_ += 2s;
  const Asked kept = ask(h, refused);
  EXPECT_EQ(kept.attempt, 2u);
  end(kept);
  EXPECT_EQ(count(Violation::retry_after), 1u);
  EXPECT_EQ(recorder_.duplicates().count, 0u);
  visit(h, refused);
  EXPECT_EQ(recorder_.duplicates().count, 1u);
}

TEST_F(RecorderTest, Connections) {
  const HostFacts h = plain_host();
  for (int i = 0; i < 3; ++i) {
    recorder_.connected(h.address);
    recorder_.serves(h.id);
  }
  recorder_.left(h.id);
  recorder_.disconnected(h.address);
  recorder_.connected(h.address);
  EXPECT_EQ(recorder_.ledger().find(h.id)->most_connections, 3u);
  EXPECT_EQ(recorder_.ledger().find(h.id)->connections, 2u);
  EXPECT_EQ(recorder_.addresses().at(h.address).most_connections, 3u);
  EXPECT_EQ(recorder_.connections(), 4u);
}

// A crawl that takes all that must be taken, and another one that forgets a host.
TEST_F(RecorderTest, CoverageAgainstTheOracle) {
  uint64_t left_out = 0;
  Recorder complete(world_, now_);
  for (HostId id = 0; id < world_.hosts(); ++id) {
    const HostFacts h = world_.host(id);
    if (!h.open()) continue;
    for_each_expected(world_, h, [&](const PageRef& p, const Expectation& expectation) {
      if (expectation.verdict != Verdict::must) return;
      now_ += 1ms;
      complete.answered(complete.asked(h, {.id = id}, p, "", h.address, now_), 200, true, -1, now_);
      if (id == 0)
        ++left_out;
      else
        recorder_.answered(recorder_.asked(h, {.id = id}, p, "", h.address, now_), 200, true, -1, now_);
    });
  }
  const Coverage all = coverage(complete);
  ASSERT_TRUE(all.known);
  EXPECT_GT(all.must, 1000u);
  EXPECT_EQ(all.asked, all.must);
  EXPECT_NEAR(all.asked_mass, all.must_mass, 1e-9);
  EXPECT_TRUE(all.missing.empty());
  EXPECT_EQ(complete.duplicates().count, 0u);

  const Coverage part = coverage(recorder_);
  EXPECT_EQ(part.must - part.asked, left_out);
  EXPECT_LT(part.asked_mass, part.must_mass);
  EXPECT_EQ(part.missing.at(0), world_.seed());
  EXPECT_FALSE(coverage(recorder_, 10).known);

  const auto json = nlohmann::json::parse(report_json(complete, all));
  EXPECT_EQ(json["coverage"]["share"], 1);
  EXPECT_EQ(json["mass"], "link-share");
  EXPECT_NEAR(json["curve"].back()["mass"].get<double>(), 1, 1e-6);
  EXPECT_GE(json["curve"].size(), 25u);
  EXPECT_LE(json["curve"].size(), 51u);
  EXPECT_EQ(json["violation_kinds"]["before_robots"]["count"], complete.requests());
  EXPECT_TRUE(nlohmann::json::parse(report_json(recorder_, {}))["coverage"].is_null());
  EXPECT_THAT(report_text(recorder_, part), testing::HasSubstr("missing    " + world_.seed()));
}

TEST_F(RecorderTest, WeighsPagesByPageRank) {
  Recorder judge(world_, now_, {.page_rank = true});
  const auto rank = PageRank::create(world_);
  ASSERT_TRUE(judge.has_page_rank());
  double sum = 0;
  for (HostId id = 0; id < world_.hosts(); ++id) {
    const HostFacts h = world_.host(id);
    // Only home pages, which most links lead to.
    now_ += 1ms;
    if (h.open()) judge.answered(judge.asked(h, {.id = id}, html(h, 0), "", h.address, now_), 200, true, -1, now_);
    if (h.open()) sum += rank->of(id, html(h, 0));
  }
  const Coverage found = coverage(judge);
  EXPECT_NEAR(found.must_mass, 1, 1e-9);
  EXPECT_NEAR(found.asked_mass, sum, 1e-9);
  EXPECT_NEAR(judge.curve().mass(), sum, 1e-9);
  const auto json = nlohmann::json::parse(report_json(judge, found));
  EXPECT_EQ(json["mass"], "pagerank");
  EXPECT_TRUE(json["mass_at"]["10"].is_null()) << "it has not got so far";
  EXPECT_THAT(report_text(judge, found), testing::HasSubstr("% of PageRank\n"));
}

TEST(GapHistogram, Json) {
  GapHistogram gaps;
  EXPECT_EQ(gaps.smallest(), -1);
  EXPECT_TRUE(nlohmann::json::parse(gaps.json())["smallest_ms"].is_null());
  for (const int64_t gap : {0l, 500l, 1000l, 1'999l, 70'000'000l}) gaps.add(gap);
  const auto json = nlohmann::json::parse(gaps.json());
  EXPECT_EQ(json["gaps"], 5);
  EXPECT_EQ(json["concurrent"], 1);
  EXPECT_EQ(json["under_ms"]["1"], 1);
  EXPECT_EQ(json["under_ms"]["2"], 2);
  EXPECT_EQ(json["longer"], 1);
}

TEST(Curve, KeepsItsSumsHoweverLongItGets) {
  Curve curve;
  for (int64_t i = 0; i < 5000; ++i) curve.add(i * 1'000'000, 0.5);
  const auto json = nlohmann::json::parse(curve.json(50, 2500));
  EXPECT_GE(json.size(), 25u);
  EXPECT_LE(json.size(), 51u);
  EXPECT_EQ(json.back()["pages"], 5000);
  EXPECT_DOUBLE_EQ(json.back()["mass"], 1);
  EXPECT_NEAR(json.back()["seconds"].get<double>(), 5000, 10);
  for (size_t i = 1; i < json.size(); ++i) EXPECT_GT(json[i]["pages"], json[i - 1]["pages"]);
}

TEST(Curve, TellsTheMassOfTheFirstPages) {
  Curve curve;
  EXPECT_FALSE(curve.mass_at(1));
  for (int64_t i = 0; i < 10; ++i) curve.add(i * 1'000'000, i < 5 ? 3 : 1);
  EXPECT_DOUBLE_EQ(*curve.mass_at(0), 0);
  EXPECT_DOUBLE_EQ(*curve.mass_at(2.5), 7.5);
  EXPECT_DOUBLE_EQ(*curve.mass_at(6), 16);
  EXPECT_DOUBLE_EQ(*curve.mass_at(10), 20);
  EXPECT_FALSE(curve.mass_at(10.5));
}

}  // namespace
}  // namespace simweb
