// Answers about captures that are larger than they may be, or take longer.
#include <chrono>
#include <string>

#include "caddis/replay/wayback_fixture.h"

namespace caddis::replay {
namespace {

// Each look at it takes a second.
class SlowClock : public Clock {
 public:
  WallTime wall() const override { return clock_.wall(); }
  SteadyTime steady() const override { return now_ += std::chrono::seconds(1); }

 private:
  const ManualClock clock_;
  mutable SteadyTime now_{std::chrono::hours(1)};
};

class AnswerLimitsTest : public WaybackTest {
 protected:
  void open_with(const cdxserver::AnswerLimits& limits, const Clock& clock) {
    std::string lines;
    for (int second = 10; second < 60; ++second)
      lines += "org,example)/ 202001010000" + std::to_string(second) +
               R"( {"url": "http://example.org/", "mime": "text/html", "status": "200", "digest": "sha1:A", )"
               R"("length": "10", "offset": ")" +
               std::to_string(second) + "\", \"filename\": \"a.warc.gz\"}\n";
    put("c/indexes/a.cdxj", lines);
    auto collections = open_collections(files, clock, "c", "");
    ASSERT_TRUE(collections) << collections.error().message;
    auto origins = Origins::create(names, {"c"}, "secret");
    ASSERT_TRUE(origins) << origins.error().message;
    WaybackOptions options;
    options.limits = limits;
    wayback = std::make_unique<Wayback>(files, *std::move(collections), *std::move(origins),
                                        decltype(control::AskingWorld::ask)(), std::move(options));
  }
};

constexpr const char* kPages[] = {
    "/c/*/http://example.org/",
    "/c/search?url=http://example.org/&match=prefix",
    "/-/search?url=http://example.org/&match=prefix",
    "/c/export?url=http://example.org/&match=prefix&as=csv",
    "/c/export?url=http://example.org/&match=prefix&as=cdxj",
};
constexpr const char* kLists[] = {
    "/c/cdx?url=http://example.org/",          "/c/cdx?url=http://example.org/&output=link",
    "/cdx/search/cdx?url=http://example.org/", "/c?q=type:urlquery+url:http%253A%252F%252Fexample.org%252F",
    "/c/timemap/link/http://example.org/",     "/c/timemap/json/http://example.org/",
};

TEST_F(AnswerLimitsTest, RefuseWhatIsLargerThanItMayBe) {
  open_with({.time = {}, .bytes = 1000}, clock);
  for (const char* const path : kPages) {
    const auto response = get(path);
    EXPECT_EQ(response.status, 413) << path;
    EXPECT_NE(response.body.find("<h1>Too much for one answer</h1>"), std::string::npos) << path << response.body;
    EXPECT_EQ(response.body.find("Not found"), std::string::npos) << path;
    EXPECT_NE(response.body.find("(--size-limit): ask"), std::string::npos) << path;
    EXPECT_EQ(header(response, "Content-Disposition"), "") << path;
  }
  for (const char* const path : kLists) {
    const auto response = get(path);
    EXPECT_EQ(response.status, 413) << path;
    EXPECT_NE(response.body.find("(--size-limit): ask"), std::string::npos) << path << response.body;
  }
}

TEST_F(AnswerLimitsTest, RefuseWhatTakesLongerThanItMay) {
  const SlowClock slow;
  open_with({.time = std::chrono::milliseconds(1), .bytes = 0}, slow);
  const auto page = get("/c/search?url=http://example.org/&match=prefix&status=999");
  // A list that ends with its first piece has taken what it takes.
  EXPECT_EQ(page.status, 200);
  const auto timemap = get("/c/timemap/link/http://example.org/");
  EXPECT_EQ(timemap.status, 504);
  EXPECT_NE(timemap.body.find("(--time-limit): ask"), std::string::npos) << timemap.body;
  wayback.reset();  // before its clock
}

TEST_F(AnswerLimitsTest, LeaveErrorsInQuestionsAsTheyAre) {
  open_with({.time = {}, .bytes = 1000}, clock);
  const auto search = get("/c/search?url=http://example.org/&match=every");
  EXPECT_EQ(search.status, 400);
  EXPECT_NE(search.body.find("<h1>This cannot be answered</h1>"), std::string::npos) << search.body;
  EXPECT_EQ(get("/c/export?url=http://example.org/&match=prefix&as=pdf").status, 400);
  EXPECT_EQ(get("/c/cdx?url=http://example.org/&sort=none").status, 400);
  EXPECT_EQ(get("/c/timemap/xml/http://example.org/").status, 404);
  EXPECT_EQ(get("/c/timemap/link/http://example.org/other").status, 404);
}

}  // namespace
}  // namespace caddis::replay
