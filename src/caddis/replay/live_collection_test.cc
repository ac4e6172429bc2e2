// Answers that were just fetched, as replay shows them: no mementos, and nowhere else than where they were asked for.
#include "caddis/replay/live_collection.h"

#include <gmock/gmock.h>

#include "caddis/http/recorder.h"
#include "caddis/replay/wayback_fixture.h"

namespace caddis::replay {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class LiveCollectionTest : public WaybackTest {
 protected:
  // Shows an answer of the site to a request for `url` by that time; an empty one: nothing was fetched.
  void show(const std::string& url, std::string_view answer) {
    FetchedCapture fetched{url, "20260102030405", nullptr};
    if (!answer.empty()) {
      http::ResponseRecorder recorder(spools_, http::Limits(), "GET");
      ASSERT_TRUE(recorder.feed(answer));
      fetched.exchange = std::make_shared<const http::Exchange>(*recorder.finish(http::ResponseRecorder::End::closed));
    }
    std::vector<std::shared_ptr<Collection>> collections;
    collections.push_back(live_collection(files, clock, "Live", answer.empty() ? nullptr : &fetched));
    WaybackOptions options;
    options.is_live = true;
    wayback = std::make_unique<Wayback>(files, std::move(collections),
                                        *Origins::create(names, std::vector<std::string>(1, "live"), "secret"),
                                        decltype(control::AskingWorld::ask)(), std::move(options));
  }

  io::SpoolFolder spools_{files, "spools"};
};

TEST_F(LiveCollectionTest, IsNoMemento) {
  show("http://h.test/", http_ok("text/html", "<a href=\"/a\">a</a>"));
  const auto shown = get("/live/20260102030405mp_/http://h.test/");
  EXPECT_EQ(shown.status, 200);
  EXPECT_EQ(find_header(shown.headers, "memento-datetime"), "");
  EXPECT_EQ(find_header(shown.headers, "link"), "");
  EXPECT_THAT(shown.body, HasSubstr("/live/20260102030405mp_/http://h.test/a"));
  const auto window = get("/live/20260102030405/http://h.test/", {{"Sec-Fetch-Dest", "document"}});
  EXPECT_EQ(find_header(window.headers, "memento-datetime"), "");
  EXPECT_THAT(window.body, HasSubstr("nothing of it is kept"));
  EXPECT_THAT(window.body, Not(HasSubstr("/live/info")));
}

TEST_F(LiveCollectionTest, FollowsARedirectToItsOwnKey) {
  show("http://h.test/", "HTTP/1.1 301 Moved\r\nLocation: https://www.h.test/\r\nContent-Length: 0\r\n\r\n");
  const auto shown = get("/live/20260102030405mp_/http://h.test/");
  EXPECT_EQ(shown.status, 301);
  EXPECT_EQ(find_header(shown.headers, "location"), "/live/20260102030405mp_/https://www.h.test/");
}

TEST_F(LiveCollectionTest, HasNothingElse) {
  show("http://h.test/", http_ok("text/html", "x"));
  EXPECT_EQ(get("/live/20260102030405im_/http://h.test/other").status, 404);
  show("http://h.test/", "");
  EXPECT_EQ(get("/live/20260102030405im_/http://h.test/").status, 404);
}

}  // namespace
}  // namespace caddis::replay
