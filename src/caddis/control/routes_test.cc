// The control API over a whole crawl in the simulated world: what is answered, what is changed, and what is refused.
#include "caddis/control/routes.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "sim/crawl.h"

namespace caddis::control {
namespace {

using Json = nlohmann::json;
using testing::SimCrawl;

class ControlTest : public ::testing::Test {
 protected:
  // Calls `act` once, with a crawl that has found some URLs and waits for most of them; runs it to its end afterwards.
  void on_crawl(const std::function<void()>& act) {
    crawl_.settings.politeness.delay = std::chrono::seconds(2);
    bool acted = false;
    crawl_.on_pulse = [&](aio::SimLoop&, crawl::Operator& running) {
      running_ = &running;
      logs_ = running.state().launch.logs();
      if (acted || running.status().queued < 10) return;
      acted = true;
      act();
    };
    ASSERT_TRUE(crawl_.live({}));
    EXPECT_TRUE(acted);
  }
  http::ServerResponse ask(std::string_view request, std::string body = "") {
    http::ServerRequest asked;
    const size_t blank = request.find(' ');
    asked.method = request.substr(0, blank);
    asked.target = request.substr(blank + 1);
    const size_t query = asked.target.find('?');
    asked.path = asked.target.substr(0, query);
    if (query != std::string::npos) asked.query = asked.target.substr(query + 1);
    asked.body = std::move(body);
    auto answer = answer_at_once(*running_, asked);
    return answer ? *std::move(answer) : http::text_response(500, "it takes its time");
  }
  Json json(std::string_view request, std::string body = "") {
    const auto answer = ask(request, std::move(body));
    EXPECT_EQ(answer.status, 200) << request << ": " << answer.body;
    return answer.status == 200 ? Json::parse(answer.body) : Json();
  }
  // The URL of one that waits on a.test.
  std::string waiting() { return json("GET /urls?host=a.test&limit=1")["urls"][0]["url"]; }
  std::string log() { return *crawl_.disk.files.read_all(logs_ + "/progress-statistics.log"); }

  SimCrawl crawl_{1};
  crawl::Operator* running_ = nullptr;  // while it runs
  std::string logs_;
};

TEST(NeededRole, IsOfTheVerb) {
  using access::Role;
  for (const char* path : {"/", "/status", "/reports/hosts", "/settings", "/never"}) {
    EXPECT_EQ(needed_role("GET", path), Role::viewer) << path;
    EXPECT_EQ(needed_role("HEAD", path), Role::viewer) << path;
  }
  for (const char* path : {"/pause", "/settings", "/urls/delete", "/hosts/a.example", "/never"})
    EXPECT_EQ(needed_role("POST", path), Role::manager) << path;
  EXPECT_EQ(needed_role("DELETE", "/status"), Role::manager);
  EXPECT_EQ(needed_role("POST", "/console"), Role::admin);
}

// Those of the host, and those that hold for a part of its URLs.
TEST_F(ControlTest, TellsTheSheetsOfAUrl) {
  const auto loaded = config::load_settings(R"(
sheets:
  all: {sites: [a.test], settings: {politeness: {delay: 3s}}}
  part: {sites: ["http://a.test/p1"], settings: {fetch: {accept: "text/b"}}}
  images: {sites: [a.test], urls: ["[.]png$"], settings: {fetch: {accept: "image/png"}}}
)",
                                            "crawl.yaml", crawl_.settings);
  ASSERT_TRUE(loaded) << loaded.error().message;
  on_crawl([&] {
    const Json known = json("GET /url?url=http://a.test/p1/x.png");
    EXPECT_EQ(known["sheets"], Json({"all", "part", "images"}));
    EXPECT_EQ(known["host"]["sheets"], Json({"all"}));
    EXPECT_EQ(json("GET /url?url=http://a.test/p2")["sheets"], Json({"all"}));
    EXPECT_FALSE(json("GET /url?url=http://b.test/p1").contains("sheets"));
  });
}

TEST_F(ControlTest, ListsOnFromTheNearestPlaceWhereThatIsAskedFor) {
  on_crawl([&] {
    const Json first = json("GET /urls?limit=1&nearest=1");
    EXPECT_FALSE(first.contains("moved"));
    json("POST /urls/delete?host=a.test&regex=%2Fp");
    const std::string marker = first["marker"];
    EXPECT_EQ(ask("GET /urls?limit=1&marker=" + marker).status, 410);
    const Json next = json("GET /urls?limit=1&nearest=1&marker=" + marker);
    EXPECT_EQ(next["moved"], true);
  });
}

TEST_F(ControlTest, TellsOfQueuesHostsAndUrls) {
  on_crawl([&] {
    const Json queues = json("GET /queues?by=size&limit=2");
    ASSERT_FALSE(queues.empty());
    EXPECT_LE(queues.size(), 2u);
    EXPECT_GT(queues[0]["queued"].get<int>(), 0);
    EXPECT_EQ(json("GET /hosts/a.test")["known"], true);
    EXPECT_GT(json("GET /hosts/a.test")["usage"]["cost"], 0);
    EXPECT_EQ(json("GET /hosts/A%2etest")["host"], "a.test");
    EXPECT_EQ(json("GET /hosts/unknown.test")["known"], false);
    const std::string url = waiting();
    const Json known = json("GET /url?url=" + url);
    EXPECT_EQ(known["seen"], true);
    EXPECT_EQ(known["waits"].size(), 1u);
    EXPECT_EQ(json("GET /url?url=http://a.test/never")["seen"], false);
    const Json page = json("GET /urls?regex=%5C%2Fp%5B0-9%5D%2B%24&limit=3");
    EXPECT_EQ(page["urls"].size(), 3u);
    EXPECT_EQ(json("GET /urls?limit=3&marker=" + page["marker"].get<std::string>())["urls"].size(), 3u);
  });
}

TEST_F(ControlTest, ChangesWhatItIsTold) {
  on_crawl([&] {
    const std::string known = waiting();
    EXPECT_EQ(json("POST /urls", "# one\nhttp://a.test/new1\n\n" + known + "\n")["added"], 1);
    EXPECT_EQ(json("POST /urls?force=1", known)["added"], 1);
    EXPECT_EQ(json("POST /urls", R"({"url": "http://a.test/new2", "precedence": "first", "hops": "LL"})")["given"], 1);
    EXPECT_EQ(json("GET /url?url=http://a.test/new2")["waits"][0]["precedence"], "first");
    const Json would = json("POST /urls/delete?host=a.test&regex=new%5B12%5D&dry=1");
    EXPECT_EQ(would["would_delete"], 2);
    EXPECT_EQ(json("POST /urls/delete?host=a.test&regex=new%5B12%5D")["deleted"], 2);
    EXPECT_EQ(json("POST /urls/delete?host=a.test&regex=new%5B12%5D")["deleted"], 0);
    EXPECT_EQ(json("POST /hosts/b.test?block=1&delay=90s")["blocked"], true);
    EXPECT_EQ(json("GET /hosts/b.test")["delay_seconds"], 90);
    EXPECT_EQ(json("POST /hosts/b.test?block=0&delay=")["blocked"], false);
    EXPECT_FALSE(json("GET /hosts/b.test").contains("delay_seconds"));
    EXPECT_EQ(json("POST /hosts/b.test?retire")["retired"], true);
    EXPECT_GT(running_->status().queued_retired, 0u);
    EXPECT_EQ(json("POST /hosts/b.test?retire=no")["retired"], false);
    EXPECT_EQ(json("POST /queues?queue=http://b.test&retire=1")["queues"][0]["queue"], "http://b.test");
    EXPECT_GT(running_->status().queued_retired, 0u);
    json("POST /queues?queue=http://b.test&retire=0");
    EXPECT_EQ(running_->status().queued_retired, 0u);
    EXPECT_EQ(json("POST /hosts/c.test?budget=1000")["budget"], 1000);
    EXPECT_FALSE(json("POST /hosts/c.test?budget=").contains("budget"));
    json("POST /hosts/a.test?budget=1");
    const Json over = json("POST /urls", "http://a.test/over\n" + waiting() + "\n");
    EXPECT_EQ(over["added"], 0);
    EXPECT_EQ(over["over_budget"], 1);
    json("POST /hosts/a.test?budget=");
    EXPECT_EQ(json("POST /wake")["hosts"], 0) << "nothing was put off";
    EXPECT_EQ(json("POST /wake?host=unknown.test")["hosts"], 0);
  });
  for (const char* change :
       {"OPERATOR adds http://a.test/new1", "OPERATOR deletes 2 URLs of 1 host: host a.test regex new[12]",
        "OPERATOR host b.test: blocked, not retired, delay 1m30s", "OPERATOR wakes all"})
    EXPECT_TRUE(log().contains(change)) << change;
}

TEST_F(ControlTest, RefusesWhatIsWrongAndSaysWhy) {
  struct Wrong {
    const char *request, *body;
    int status;
    const char* says;
  };
  static constexpr Wrong kWrong[] = {
      {"GET /queues?by=name", "", 400, "by is size, wait or failures"},
      {"GET /queues?limit=0", "", 400, "limit is a number from 1"},
      {"GET /queues?limit=10001", "", 400, "limit is a number from 1"},
      {"GET /queues?size=1", "", 400, "there is no parameter 'size' here"},
      {"GET /hosts/a.test?x=1", "", 400, "there is no parameter 'x'"},
      {"GET /url?url=gopher://a.test/", "", 400, "scheme gopher"},
      {"GET /url", "", 400, "is not a URL"},
      {"GET /urls?regex=(", "", 400, "regex '('"},
      {"GET /urls?marker=nonsense", "", 400, "is no marker"},
      {"GET /urls?marker=999-0-0-00", "", 410, "the marker no longer holds"},
      {"GET /nothing", "", 404, "there are /, /status, /metrics, /queues"},
      {"PUT /url", "", 405, "use GET"},
      {"GET /wake", "", 405, "use POST"},
      {"GET /status?x=1", "", 400, "there is no parameter 'x' here"},
      {"POST /settings", "", 400, "the body holds no setting"},
      {"POST /settings", "limits.max-documents", 400, "write a setting as"},
      {"POST /urls", "", 400, "the body holds no URL"},
      {"POST /urls", "http://a.test/x\nnot a url\n", 400, "line 2: seed 'not a url'"},
      {"POST /urls", "{\"url\": 1}", 400, "line 1: 'url' is not understood"},
      {"POST /urls", "{nonsense", 400, "line 1: no JSON object"},
      {"POST /urls", R"({"url": "http://a.test/x", "hops": "lle"})", 400, "line 1: 'lle' are no hops, such as LLE"},
      {"POST /urls?force=maybe", "http://a.test/x", 400, "force is 1 or 0"},
      {"POST /urls/delete", "", 400, "say what is to be deleted"},
      {"POST /urls/delete?regex=)", "", 400, "regex ')'"},
      {"POST /hosts/a.test", "", 400, "say what"},
      {"POST /hosts/a%20b?block=1", "", 400, "is no host name"},
      {"POST /hosts/a.test?delay=soon", "", 400, "delay is a time up to a day"},
      {"POST /hosts/a.test?delay=25h", "", 400, "delay is a time up to a day"},
      {"POST /hosts/a.test?budget=-1", "", 400, "budget is a number of URLs"},
      {"POST /queues?queue=http://a.test", "", 400, "say which and what"},
      {"POST /queues?queue=http://a.test:81&retire=1", "", 404, "has no queue http://a.test:81; it has http://a.test"},
      {"POST /queues?queue=http://never.test&retire=1", "", 404, "nothing is known"},
      {"POST /wake?all=1", "", 400, "there is no parameter 'all'"},
      {"POST /visits/end", "", 400, "say which"},
      {"POST /visits/end?url=http://a.test/never", "", 404, "is not being visited"},
  };
  on_crawl([&] {
    const uint64_t before = running_->status().queued;
    for (const Wrong& wrong : kWrong) {
      const auto answer = ask(wrong.request, wrong.body);
      EXPECT_EQ(answer.status, wrong.status) << wrong.request << ": " << answer.body;
      EXPECT_TRUE(answer.body.contains(wrong.says)) << wrong.request << ": " << answer.body;
      if (wrong.says[0] != '\0') EXPECT_TRUE(Json::parse(answer.body).contains("error")) << wrong.request;
    }
    EXPECT_EQ(running_->status().queued, before) << "nothing is changed by what is wrong";
  });
  EXPECT_FALSE(log().contains("OPERATOR"));
}

}  // namespace
}  // namespace caddis::control
