// Scripts inside a whole crawl in the simulated world: they ask and change what the other routes do, wait for those that
// take time, and leave the crawl to its work whatever they do.
#include "caddis/control/console.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "caddis/aio/nursery.h"
#include "caddis/control/routes.h"
#include "sim/crawl.h"

namespace caddis::control {
namespace {

using Json = nlohmann::json;
using testing::SimCrawl;

class ConsoleTest : public ::testing::Test {
 protected:
  // Runs each script when the one before has ended, in a crawl that has found some URLs; then lets the crawl end.
  std::vector<Json> run(const std::vector<std::string>& scripts) {
    crawl_.settings.politeness.delay = std::chrono::seconds(2);
    crawl_.settings.modules.script_instructions = 1'000'000;
    crawl_.settings.modules.script_memory = 8'000'000;
    crawl_.settings.modules.console_time = std::chrono::seconds(5);
    std::vector<Json> answers;
    bool is_asked = false;
    crawl_.on_pulse = [&](aio::SimLoop&, crawl::Operator& running) {
      logs_ = running.state().launch.logs();
      if (is_asked || running.status().queued < 10 || answers.size() == scripts.size()) return;
      is_asked = true;
      const auto ask = [](ConsoleTest& test, crawl::Operator& of, std::string script, std::vector<Json>& into,
                          bool& runs) -> aio::Task<void> {
        test.request_.method = "POST";
        test.request_.path = "/console";
        test.request_.query = "session=test&name=script";
        test.request_.body = std::move(script);
        http::ServerResponse answer = co_await respond(of, test.request_);
        EXPECT_EQ(answer.status, 200) << answer.body;
        into.push_back(Json::parse(answer.body, nullptr, false));
        runs = false;
      };
      nursery_.spawn(ask(*this, running, scripts[answers.size()], answers, is_asked));
    };
    EXPECT_TRUE(crawl_.live({})) << crawl_.end().text;
    EXPECT_EQ(answers.size(), scripts.size());
    return answers;
  }
  std::string log() { return *crawl_.disk.files.read_all(logs_ + "/progress-statistics.log"); }

  SimCrawl crawl_{1};
  http::ServerRequest request_;
  aio::Nursery nursery_;
  std::string logs_;
};

TEST_F(ConsoleTest, AsksChangesAndWaits) {
  const auto answers = run({
      "host = crawl.queues{limit=1}[1].queue",
      "local url = crawl.urls{limit=1}.urls[1].url return crawl.url(url).seen, host",
      "return crawl.add{'http://a.test/new1', 'http://a.test/new2'}.added, crawl.delete{regex='new[12]$'}.deleted",
      "crawl.set('politeness.delay', '1s', {sites='b.test'}) return crawl.get('politeness.delay', {url='b.test'})",
      "return crawl.scope('http://elsewhere.test/', {hops='L'}).accepted, #crawl.scope('http://a.test/x').rules > 3",
      "return crawl.checkpoint('here').name, #crawl.visits{limit=5} <= 5",
      "return crawl.pause().state, crawl.resume().state",
  });
  for (const Json& answer : answers) EXPECT_FALSE(answer.contains("error")) << answer.dump();
  ASSERT_EQ(answers.size(), 7u);
  EXPECT_TRUE(answers[1]["output"].get<std::string>().starts_with("true\thttp://")) << answers[1].dump();
  EXPECT_EQ(answers[2]["output"], "2\t2\n");
  EXPECT_EQ(answers[3]["output"], "1s\n");
  EXPECT_EQ(answers[4]["output"], "false\ttrue\n");
  EXPECT_EQ(answers[5]["output"], "here\ttrue\n");
  EXPECT_EQ(answers[6]["output"], "paused\trunning\n");
  for (const char* line : {"OPERATOR runs the script script: return crawl.pause().state",
                           "OPERATOR adds http://a.test/new1", "OPERATOR pauses the crawl"})
    EXPECT_TRUE(log().contains(line)) << line;
}

TEST_F(ConsoleTest, NoSecretOfAScriptIsLogged) {
  const auto answers = run({"crawl.set('fetch.headers', 'Cookie: sesame')", "crawl.add('http://me:rosebud@a.test/x')"});
  for (const Json& answer : answers) EXPECT_FALSE(answer.contains("error")) << answer.dump();
  EXPECT_FALSE(log().contains("sesame") || log().contains("rosebud")) << log();
  EXPECT_TRUE(log().contains("OPERATOR runs the script script: (it names a secret setting)"));
  EXPECT_TRUE(log().contains("OPERATOR runs the script script: crawl.add('http://(secret)@a.test/x')"));
}

TEST_F(ConsoleTest, WhatIsWrongInAScriptHarmsTheScriptAlone) {
  const auto answers = run({"while true do end", "local t = {} while true do t[#t + 1] = string.rep('x', 1000000) end",
                            "x = 1\nerror('thrown')", "crawl.end_visit('http://a.test/never')",
                            "while true do crawl.status() end", "for i = 1, 3 do", "x"});
  ASSERT_EQ(answers.size(), 7u);
  EXPECT_EQ(answers[0]["error"], "script:1: it ran for too many instructions (modules.script-instructions)");
  EXPECT_TRUE(answers[1]["error"].get<std::string>().contains("too m")) << answers[1].dump();
  EXPECT_EQ(answers[2]["error"], "script:2: thrown");
  EXPECT_EQ(answers[3]["error"], "script:1: http://a.test/never is not being visited");
  EXPECT_EQ(answers[4]["error"], "script: it asked the crawl more than 10000 times: do less at a time");
  EXPECT_EQ(answers[5]["incomplete"], true);
  EXPECT_EQ(answers[6]["output"], "1\n");
  crawl_.verify();
}

}  // namespace
}  // namespace caddis::control
