// The REST API over an engine that is played here: one job, whose document the test sets.
#include "caddis/rest/heritrix_rest.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "caddis/aio/nursery.h"
#include "caddis/aio/sim.h"
#include "caddis/io/memory_files.h"

namespace caddis::rest {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr std::string_view kJob = R"({"name": "news", "is_profile": false, "state": "STATE", "exit": "EXIT",
  "status": "STATUS", "launch_count": 1, "last_launch": "20261124170000", "actions": [], "documents": 12, "bytes": 3456,
  "documents_per_second": 1.5, "alerts": 0, "config_file": "/jobs/news/crawler-beans.cxml", "config_kind": "cxml",
  "launches": [{"exit": "EXIT", "documents": 12, "bytes": 3456, "repeated": 3, "repeated_bytes": 400, "unchanged": 1, "unchanged_bytes": 56}],
  "log_tail": ["first", "second <&>"], "checkpoints": [], "problems": [], "crawl": CRAWL})";
constexpr std::string_view kCrawl = R"({"elapsed_seconds": 61.5, "documents": 12, "bytes": 3456, "novel_bytes": 3000,
  "repeated": 3, "repeated_bytes": 456, "unchanged": 1, "unchanged_bytes": 0,
  "warc_bytes": 900, "failed": 1, "excluded": 2, "queued": 30, "visiting": 2, "hosts": 2, "documents_per_second": 1.5,
  "documents_per_second_average": 1.25, "bytes_per_second": 2048, "bytes_per_second_average": 1024,
  "waits": [{"state": "ready", "queues": 1, "urls": 10}, {"state": "politeness", "queues": 1, "urls": 20}],
  "slowest": [{"queued": 20}]})";

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  const size_t at = text.find(what);
  return at == std::string::npos ? text : text.replace(at, what.size(), by);
}

class HeritrixRestTest : public ::testing::Test {
 protected:
  HeritrixRestTest()
      : blocking_(aio::make_sim_blocking(loop_, std::chrono::milliseconds(5))),
        rest_(Workshop{loop_, *blocking_}, files_, api(), RestOptions{"/jobs", [this] { ended_ = true; }}) {
    EXPECT_TRUE(files_.make_dirs("/jobs/news/20261124170000/archive"));
    EXPECT_TRUE(files_.make_dirs("/jobs/news/20261124170000/crawls/news-20261124170000/state"));
    put("/jobs/news/job.log", "one\ntwo\nthree\n");
    put("/jobs/news/20261124170000/crawls/news-20261124170000/state/secrets.yaml", "password");
    put("/outside.txt", "secret");
    put("/jobs/users", "user ada admin secret");
    EXPECT_TRUE(files_.make_dirs("/jobs/.hosts"));
    put("/jobs/.hosts/00", "secret");
    set("RUNNING", "", "Active: RUNNING", kCrawl);
  }

  void put(const std::string& path, std::string_view text) { EXPECT_TRUE(files_.write_atomically(path, text)); }

  void set(std::string_view state, std::string_view exit, std::string_view status, std::string_view crawl = "null") {
    std::string job = replaced(std::string(kJob), "STATE", state);
    job = replaced(replaced(replaced(job, "EXIT", exit), "EXIT", exit), "STATUS", status);
    answers_["GET /api/jobs/news"] = replaced(job, "CRAWL", crawl);
    answers_["GET /api/jobs"] = fmt::format("{{\"jobs\": [{}]}}", answers_["GET /api/jobs/news"]);
  }

  EngineApi api() {
    answers_["GET /api/engine"] =
        R"({"version": "0.1.0", "jobs_dir": "/jobs", "memory": {"total": 1000, "available": 400}})";
    answers_["GET /api/jobs/news/launches/latest/logs/crawl.log?reverse=1&limit=10"] = R"({"lines": ["z", "y"]})";
    answers_["GET /api/jobs/news/control/visits?limit=10000"] =
        R"({"running": 2, "visits": [{"step": "fetch", "lane": 0}, {"step": "fetch", "lane": 1}]})";
    return [this](const http::ServerRequest& request, const access::Identity&) { return play(request); };
  }
  aio::Task<http::ServerResponse> play(const http::ServerRequest& request) {
    const std::string asked = request.method + " " + request.target;
    asked_.push_back(request.body.empty() ? asked : asked + " " + request.body);
    const auto found = answers_.find(asked);
    if (found == answers_.end()) co_return http::json_response(404, R"({"error": "there is no such thing"})");
    co_return http::json_response(200, found->second);
  }

  http::ServerResponse ask(std::string_view line, std::string body = "", http::ServerHeaders headers = {},
                           access::Role role = access::Role::admin) {
    http::ServerRequest request;
    const size_t blank = line.find(' ');
    request.method = line.substr(0, blank);
    request.target = line.substr(blank + 1);
    request.path = request.target.substr(0, request.target.find('?'));
    if (const size_t mark = request.target.find('?'); mark != std::string::npos)
      request.query = request.target.substr(mark + 1);
    request.headers = std::move(headers);
    request.headers.emplace_back("Host", "a.test:8443");
    request.body = std::move(body);
    request.tls = true;
    const access::Identity identity{"somebody", role};
    std::optional<http::ServerResponse> response;
    aio::Nursery nursery;
    nursery.spawn(take(request, identity, response));
    loop_.run();
    EXPECT_TRUE(response);
    if (!response) return http::ServerResponse(500);
    if (!response->stream)
      if (auto whole = http::whole_body(*response)) response->body = *std::move(whole);
    return *std::move(response);
  }
  aio::Task<void> take(const http::ServerRequest& request, const access::Identity& identity,
                       std::optional<http::ServerResponse>& response) {
    response = co_await rest_.answer(request, identity);
  }
  static std::string header(const http::ServerResponse& response, std::string_view name) {
    for (const auto& [key, value] : response.headers)
      if (key == name) return value;
    return "";
  }
  // The text of the first element of that name.
  static std::string element(const std::string& xml, const std::string& name) {
    const size_t begin = xml.find("<" + name + ">"), end = xml.find("</" + name + ">");
    if (begin == std::string::npos || end == std::string::npos) return "(none)";
    return xml.substr(begin + name.size() + 2, end - begin - name.size() - 2);
  }
  std::string run(const std::string& script, std::string_view engine = "groovy") {
    return ask("POST /engine/job/news/script", fmt::format("engine={}&script={}", engine, script)).body;
  }

  aio::SimLoop loop_{1};
  io::MemoryFiles files_;
  std::unique_ptr<aio::Blocking> blocking_;
  std::map<std::string, std::string> answers_;
  std::vector<std::string> asked_;
  bool ended_ = false;
  HeritrixRest rest_;
};

TEST_F(HeritrixRestTest, TellsOfTheEngine) {
  const auto answer = ask("GET /engine/");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(header(answer, "Content-Type"), "application/xml; charset=utf-8");
  EXPECT_THAT(answer.body, StartsWith("<?xml version=\"1.0\""));
  EXPECT_EQ(element(answer.body, "jobsDir"), "/jobs");
  EXPECT_EQ(element(answer.body, "usedBytes"), "600");
  EXPECT_EQ(element(answer.body, "shortName"), "news");
  EXPECT_EQ(element(answer.body, "url"), "https://a.test:8443/engine/job/news");
  EXPECT_EQ(element(answer.body, "lastLaunch"), "2026-11-24T17:00:00.000Z");
}

TEST_F(HeritrixRestTest, TellsOfAJobThatRuns) {
  const std::string job = ask("GET /engine/job/news").body;
  EXPECT_EQ(element(job, "crawlControllerState"), "RUNNING");
  EXPECT_EQ(element(job, "statusDescription"), "Active: RUNNING");
  EXPECT_EQ(element(job, "isRunning"), "true");
  EXPECT_EQ(element(job, "totalUriCount"), "45");
  EXPECT_EQ(element(job, "dupByHash"), "456");
  EXPECT_EQ(element(job, "dupByHashCount"), "3");
  EXPECT_EQ(element(job, "notModifiedCount"), "1");
  EXPECT_EQ(element(job, "novelCount"), "8");
  EXPECT_EQ(element(job, "currentKiBPerSec"), "2");
  EXPECT_EQ(element(job, "elapsedPretty"), "1m1s500ms");
  EXPECT_EQ(element(job, "totalQueues"), "2");
  EXPECT_EQ(element(job, "snoozedQueues"), "1");
  EXPECT_EQ(element(job, "toeCount"), "2");
  EXPECT_EQ(element(job, "primaryConfigUrl"), "https://a.test:8443/engine/job/news/jobdir/crawler-beans.cxml");
  EXPECT_THAT(job, HasSubstr("<value>second &lt;&amp;&gt;</value>\n    <value>first</value>"));
}

TEST_F(HeritrixRestTest, FollowsTheStatesOfAJob) {
  set("UNBUILT", "", "Unbuilt");
  std::string job = ask("GET /engine/job/news").body;
  EXPECT_EQ(element(job, "crawlControllerState"), "(none)");
  EXPECT_EQ(element(job, "hasApplicationContext"), "false");
  EXPECT_THAT(element(job, "availableActions"), HasSubstr("build"));
  set("READY", "", "Ready");
  job = ask("GET /engine/job/news").body;
  EXPECT_EQ(element(job, "crawlControllerState"), "NASCENT");
  EXPECT_EQ(element(job, "isLaunchable"), "true");
  set("FINISHED", "ABORTED", "Finished: ABORTED");
  job = ask("GET /engine/job/news").body;
  EXPECT_EQ(element(job, "crawlExitStatus"), "ABORTED");
  EXPECT_EQ(element(job, "total"), "3456");
  EXPECT_EQ(element(job, "novel"), "3000");
  EXPECT_EQ(element(job, "notModified"), "56");
  EXPECT_THAT(element(job, "availableActions"), HasSubstr("teardown"));
}

TEST_F(HeritrixRestTest, SaysTheSameInJson) {
  const auto answer = ask("GET /engine/job/news", "", {{"Accept", "application/json"}});
  EXPECT_THAT(answer.body, HasSubstr(R"("jobLogTail":["second <&>","first"])"));
  EXPECT_THAT(answer.body, HasSubstr(R"("isRunning":true)"));
  const auto page = ask("GET /engine", "", {{"Accept", "text/html,application/xml;q=0.9"}});
  EXPECT_EQ(page.status, 303);
  EXPECT_EQ(header(page, "Location"), "/");
}

TEST_F(HeritrixRestTest, RedirectsBehindEachChange) {
  answers_["POST /api/jobs/news/build"] = answers_["POST /api/jobs/news/launch?paused=1"] =
      answers_["POST /api/jobs/news/copy"] = "{}";
  auto answer = ask("POST /engine/job/news", "action=build");
  EXPECT_EQ(answer.status, 303);
  EXPECT_EQ(header(answer, "Location"), "https://a.test:8443/engine/job/news");
  EXPECT_EQ(ask("POST /engine/job/news", "action=launch").status, 303);
  EXPECT_THAT(asked_, Contains("POST /api/jobs/news/launch?paused=1"));
  ask("POST /engine/job/news", "copyTo=b&as_profile=on");
  EXPECT_THAT(asked_, Contains(R"(POST /api/jobs/news/copy {"name":"b","as_profile":true})"));
  EXPECT_EQ(ask("POST /engine/job/news", "action=fly").status, 400);
  EXPECT_EQ(ask("POST /engine/job/none", "action=build").status, 404);
}

TEST_F(HeritrixRestTest, LaunchesAtOnceWhereTheConfigurationSaysSo) {
  put("/jobs/news/crawler-beans.cxml", R"(<property name="pauseAtStart" value="false"/>)");
  ask("POST /engine/job/news", "action=launch");
  EXPECT_THAT(asked_, Contains("POST /api/jobs/news/launch?paused=0"));
  EXPECT_EQ(element(run("rawOut.println(crawlController.pauseAtStart)"), "rawOutput"), "false\n");
}

TEST_F(HeritrixRestTest, ReadsPartsOfFiles) {
  EXPECT_EQ(ask("GET /engine/job/news/jobdir/job.log").body, "one\ntwo\nthree\n");
  const auto part = ask("GET /engine/job/news/jobdir/job.log", "", {{"Range", "bytes=4-6"}});
  EXPECT_EQ(part.status, 206);
  EXPECT_EQ(part.body, "two");
  EXPECT_EQ(header(part, "Content-Range"), "bytes 4-6/14");
  EXPECT_EQ(ask("GET /engine/job/news/jobdir/job.log", "", {{"Range", "bytes=14-"}}).status, 416);
  EXPECT_EQ(ask("GET /engine/anypath/jobs/news/job.log?format=paged&pos=-1&lines=-2&reverse=y").body, "three\ntwo\n");
  EXPECT_EQ(ask("GET /engine/job/news/jobdir//jobs/news/job.log").status, 200);
}

TEST_F(HeritrixRestTest, LeavesNoFolder) {
  for (const std::string_view path :
       {"anypath/outside.txt", "anypath/jobs/../outside.txt", "job/news/jobdir/../../outside.txt",
        "job/news/jobdir/%2e%2e/%2e%2e/outside.txt", "job/../jobdir/outside.txt", "jobsdir/..%2foutside.txt",
        "anypath/jobs2/x", "job/news/jobdir/a%00b", "anypath/jobs/users", "jobsdir/users", "jobsdir/.hosts/00",
        "job/news/jobdir/20261124170000/crawls/news-20261124170000/state/secrets.yaml"}) {
    const auto answer = ask(fmt::format("GET /engine/{}", path));
    EXPECT_TRUE(answer.status == 403 || answer.status == 404) << path << ": " << answer.status;
    EXPECT_THAT(answer.body, Not(HasSubstr("secret\n")));
  }
  EXPECT_EQ(ask("PUT /engine/job/news/jobdir/../x", "x").status, 403);
  EXPECT_EQ(ask("PUT /engine/job/news/jobdir/job.yaml", "x").status, 403);
  EXPECT_EQ(ask("PUT /engine/job/news/jobdir/20261124170000/x", "x").status, 403);
}

TEST_F(HeritrixRestTest, WritesConfigurations) {
  put("/jobs/news/crawl.yaml", "crawl: {}\n");
  EXPECT_EQ(ask("PUT /engine/job/news/jobdir/crawler-beans.cxml", "<beans/>").status, 200);
  EXPECT_EQ(*files_.read_all("/jobs/news/crawler-beans.cxml"), "<beans/>");
  EXPECT_FALSE(files_.exists("/jobs/news/crawl.yaml"));
  EXPECT_EQ(ask("POST /engine/job/news/jobdir/seeds.txt", "contents=http%3A%2F%2Fa.test%2F").status, 303);
  EXPECT_EQ(*files_.read_all("/jobs/news/seeds.txt"), "http://a.test/");
}

TEST_F(HeritrixRestTest, RunsKnownScripts) {
  answers_["GET /api/jobs/news/control/reports/frontier-nonempty-report?format=text&limit=100000"] =
      "[queue] [precedence] [c] [d] [e] [f] [g] [h] [i] [j] [k] [l] [state]\na.test 1 2 3 4 -(5) - - 0/- 0 u v ready\n";
  const std::string queues = run("job.crawlController.frontier.allQueuesReportTo(rawOut)", "beanshell");
  EXPECT_EQ(element(queues, "rawOutput"),
            "[queue] [precedence] [c] [d] [e] [f] [g] [h] [i] [j] [k] [l]\na.test 1 2 3 4 -(5) - - 0/- 0 u v\n");
  EXPECT_EQ(element(queues, "failure"), "false");
  EXPECT_EQ(element(run("rawOut.println( appCtx.getCurrentLaunchId() );"), "rawOutput"), "20261124170000\n");
  answers_["POST /api/jobs/news/control/urls/delete?regex=%5E%28%3F%3A%5E.%2A%29%24"] =
      R"({"deleted": 7, "marker": ""})";
  EXPECT_EQ(element(run("job.crawlController.frontier.deleteURIs(\".*\",\"^.*\")"), "rawOutput"), "7\n");
  EXPECT_EQ(element(run("listFrontier '.*', 10, 0"), "failure"), "true");  // the crawl is not asked for that here
}

TEST_F(HeritrixRestTest, ListsFilesByScript) {
  put("/jobs/news/20261124170000/archive/a.warc.gz", "x");
  const std::string list =
      run("warcDir = new File( job.jobDir, \"20261124170000/archive\" )\nwarcDir.eachFile { rawOut.println( it ); };");
  EXPECT_EQ(element(list, "rawOutput"), "/jobs/news/20261124170000/archive/a.warc.gz\n");
  EXPECT_THAT(element(run("warcDir = new File( job.jobDir, \"none\" )\nwarcDir.eachFile { rawOut.println( it ) }"),
                      "exception"),
              StartsWith("javax.script.ScriptException: java.io.FileNotFoundException:"));
}

TEST_F(HeritrixRestTest, RefusesOtherScriptsByName) {
  const std::string refused = run("System.exit(1)");
  EXPECT_THAT(element(refused, "exception"), HasSubstr("System.exit"));
  EXPECT_EQ(element(refused, "failure"), "true");
  set("UNBUILT", "", "Unbuilt");
  EXPECT_EQ(ask("POST /engine/job/news/script", "engine=groovy&script=x").status, 500);
}

TEST_F(HeritrixRestTest, AsksForRoles) {
  using access::Role;
  EXPECT_EQ(ask("GET /engine/job/news", "", {}, Role::viewer).status, 200);
  EXPECT_EQ(ask("POST /engine/job/news", "action=build", {}, Role::viewer).status, 403);
  EXPECT_EQ(ask("POST /engine/job/news/script", "engine=lua&script=1", {}, Role::viewer).status, 403);
  EXPECT_EQ(ask("PUT /engine/job/news/jobdir/x", "", {}, Role::viewer).status, 403);
  EXPECT_EQ(ask("GET /engine/anypath/jobs/news/job.log", "", {}, Role::manager).status, 403);
  EXPECT_EQ(ask("POST /engine", "action=exit+java+process&im_sure=on", {}, Role::manager).status, 403);
}

TEST_F(HeritrixRestTest, EndsOnlyIfEveryRunningJobIsNamed) {
  EXPECT_EQ(ask("POST /engine", "action=exit+java+process").status, 303);
  const auto refused = ask("POST /engine", "action=exit+java+process&im_sure=on");
  EXPECT_THAT(header(refused, "Caddis-Refused"), HasSubstr("ignore__news"));
  EXPECT_FALSE(ended_);
  EXPECT_EQ(ask("POST /engine", "action=exit+java+process&im_sure=on&ignore__news=on").status, 0) << "no answer";
  EXPECT_TRUE(ended_);
}

TEST_F(HeritrixRestTest, GivesReportsByTheirClasses) {
  answers_["POST /api/jobs/news/control/reports"] = "{}";
  const auto report = ask("GET /engine/job/news/report/CrawlSummaryReport");
  EXPECT_EQ(report.status, 303);
  EXPECT_EQ(header(report, "Location"),
            "https://a.test:8443/engine/job/news/jobdir/20261124170000/reports/crawl-report.txt");
  EXPECT_EQ(ask("GET /engine/job/news/report/NoReport").status, 404);
}

}  // namespace
}  // namespace caddis::rest
