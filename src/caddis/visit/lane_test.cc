// Single visits of a lane, against a web that answers as the test says: what they make of it, and what they ask.

#include "caddis/visit/lane.h"
#include "caddis/visit/annotations.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "caddis/aio/blocking.h"
#include "caddis/aio/sim.h"
#include "caddis/cookies/cookie_jar.h"
#include "caddis/documents/reader.h"
#include "caddis/fetch/proxies.h"
#include "caddis/frontier/politeness.h"
#include "caddis/io/gzip.h"
#include "caddis/io/memory_files.h"
#include "caddis/logins/authorizer.h"
#include "caddis/process/programs.h"
#include "caddis/visit/host_permits.h"
#include "caddis/warc/check.h"
#include "sim/requests.h"

namespace caddis::visit {
namespace {

using frontier::LeaseKind;
using frontier::Verdict;

constexpr const char* kForbidsAll = "User-agent: *\nDisallow: /\n";

std::string answer(std::string_view status, std::string_view body, std::string_view fields = "") {
  return fmt::format("HTTP/1.1 {}\r\nContent-Length: {}\r\n{}\r\n{}", status, body.size(), fields, body);
}
std::string redirect(std::string_view to) { return answer("302 Found", "", fmt::format("Location: {}\r\n", to)); }
// Less than it promises; then silence, or the end of the connection.
std::string cut(std::string_view body, std::string_view fields = "") {
  return fmt::format("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n{}\r\n{}", body.size() + 1, fields, body);
}

class ScriptedResolver final : public dns::Resolver {
 public:
  ScriptedResolver(std::map<std::string, std::string>& hosts, std::vector<std::string>& asked)
      : hosts_(hosts), asked_(asked) {}
  aio::Task<Result<dns::Answer>> resolve(std::string host) override {
    asked_.push_back(host);
    const auto found = hosts_.find(host);
    if (found == hosts_.end()) co_return fail(ErrorCode::not_found, "there is no " + host);
    if (found->second.empty()) co_return fail(ErrorCode::timeout, "no name server answers");
    dns::Answer answer;
    answer.host = host;
    answer.addresses = {{found->second, false}};
    co_return answer;
  }

 private:
  std::map<std::string, std::string>& hosts_;
  std::vector<std::string>& asked_;
};

// Grants every permit but the first `refusals` wishes, and notes what it is told.
class NotedPermits final : public HostPermits {
 public:
  int refusals = 0;
  bool is_blocked = false;
  std::vector<std::string> told;

  void acquire(Wish wish, std::function<void(Result<Answer>)> answer) override {
    told.push_back("? " + wish.host + " " + wish.address);
    Answer answered;
    answered.is_blocked = is_blocked;
    if (is_blocked || refusals-- > 0)
      answered.wait = std::chrono::seconds(2);
    else
      answered.permit = 7;
    answer(answered);
  }
  void release(uint64_t permit, const frontier::FetchCost& cost) override {
    told.push_back("released " + std::to_string(permit) + (cost.bytes > 0 ? " after bytes" : ""));
    if (cost.retry_after) told.emplace_back("asked to wait");
  }
};

// Reads in place, and notes the bytes that a document has in memory while it waits for that.
class NotedReader final : public documents::Reader {
 public:
  size_t held = 0;

  aio::Task<documents::Found> read(aio::Loop& loop, documents::Question question) override {
    held += question.bytes.size();
    return reader_.read(loop, std::move(question));
  }

 private:
  documents::InlineReader reader_;
};

// The same of programs: they have no answer, and what they were given is kept.
class NotedPrograms final : public process::Programs {
 public:
  size_t held = 0;
  std::string given;

  aio::Task<process::ProgramOutcome> run(aio::Loop&, process::ProgramCall call, process::Sandbox) override {
    held += call.document.size();
    const Result<std::string> brought = call.bring ? call.bring() : std::string(call.document);
    given = brought.value_or("");
    co_return process::ProgramOutcome{"[]", brought ? "" : brought.error().message};
  }
};

class LaneTest : public ::testing::Test {
 protected:
  // Knows none.
  class NoOriginals final : public dedup::Originals {
   public:
    Result<std::optional<dedup::Match>> find(dedup::Strategy, const dedup::Question&) const override {
      return std::nullopt;
    }
  };
  // Counts what is not done by the lane.
  class CountedWork final : public aio::Blocking {
   public:
    explicit CountedWork(aio::SimLoop& loop) : worker_(aio::make_sim_blocking(loop, std::chrono::seconds(5))) {}
    aio::Task<void> run(aio::Loop& loop, std::function<void()> work) override {
      ++pieces;
      return worker_->run(loop, std::move(work));
    }
    int pieces = 0;

   private:
    std::unique_ptr<aio::Blocking> worker_;
  };
  static constexpr const char* kOwn = "192.0.2.1";

  LaneTest() { addresses_.take_seed(*url::Url::parse("http://192.0.2.1/")); }

  VisitContext context() {
    return {.settings = std::make_shared<const config::Settings>(settings_),
            .sites = [resolver = *config::SettingsResolver::create(settings_, scope_->rules(),
                                                                   WallTime())] { return resolver; },
            .scope = *scope_,
            .addresses = addresses_,
            .proxies = proxies_,
            .permits = permits_,
            .spools = spools_,
            .identity = frontier::Identity::draw(loop_.random()),
            .originals = originals_,
            .cookies = cookies_,
            .authorizer = authorizer_,
            .host_keys = host_keys_,
            .documents = documents_,
            .programs = programs_,
            .long_work = &long_work_,
            .key_policy = url::KeyPolicy::caddis(),
            .user_agent = fetch::user_agent(settings_.fetch, settings_.crawl.contact)};
  }

  cookies::CookieJar cookies_;
  logins::Authorizer authorizer_;
  protocols::HostKeys host_keys_;

  VisitResult visit(LeaseKind kind, const std::string& url, uint32_t attempt = 1) {
    const VisitContext context = this->context();
    auto network = std::make_unique<aio::SimNetwork>(loop_, aio::SimNetworkSettings());
    network->serve_rest([this](const aio::Endpoint& at) -> aio::SimServer {
      return [this, at](std::unique_ptr<aio::Stream> stream) {
        return testing::answer_requests(std::move(stream), [this, at](const std::string& url) {
          requests_.push_back(at.address + " " + url);
          return web_.contains(url) ? web_[url] : "";
        });
      };
    });
    Lane lane(0, {loop_, std::move(network), std::make_unique<ScriptedResolver>(hosts_, asked_), 1}, context, [] {});
    frontier::Lease lease;
    lease.kind = kind;
    lease.host = "a.test";
    lease.origin = "http://a.test";
    lease.address = kOwn;
    lease.attempt = attempt;
    lease.first_lookup = true;
    lease.candidate.url = url;
    lease.robots = robots_;
    if (change_lease_) change_lease_(lease);
    std::vector<frontier::Lease> leases;
    leases.push_back(std::move(lease));
    lane.visit(std::move(leases));
    loop_.run();
    auto results = lane.results().collect();
    EXPECT_EQ(results.size(), 1u);
    return std::move(results.front());
  }
  // Visits again and again, each time with another read of a spooled body failing, to the first without a failure.
  VisitResult visit_with_failures(LeaseKind kind, const std::string& url,
                                  const std::function<void(const VisitResult&)>& check) {
    settings_.fetch.memory_per_fetch = 4096;
    for (uint64_t nth = 1;; ++nth) {
      uint64_t reads = 0;
      files_.set_gate([&](io::MemoryFiles::Operation operation, const std::string&) -> Result<void> {
        if (operation == io::MemoryFiles::Operation::read && ++reads == nth) return fail(ErrorCode::io, "bad sector");
        return {};
      });
      VisitResult finished = visit(kind, url);
      files_.set_gate({});
      EXPECT_EQ(finished.disposition.local_failure, reads >= nth) << nth;
      if (reads < nth) {
        EXPECT_GT(nth, 2u) << "for links, and for the record";
        return finished;
      }
      check(finished);
    }
  }
  static std::string records_of(const VisitResult& finished) {
    if (finished.captures.empty()) return {};
    const auto stored = finished.captures[0].records.bytes.to_string(1 << 20);
    return *io::gunzip_all(*stored, 1 << 20);
  }
  VisitResult visit_robots(uint32_t attempt = 1) {
    return visit(LeaseKind::robots, "http://a.test/robots.txt", attempt);
  }
  // Of a robots.txt, what the frontier learns of it: its text, or "unreachable".
  std::string robots(const std::string& own) {
    web_["http://a.test/robots.txt"] = own;
    const auto disposition = visit_robots().disposition;
    if (disposition.robots) return disposition.robots->text;
    return disposition.verdict == Verdict::host_failed && !disposition.local_failure ? "unreachable" : "?";
  }

  aio::SimLoop loop_{1};
  io::MemoryFiles files_;
  io::SpoolFolder spools_{files_, "spool"};
  config::Settings settings_;
  std::unique_ptr<scope::Scope> scope_ = *scope::Scope::create({}, {*url::Url::parse("http://a.test/")});
  fetch::AddressPolicy addresses_;
  fetch::Proxies proxies_;
  NotedPermits permits_;
  NoOriginals originals_;
  NotedReader documents_;
  NotedPrograms programs_;
  CountedWork long_work_{loop_};
  std::shared_ptr<const robots::Robots> robots_;
  std::map<std::string, std::string> web_;    // URL to the response; without one the connection ends
  std::map<std::string, std::string> hosts_;  // to the address; empty: DNS does not answer
  std::vector<std::string> requests_, asked_;
  std::function<void(frontier::Lease&)> change_lease_;  // before it is visited
};

// RFC 9309, 2.3.1: answered, unavailable (no rules), or unreachable (all is forbidden for now).
TEST_F(LaneTest, ReadsRobots) {
  EXPECT_EQ(robots(answer("200 OK", kForbidsAll)), kForbidsAll);
  EXPECT_EQ(robots(answer("404 Not Found", kForbidsAll)), "");
  EXPECT_EQ(robots(answer("503 Busy", "")), "unreachable");
  EXPECT_EQ(robots(answer("429 Too Many", "")), "unreachable");
  EXPECT_EQ(robots(""), "unreachable");
}

TEST_F(LaneTest, RobotsCutShortForbidAll) {
  EXPECT_EQ(robots(cut(kForbidsAll)), "unreachable") << "time-out";
  EXPECT_EQ(robots(cut(kForbidsAll, "Connection: close\r\n")), "unreachable") << "disconnect";
  EXPECT_EQ(robots(answer("200 OK", "no gzip", "Content-Encoding: gzip\r\n")), "unreachable");
  // What is cut behind all that is ever read is cut nowhere.
  const std::string large(robots::Robots::kMaxText, '#');
  EXPECT_EQ(robots(cut(large)), large);
  settings_.fetch.max_length = 10;
  EXPECT_EQ(robots(answer("200 OK", kForbidsAll)), kForbidsAll) << "a limit for documents";
}

TEST_F(LaneTest, RobotsThatOurDiskLosesAreReadAgain) {
  settings_.robots.unavailable = robots::WhenUnavailable::allow;
  const std::string url = "http://a.test/robots.txt", text(100'000, '#');
  web_[url] = answer("200 OK", text);
  const auto last = visit_with_failures(LeaseKind::robots, url,
                                        [](const VisitResult& lost) { EXPECT_FALSE(lost.disposition.robots); });
  ASSERT_TRUE(last.disposition.robots);
  EXPECT_EQ(last.disposition.robots->text, text);
}

TEST_F(LaneTest, FollowsRobotsToOtherHosts) {
  hosts_ = {{"b.test", "192.0.2.2"}, {"slow.test", ""}};
  web_["http://b.test/r"] = redirect("http://a.test/there");
  web_["http://a.test/there"] = answer("200 OK", kForbidsAll);
  EXPECT_EQ(robots(redirect("http://b.test/r")), kForbidsAll);
  EXPECT_EQ(requests_, (std::vector<std::string>{"192.0.2.1 http://a.test/robots.txt", "192.0.2.2 http://b.test/r",
                                                 "192.0.2.1 http://a.test/there"}));
  EXPECT_EQ(robots(redirect("http://slow.test/r")), "unreachable");
  EXPECT_EQ(robots(redirect("http://none.test/r")), "unreachable");
  EXPECT_EQ(robots(redirect("/robots.txt")), "") << "for ever";
  EXPECT_EQ(robots(redirect("ftp://b.test/r")), "");
  EXPECT_EQ(robots(redirect("http://b.test:0/r")), "");
}

TEST_F(LaneTest, AsksForAPermitOfTheHostToWhichRobotsRedirect) {
  hosts_ = {{"b.test", "192.0.2.2"}};
  web_["http://b.test/r"] = answer("200 OK", kForbidsAll);
  permits_.refusals = 2;
  EXPECT_EQ(robots(redirect("http://b.test/r")), kForbidsAll);
  const std::string asks = "? b.test 192.0.2.2";
  EXPECT_EQ(permits_.told, (std::vector<std::string>{asks, asks, asks, "released 7 after bytes"}));
  requests_.clear();
  permits_.told.clear();
  web_["http://b.test/r"] = answer("503 Busy", "", "Retry-After: 60\r\n");
  web_["http://a.test/robots.txt"] = redirect("http://b.test/r");
  const VisitResult busy = visit_robots();
  EXPECT_EQ(permits_.told.back(), "asked to wait");
  EXPECT_FALSE(busy.disposition.retry_after) << "another host has asked";
  requests_.clear();
  permits_.refusals = 1000;
  EXPECT_TRUE(visit_robots().disposition.local_failure) << "two visits may wait for each other";
  EXPECT_EQ(requests_.size(), 1u);
  permits_.refusals = 0;
  permits_.is_blocked = true;
  EXPECT_EQ(robots(redirect("http://b.test/r")), "");
}

TEST_F(LaneTest, PausesBeforeItFollowsRobots) {
  web_["http://a.test/there"] = answer("200 OK", kForbidsAll);
  const SteadyTime began = loop_.clock().steady();
  EXPECT_EQ(robots(redirect("/there")), kForbidsAll);
  EXPECT_GE(loop_.clock().steady() - began, settings_.politeness.min_delay);
}

TEST_F(LaneTest, UnreachableRobotsMayAllowInTheEnd) {
  settings_.robots.unavailable = robots::WhenUnavailable::allow;
  const auto tries = static_cast<uint32_t>(settings_.politeness.host_failures);
  for (const std::string& response : {std::string(), answer("503 Busy", ""), cut(kForbidsAll)}) {
    web_["http://a.test/robots.txt"] = response;
    EXPECT_FALSE(visit_robots(tries - 1).disposition.robots) << response;
    const auto last = visit_robots(tries).disposition;
    ASSERT_TRUE(last.robots) << response;
    EXPECT_EQ(last.robots->text, "");
  }
}

// The crawl-delay and the rules are those of one and the same agent.
TEST_F(LaneTest, ObeysRobotsByItsProductToken) {
  settings_.fetch.user_agent = "(nameless)";
  robots_ = std::make_shared<robots::Robots>(robots::Robots::parse("User-agent: caddis\nDisallow: /\n"));
  EXPECT_EQ(visit(LeaseKind::url, "http://a.test/x").disposition.status, status::kRobotsPrecluded);
  EXPECT_TRUE(requests_.empty());
}

// Custom rules hold in place of the site's, those of other agents beside it; Crawl-delay is taken from what holds.
TEST_F(LaneTest, JudgesRobotsByThePolicy) {
  const auto status = [this] { return visit(LeaseKind::url, "http://a.test/x").disposition.status; };
  robots_ = std::make_shared<robots::Robots>(
      robots::Robots::parse("User-agent: friend\nAllow: /\n\nUser-agent: *\nDisallow: /\n"));
  web_["http://a.test/x"] = answer("200 OK", "x");
  EXPECT_EQ(status(), status::kRobotsPrecluded);
  settings_.robots.policy = robots::RobotsPolicy::most_favored;
  settings_.robots.agents = {"stranger", "friend"};
  EXPECT_EQ(status(), 200);
  settings_.robots.agents = {"stranger"};
  EXPECT_EQ(status(), status::kRobotsPrecluded);
  settings_.robots.policy = robots::RobotsPolicy::custom;
  settings_.robots.custom = {"User-agent: *", "Disallow: /y", "Crawl-delay: 7"};
  EXPECT_EQ(status(), 200);

  web_["http://a.test/robots.txt"] = answer("200 OK", kForbidsAll);
  const auto learned = visit_robots().disposition.robots;
  ASSERT_TRUE(learned && learned->parsed);
  EXPECT_EQ(learned->parsed->crawl_delay("caddis"), Duration(std::chrono::seconds(7)));
  EXPECT_TRUE(learned->text.contains("Disallow: /y"));
}

TEST_F(LaneTest, ParsesRobotsItself) {
  web_["http://a.test/robots.txt"] = answer("200 OK", kForbidsAll);
  const auto learned = visit_robots().disposition.robots;
  ASSERT_TRUE(learned && learned->parsed);
  EXPECT_FALSE(learned->parsed->verdict("caddis", "/").allowed);
}

// URLs that waited while the scope changed.
TEST_F(LaneTest, AsksTheScopeAgain) {
  web_["http://other.test/"] = answer("200 OK", "x");
  const auto from_page = [](frontier::Lease& lease) {
    lease.candidate.hops = "L";
    lease.candidate.via = "http://a.test/";
  };
  change_lease_ = from_page;
  EXPECT_EQ(visit(LeaseKind::url, "http://other.test/").disposition.status, 200);
  scope_->mark_changed();
  const auto rejected = visit(LeaseKind::url, "http://other.test/");
  EXPECT_EQ(rejected.disposition.status, status::kOutOfScope);
  EXPECT_EQ(rejected.disposition.verdict, Verdict::settled);
  EXPECT_FALSE(rejected.disposition.touched_host);
  EXPECT_EQ(rejected.visited.back().entry.facts.scope_rule, "out-of-scope");
  EXPECT_EQ(requests_.size(), 1u);
  // Somebody has given it: no scope was asked then.
  change_lease_ = nullptr;
  EXPECT_EQ(visit(LeaseKind::url, "http://other.test/").disposition.status, 200);
  change_lease_ = [&](frontier::Lease& lease) {
    from_page(lease);
    lease.candidate.force = true;
  };
  EXPECT_EQ(visit(LeaseKind::url, "http://other.test/").disposition.status, 200);
}

// Links are looked for in the front of a large body: the log says so.
TEST_F(LaneTest, SaysThatOnlyTheFrontWasRead) {
  settings_.extract.max_length = 1000;
  web_["http://a.test/"] = answer("200 OK", std::string(1001, ' '), "Content-Type: text/html\r\n");
  EXPECT_EQ(visit(LeaseKind::url, "http://a.test/").visited.back().entry.facts.body.flaw,
            fetch::BodyFlaw::read_in_part);
}

// The name that its server gives it is no matter. What counts is whether somebody looks for links in it.
TEST_F(LaneTest, SaysOfAllThatIsReadThatOnlyTheFrontWas) {
  settings_.extract.max_length = 64 * 1024;
  const std::string url = "http://a.test/x", filled(100'000, ' ');
  const auto flaw_of = [&](std::string_view type, const std::string& begin) {
    web_[url] = answer("200 OK", begin + filled, fmt::format("Content-Type: {}\r\n", type));
    const BodyFacts body = visit(LeaseKind::url, url).visited.back().entry.facts.body;
    EXPECT_EQ(body.problem.empty(), body.flaw == fetch::BodyFlaw::none);
    return body.flaw;
  };
  for (const uint64_t memory : {4096, 1 << 20}) {
    settings_.fetch.memory_per_fetch = static_cast<int64_t>(memory);
    for (const char* const type : {"message/rfc822", "multipart/related", "application/x-mimearchive",
                                   "application/vnd.apple.mpegurl", "audio/mpegurl", "application/x-subrip"})
      EXPECT_EQ(flaw_of(type, ""), fetch::BodyFlaw::read_in_part) << type;
    EXPECT_EQ(flaw_of("application/octet-stream", "<html>"), fetch::BodyFlaw::read_in_part);
    EXPECT_EQ(flaw_of("application/octet-stream", ""), fetch::BodyFlaw::none) << "it has no links to be lost";
    EXPECT_EQ(flaw_of("image/png", ""), fetch::BodyFlaw::none);
    settings_.extract.extractors = {"+universal"};
    EXPECT_EQ(flaw_of("image/png", ""), fetch::BodyFlaw::read_in_part);
    settings_.extract.extractors = extract::usual_extractors();
    settings_.extract.program.command = {"x"};
    settings_.extract.program.urls = {"."};
    EXPECT_EQ(flaw_of("image/png", ""), fetch::BodyFlaw::read_in_part) << "it is put to a program";
    settings_.extract.program.command.clear();
  }
}

TEST_F(LaneTest, SaysWhatAnExtractorLeavesUnread) {
  const auto body_of = [this](const std::string& url) {
    return visit(LeaseKind::url, url).visited.back().entry.facts.body;
  };
  settings_.extract.extractors = {"+universal"};
  settings_.extract.patterns.universal_length = 1024;
  web_["http://a.test/x"] = answer("200 OK", std::string(2000, ' '), "Content-Type: image/png\r\n");
  EXPECT_EQ(body_of("http://a.test/x").flaw, fetch::BodyFlaw::read_in_part);
  EXPECT_THAT(body_of("http://a.test/x").problem, ::testing::HasSubstr("extract.universal-length"));
  const std::string map = "http://a.test/map.xml.gz", type = "Content-Type: application/gzip\r\n";
  const std::string packed = io::gzip_member("<urlset><url><loc>/x</loc></url></urlset>", io::GzipEffort::fast);
  const std::string damaged = packed.substr(0, packed.size() - 4);
  web_[map] = answer("200 OK", packed, type);
  EXPECT_EQ(body_of(map).flaw, fetch::BodyFlaw::none);
  web_[map] = answer("200 OK", damaged, type);
  EXPECT_EQ(body_of(map).flaw, fetch::BodyFlaw::undecodable);
  EXPECT_THAT(body_of(map).problem, ::testing::HasSubstr("gzip"));
  web_[map] = cut(damaged, type);
  EXPECT_EQ(body_of(map).flaw, fetch::BodyFlaw::none) << "the truncation says it";
}

// Pages of errors are decoded for nobody else. A wall that is not kept has no links but redirects.
TEST_F(LaneTest, KnowsWallsOfAnyStatus) {
  const std::string url = "http://a.test/page", body = R"(<title>Just a moment...</title><a href="/next">)";
  for (const char* const status : {"403 Forbidden", "405 Not Allowed", "200 OK"}) {
    web_[url] = answer(status, body, "Content-Type: text/html\r\ncf-mitigated: challenge\r\n");
    settings_.walls.store = true;
    const VisitResult kept = visit(LeaseKind::url, url);
    EXPECT_EQ(kept.visited.back().entry.facts.page.wall, "bot:cloudflare") << status;
    EXPECT_THAT(annotations_of(kept.visited.back().entry.facts), ::testing::Contains("wall:bot:cloudflare"));
    EXPECT_FALSE(kept.captures.empty()) << status;
    settings_.walls.store = false;
    settings_.pipeline.url = {"preselect", "precondition", "fetch",   "decode",    "walls",
                              "dedup",     "records",      "extract", "documents", "links"};
    const VisitResult left_out = visit(LeaseKind::url, url);
    EXPECT_TRUE(left_out.captures.empty()) << status;
    EXPECT_TRUE(left_out.links.empty()) << status;
    EXPECT_TRUE(left_out.visited.back().entry.facts.is_left_out) << status;
    settings_.pipeline.url = config::default_steps();
  }
}

// A server that answers every path with the same page is left after the second one.
TEST_F(LaneTest, LeavesTraps) {
  const std::string html = "Content-Type: text/html\r\n", page = "<a href='/x/y'>on</a>";
  web_["http://a.test/"] = web_["http://a.test/x/y"] = answer("200 OK", page, html);
  web_["http://a.test/moved"] = answer("302 Found", page, "Location: /z\r\n");
  settings_.extract.suppress_traps = true;
  const VisitResult first = visit(LeaseKind::url, "http://a.test/");
  ASSERT_FALSE(first.links.empty());
  const frontier::Candidate& link = first.links.front().candidate;
  change_lease_ = [&](frontier::Lease& lease) { lease.candidate.attributes = link.attributes; };
  const VisitResult second = visit(LeaseKind::url, link.url);
  EXPECT_TRUE(second.links.empty());
  EXPECT_THAT(annotations_of(second.visited.back().entry.facts), ::testing::Contains("trapSuppressExtractor"));
  EXPECT_THAT(visit(LeaseKind::url, "http://a.test/moved").links, ::testing::SizeIs(1)) << "redirects lead on";
  settings_.extract.suppress_traps = false;
  EXPECT_FALSE(visit(LeaseKind::url, link.url).links.empty());
  change_lease_ = nullptr;
  EXPECT_TRUE(visit(LeaseKind::url, "http://a.test/").links.front().candidate.attributes.empty()) << "nobody asks";
}

TEST_F(LaneTest, RecordsOfAFilmAreMadeBesideTheLane) {
  const std::string url = "http://a.test/film", small(1 << 19, 's'), large(9 << 20, 'l');
  web_[url] = answer("200 OK", small);
  EXPECT_TRUE(records_of(visit(LeaseKind::url, url)).contains("\r\n\r\n" + small + "\r\n\r\n"));
  EXPECT_EQ(long_work_.pieces, 0);
  web_[url] = answer("200 OK", large);
  const VisitResult finished = visit(LeaseKind::url, url);
  EXPECT_EQ(long_work_.pieces, 1);
  ASSERT_EQ(finished.captures.size(), 1u);
  const auto stored = finished.captures[0].records.bytes.to_string(32 << 20);
  EXPECT_TRUE(io::gunzip_all(*stored, 32 << 20)->contains("\r\n\r\n" + large + "\r\n\r\n"));
  EXPECT_EQ(finished.visited.back().entry.body_size, large.size());
}

TEST_F(LaneTest, FollowsLinksOfDocuments) {
  const std::string url = "http://a.test/d/", rtf = R"({\rtf1 {\field{\*\fldinst HYPERLINK "../x"}})";
  web_[url] = answer("200 OK", rtf + "}", "Content-Type: application/rtf\r\n");
  const VisitResult whole = visit(LeaseKind::url, url);
  ASSERT_EQ(whole.links.size(), 1u);
  EXPECT_EQ(whole.links.front().candidate.url, "http://a.test/x");
  EXPECT_EQ(whole.visited.back().entry.facts.body.document_problem, "");
  web_[url] = answer("200 OK", rtf);
  const VisitResult cut = visit(LeaseKind::url, url);
  EXPECT_EQ(cut.visited.back().entry.facts.body.document_problem, "rtf: it ends within a group");
  EXPECT_THAT(annotations_of(cut.visited.back().entry.facts), ::testing::Contains("documentProblem"));
  settings_.documents.max_size = 10;
  EXPECT_EQ(visit(LeaseKind::url, url).visited.back().entry.facts.body.document_problem,
            "rtf: it has more than 10 bytes (documents.max-size)");
  EXPECT_EQ(documents_.report().at(0).documents, 3u);
  settings_.documents.formats.clear();
  EXPECT_TRUE(visit(LeaseKind::url, url).links.empty());
  EXPECT_EQ(documents_.report().at(0).documents, 3u);
}

// A visit that waits for a worker or a program holds no bytes that can be had again.
TEST_F(LaneTest, DocumentsWaitWithoutTheirBytes) {
  const std::string url = "http://a.test/d/", begin = R"({\rtf1 {\field{\*\fldinst HYPERLINK "../x"}})";
  const std::string rtf = begin + std::string(200'000, ' ') + "}", type = "Content-Type: application/rtf\r\n";
  settings_.extract.program.command = {"x"};
  settings_.extract.program.urls = {"."};
  settings_.archive.writers = {"warc", "mirror"};
  for (const uint64_t memory : {4096, 1 << 20}) {
    settings_.fetch.memory_per_fetch = static_cast<int64_t>(memory);
    const bool is_spooled = memory < rtf.size();
    web_[url] = answer("200 OK", rtf, type);
    documents_.held = programs_.held = 0;
    const VisitResult plain = visit(LeaseKind::url, url);
    EXPECT_EQ(plain.links.size(), 1u);
    EXPECT_EQ(documents_.held, is_spooled ? 0 : rtf.size()) << "memory for responses has its own bound";
    EXPECT_EQ(programs_.held, documents_.held);
    EXPECT_EQ(programs_.given, rtf);
    web_[url] = answer("200 OK", io::gzip_member(rtf, io::GzipEffort::fast), type + "Content-Encoding: gzip\r\n");
    documents_.held = programs_.held = 0;
    const VisitResult packed = visit(LeaseKind::url, url);
    EXPECT_EQ(packed.links.size(), 1u);
    EXPECT_EQ(documents_.held, 0u);
    EXPECT_EQ(programs_.held, 0u);
    EXPECT_EQ(programs_.given, rtf);
    for (const VisitResult* const one : {&plain, &packed}) {
      ASSERT_EQ(one->captures.size(), 1u);
      ASSERT_EQ(one->captures[0].copies.size(), 1u);
      EXPECT_EQ(*one->captures[0].copies[0].records.bytes.to_string(1 << 20), rtf);
    }
  }
}

TEST_F(LaneTest, FailsWhereTheSpoolCannotBeReadForAWorker) {
  const std::string url = "http://a.test/d", rtf = R"({\rtf1 {\field{\*\fldinst HYPERLINK "../x"}})";
  settings_.extract.program.command = {"x"};
  settings_.extract.program.urls = {"."};
  web_[url] = answer("200 OK", rtf + std::string(200'000, ' ') + "}", "Content-Type: application/rtf\r\n");
  const auto kept = visit_with_failures(LeaseKind::url, url, [](const VisitResult& lost) {
    EXPECT_TRUE(lost.links.empty());
    EXPECT_TRUE(lost.captures.empty());
  });
  EXPECT_EQ(kept.links.size(), 1u);
  EXPECT_EQ(kept.visited.back().entry.facts.body.document_problem, "");
}

TEST_F(LaneTest, AnswersEachLeaseOfABatch) {
  const VisitContext context = this->context();
  int told = 0;
  Lane lane(0,
            {loop_, std::make_unique<aio::SimNetwork>(loop_, aio::SimNetworkSettings()),
             std::make_unique<ScriptedResolver>(hosts_, asked_), 1},
            context, [&] { ++told; });
  std::vector<frontier::Lease> leases(3);
  for (uint64_t id = 1; frontier::Lease & lease : leases) {
    lease.id = id++;
    lease.host = "a.test";
    lease.candidate.url = "http://a.test/";
    lease.given_up = status::kBlockedByQuota;
  }
  leases[1].kind = LeaseKind::robots;
  lane.visit(std::move(leases));
  loop_.run();
  const auto results = lane.results().collect();
  ASSERT_EQ(results.size(), 3u);
  EXPECT_EQ(told, 1) << "they travel as one message";
  EXPECT_EQ(results[0].visited.size(), 1u);
  EXPECT_EQ(results[1].disposition.verdict, Verdict::host_failed);
  EXPECT_TRUE(results[1].visited.empty());
}

// What a seed redirects to is in scope from when it is kept as a seed, not before: it would be forgotten otherwise.
TEST_F(LaneTest, WidensTheScopeByWhatIsKept) {
  const url::Url beyond = *url::Url::parse("http://b.test/x");
  const auto in_scope = [&] { return scope_->decide({.url = beyond, .hop_path = "RL"}).accepted; };
  web_["http://a.test/"] = answer("301 Moved", std::string(100'000, ' '), "Location: http://b.test/\r\n");
  const auto kept = visit_with_failures(LeaseKind::url, "http://a.test/", [&](const VisitResult& lost) {
    EXPECT_TRUE(lost.new_seeds.empty());
    EXPECT_TRUE(lost.links.empty());
    EXPECT_FALSE(in_scope());
  });
  EXPECT_EQ(kept.new_seeds, std::vector<std::string>{"http://b.test/"});
  EXPECT_TRUE(in_scope());
}

// What comes from a server gets onto terminals and into reports.
TEST_F(LaneTest, LogsTypesThatAreTypes) {
  web_["http://a.test/"] = answer("200 OK", "x", "Content-Type: Text/HTML; charset=x\r\n");
  EXPECT_EQ(visit(LeaseKind::url, "http://a.test/").visited.back().entry.mime, "text/html");
  web_["http://a.test/"] = answer("200 OK", "x", "Content-Type: text/\x1b[31mred\r\n");
  EXPECT_EQ(visit(LeaseKind::url, "http://a.test/").visited.back().entry.mime, "unknown");
}

// What a URL says in front of its host is for that host alone.
TEST_F(LaneTest, RecordsNoPasswords) {
  web_["http://a.test/"] = answer("200 OK", "<a href=/x>x</a>", "Content-Type: text/html\r\n");
  const auto visited = visit(LeaseKind::url, "http://user:sesame@a.test/");
  EXPECT_EQ(visited.visited.back().entry.url, "http://a.test/");
  ASSERT_EQ(visited.captures.size(), 1u);
  EXPECT_EQ(visited.captures[0].url, "http://a.test/");
  const std::string stored = *visited.captures[0].records.bytes.to_string(1 << 20);
  const std::string records = *io::gunzip_all(stored, 1 << 20);
  EXPECT_NE(records.find("WARC-Target-URI: http://a.test/\r\n"), std::string::npos);
  EXPECT_EQ(records.find("sesame"), std::string::npos) << records;
  EXPECT_EQ(records.find("Authorization:"), std::string::npos) << records;
  EXPECT_NE(records.find("\r\nrequestWithheld: Authorization\r\n"), std::string::npos) << "the metadata record says so";
  EXPECT_FALSE(visited.page_line.contains("sesame"));
  // The pages behind it need it, too.
  ASSERT_FALSE(visited.links.empty());
  EXPECT_EQ(visited.links[0].candidate.url, "http://user:sesame@a.test/x");
  EXPECT_EQ(visited.links[0].candidate.via, "http://a.test/");

  web_["http://a.test/"] = redirect("http://user:sesame@b.test/");
  EXPECT_EQ(visit(LeaseKind::url, "http://a.test/").visited.back().redirect, "http://b.test/");
}

// A length that no body has says nothing: what came is the body, and is kept by the first visit.
TEST_F(LaneTest, KeepsWhatCameOfALengthThatNoBodyHas) {
  for (const std::string length : {"9223372036854775807", "18446744073709551615", "99999999999999999999999"}) {
    const std::string response =
        "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: " + length + "\r\n\r\nall there is";
    web_["http://a.test/"] = response;
    const auto finished = visit(LeaseKind::url, "http://a.test/");
    EXPECT_EQ(finished.disposition.verdict, Verdict::settled) << length;
    EXPECT_EQ(annotations_of(finished.visited.back().entry.facts), std::vector<std::string>{"httpProblem"});
    EXPECT_TRUE(records_of(finished).contains(response)) << length;
    EXPECT_TRUE(
        records_of(finished).contains("httpProblem: Content-Length '" + length + "' is more than any body has"));
  }
}

// What is tried again says why.
TEST_F(LaneTest, SaysHowMuchOfABodyCame) {
  web_["http://a.test/"] = cut("half a body", "Connection: close\r\n");
  const auto finished = visit(LeaseKind::url, "http://a.test/");
  EXPECT_EQ(finished.disposition.verdict, Verdict::retry_url);
  EXPECT_EQ(finished.reason, "disconnectTrunc: 11 bytes of the body came of 12");
}

// Whatever a server sends for a head: its bytes are kept, and both digests hold for those who check the archive.
TEST_F(LaneTest, DigestsHoldWhateverTheHeadIs) {
  const std::string ok = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: text/plain\r\n";
  const std::string chunks = "\r\n3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n";
  std::string many;
  for (int i = 0; i < 2100; ++i) many += fmt::format("X-{}: y\r\n", i);
  for (const std::string& response : {
           ok + "\r\nhello",
           "\r\n" + ok + "\r\nhello",
           "\r\n\r\n\r\n" + ok + "\r\nhello",
           "\n" + ok + "\r\nhello",
           " \t \r\n" + ok + "\r\nhello",
           "  " + ok + "\r\nhello",
           "\r\n" + ok + "Transfer-Encoding: chunked\r\n" + chunks,
           std::string("\r\nHTTP/1.1 304 Not Modified\r\nConnection: close\r\n\r\n"),
           "\r\n" + ok + "A: without an end",
           ok + " \r\nA: b\r\n\r\nhello",
           ok + "A: b\r\n\t\r\n\r\nhello",
           ok + "Transfer-Encoding: chunked\r\n \r\nA: b\r\n" + chunks,
           ok + "Transfer-Encoding:\r\n chunked\r\n" + chunks,
           ok + "Transfer-Encoding: gzip,\r\n\tchunked\r\n" + chunks,
           ok + "A: b\r\n Transfer-Encoding: chunked\r\n" + chunks,
           ok + "Transfer-Encoding\v: chunked\r\n" + chunks,
           ok + "Transfer-Encoding : chunked\r\n" + chunks,
           ok + "Transfer-Encoding: \"gzip, chunked\r\n" + chunks,
           ok + "Transfer-Encoding: \"gzip\r\nTransfer-Encoding: chunked\r\n" + chunks,
           ok + "Transfer-Encoding: chunked\r\n\r\nfffffffffffffff\r\nhello",
           ok + "Transfer-Encoding: chunked\r\n\r\n3\r\nhel\r\nffffffffffffffffff\r\nlo",
           ok + many + "Transfer-Encoding: chunked\r\n" + chunks,
           std::string("HTTP/1.1 200 OK\nConnection: close\nContent-Type: text/plain\n\nhello"),
           std::string("HTTP/1.1 200 OK\r\r\nConnection: close\r\r\nContent-Type: text/plain\r\r\n\r\r\nhello"),
           ok + "A: b\rc\r\r\n\r\nhello",
           ok + std::string("A\0: b\0\r\n\0\r\n\r\nhello", 18),
           "HTTP/1.1 103 Early\r\n\r\n\r\n" + ok + "\r\nhello",
           std::string("icy 200 OK\r\nConnection: close\r\nContent-Type: text/plain\r\n\r\nhello"),
       }) {
    SCOPED_TRACE(response);
    web_["http://a.test/"] = response;
    const auto finished = visit(LeaseKind::url, "http://a.test/", 1000);
    ASSERT_EQ(finished.captures.size(), 1u) << finished.reason;
    const std::string stored = *finished.captures[0].records.bytes.to_string(1 << 20);
    const size_t interim = response.starts_with("HTTP/1.1 103") ? response.find("\r\n\r\n") + 4 : 0;
    EXPECT_TRUE(records_of(finished).contains(response.substr(interim)));
    const auto checked = warc::check_file(warc::MemorySource(stored), [](const warc::Finding& finding) {
      EXPECT_EQ(finding.level, warc::Level::info) << finding.code << ": " << finding.message;
    });
    ASSERT_TRUE(checked);
    EXPECT_EQ(checked->digests, 4u);
  }
}

TEST_F(LaneTest, RetryAfterMayBeAnyNumber) {
  const Duration most = settings_.politeness.max_retry_delay;
  const std::map<std::string, std::optional<Duration>> all = {
      {"7", std::chrono::seconds(7)},
      {"-7", Duration(0)},
      {"9223372036854775807", most},
      {"9223372036854775808", most},
      {"99999999999999999999999999", most},
      {"Fri, 31 Dec 9999 23:59:59 GMT", most},
      {"Sat, 01 Jan 0001 00:00:00 GMT", Duration(0)},
      {"7.5", std::nullopt},
      {"soon", std::nullopt},
      {"", std::nullopt},
  };
  for (const auto& [value, expected] : all) {
    web_["http://a.test/"] = answer("503 Busy", "", "Retry-After: " + value + "\r\n");
    EXPECT_EQ(visit(LeaseKind::url, "http://a.test/").disposition.retry_after, expected) << value;
  }
}

}  // namespace
}  // namespace caddis::visit
