#include "simweb/world/doors.h"

#include <gtest/gtest.h>

#include "simweb/world/world.h"

namespace simweb {
namespace {

class DoorsTest : public testing::Test {
 protected:
  HostFacts host(Door door) const {
    for (HostId id = 0; id < world_.hosts(); ++id)
      if (const HostFacts found = world_.host(id); found.open() && door_of(world_.settings(), id, Kind::html) == door)
        return found;
    ADD_FAILURE() << "no such host";
    return {};
  }
  void respond(const HostFacts& of, const PageRef& page, bool let_in) {
    world_.respond({.host = of.id, .page = page, .let_in = let_in}, answer_);
  }

  const World world_{*profile("members")};
  Answer answer_;
};

TEST_F(DoorsTest, ACookieOpensThem) {
  const HostFacts h = host(Door::cookie);
  const PageRef page = world_.page(h, 0);
  const std::string cookie = door_cookie(world_.settings(), h.id);
  const auto lets = [&](const std::string& field) { return lets_in(world_.settings(), h.id, page.kind, field, ""); };
  EXPECT_TRUE(lets(cookie) && lets("a=b; " + cookie) && lets(cookie + "; c=d"));
  EXPECT_FALSE(lets("") || lets("x" + cookie) || lets(cookie + "x"));
  EXPECT_TRUE(lets_in(world_.settings(), h.id, Kind::robots, "", ""));
  respond(h, page, false);
  EXPECT_EQ(answer_.status, 302);
  EXPECT_NE(answer_.head.find("Location: /\r\n"), std::string::npos) << answer_.head;
  EXPECT_NE(answer_.head.find("Set-Cookie: " + cookie + "; Path=/\r\n"), std::string::npos) << answer_.head;
  respond(h, page, true);
  EXPECT_EQ(answer_.status, 200);
}

TEST_F(DoorsTest, MembersComeIn) {
  const HostFacts h = host(Door::login);
  const PageRef page = world_.page(h, 0);
  const auto lets = [&](const std::string& field) { return lets_in(world_.settings(), h.id, page.kind, "", field); };
  EXPECT_TRUE(lets("Basic bWVtYmVyOm9mIHNpbXdlYg=="));
  EXPECT_FALSE(lets("") || lets("Basic bWVtYmVyOm9m"));
  respond(h, page, false);
  EXPECT_EQ(answer_.status, 401);
  EXPECT_NE(answer_.head.find("WWW-Authenticate: Basic realm=\"simweb\"\r\n"), std::string::npos) << answer_.head;
}

// Whatever the page does with those who are let in.
TEST_F(DoorsTest, AnswerPlainly) {
  for (HostId id = 0; id < world_.hosts(); ++id) {
    const HostFacts h = world_.host(id);
    const Door door = door_of(world_.settings(), id, Kind::html);
    for (uint64_t number = 0; door != Door::open && number < h.pages; ++number) {
      respond(h, world_.page(h, number), false);
      ASSERT_EQ(answer_.status, door_status(door));
      ASSERT_EQ(answer_.transfer, Transfer::whole);
      ASSERT_FALSE(answer_.gzip);
      ASSERT_EQ(answer_.declared, answer_.body_size);
    }
  }
}

}  // namespace
}  // namespace simweb
