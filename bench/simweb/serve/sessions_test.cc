#include "simweb/serve/sessions.h"

#include <gtest/gtest.h>

#include "simweb/world/doors.h"
#include "simweb/world/world.h"

namespace simweb {
namespace {

class SessionsTest : public testing::Test {
 protected:
  static WebSettings settings() {
    WebSettings s = *profile("sessions");
    s.session_pages = 3;
    return s;
  }
  std::string filled_in(HostId host) const {
    std::string body;
    for (const auto& [name, value] : form_fields(world_.settings(), host))
      body += (body.empty() ? "" : "&") + name + "=" + value;
    return body;
  }

  const World world_{settings()};
  Recorder recorder_{world_, caddis::SteadyTime()};
  Sessions sessions_{world_.settings(), recorder_};
};

TEST_F(SessionsTest, EndAfterTheirPages) {
  const auto cookie = sessions_.begin(5, filled_in(5));
  ASSERT_TRUE(cookie);
  for (int page = 0; page < 3; ++page) EXPECT_TRUE(sessions_.shows(5, "a=b; " + *cookie));
  EXPECT_FALSE(sessions_.shows(5, *cookie));
  EXPECT_FALSE(sessions_.shows(5, *cookie));
  const auto again = sessions_.begin(5, filled_in(5));
  ASSERT_TRUE(again);
  EXPECT_NE(*again, *cookie);
  EXPECT_TRUE(sessions_.shows(5, *again));
  EXPECT_FALSE(sessions_.shows(5, *cookie));
  EXPECT_EQ(recorder_.logins().accepted, 2u);
  EXPECT_EQ(recorder_.logins().ended, 1u);
  EXPECT_EQ(recorder_.logins().refused, 0u);
}

TEST_F(SessionsTest, AreOfOneHost) {
  const auto cookie = sessions_.begin(5, filled_in(5));
  ASSERT_TRUE(cookie);
  EXPECT_FALSE(sessions_.shows(6, *cookie));
  EXPECT_FALSE(sessions_.shows(5, ""));
  EXPECT_FALSE(sessions_.begin(6, filled_in(5)));
  EXPECT_FALSE(sessions_.begin(5, "who=member"));
  EXPECT_EQ(recorder_.logins().refused, 2u);
}

}  // namespace
}  // namespace simweb
