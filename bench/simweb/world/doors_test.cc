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

// A form that is filled in as its page says gives a session, and nothing else does.
TEST(FormDoors, WantASession) {
  const World world(*profile("sessions"));
  const WebSettings& settings = world.settings();
  Answer answer;
  size_t in_place = 0, redirects = 0;
  for (HostId id = 0; id < world.hosts(); ++id) {
    const HostFacts h = world.host(id);
    const PageRef form{Kind::login_form};
    const bool has_form = door_of(settings, id, Kind::html) == Door::form;
    EXPECT_EQ(world.route(h, {.id = id}, "/login").kind, has_form ? Kind::login_form : Kind::unknown);
    if (!has_form || !h.open()) continue;
    EXPECT_FALSE(lets_in(settings, id, Kind::html, session_cookie(settings, id, 0), ""));
    EXPECT_TRUE(lets_in(settings, id, Kind::robots, "", ""));
    world.respond({.host = id, .page = world.page(h, 0), .let_in = false}, answer);
    EXPECT_EQ(answer.status, door_status(settings, id, Door::form));
    std::string body;
    for (const std::string_view piece : answer.body) body += piece;
    if (shows_form(settings, id)) {
      EXPECT_NE(body.find(kFormWords), body.npos);
      EXPECT_EQ(answer.head.find("ETag"), answer.head.npos);
      ++in_place;
    } else {
      EXPECT_NE(answer.head.find("Location: /login\r\n"), answer.head.npos) << answer.head;
      ++redirects;
    }
    world.respond({.host = id, .page = form, .let_in = false}, answer);
    EXPECT_EQ(answer.status, 200);
    world.respond({.host = id, .page = form, .let_in = true, .session = "session=1"}, answer);
    EXPECT_EQ(answer.status, 303);
    EXPECT_NE(answer.head.find("Set-Cookie: session=1; Path=/; HttpOnly\r\nLocation: /welcome\r\n"), answer.head.npos);
  }
  EXPECT_GT(in_place, 0u);
  EXPECT_GT(redirects, 0u);
}

TEST(FormDoors, AreOpenedByTheRightFields) {
  const WebSettings settings = *profile("sessions");
  const std::string token = form_fields(settings, 3).front().second;
  const std::string right = "token=" + token + "&who=member&word=of+simweb&stay=yes&club=Old%20members&go=Enter";
  EXPECT_TRUE(fills_form(settings, 3, right));
  EXPECT_FALSE(fills_form(settings, 4, right));
  for (const std::string& wrong :
       {std::string(), right + "&news=yes", right.substr(0, right.rfind('&')), "x" + right,
        "token=" + token + "&who=member&word=of+another&stay=yes&club=Old%20members&go=Enter",
        "token=" + token + "&who=member&word=of+simweb&stay=yes&club=Guests&go=Enter"})
    EXPECT_FALSE(fills_form(settings, 3, wrong)) << wrong;
}

TEST(Http2, IsSpokenOverTlsAlone) {
  const World world(*profile("sessions"));
  size_t speaking = 0;
  for (HostId id = 0; id < world.hosts(); ++id) {
    if (!speaks_http2(world.settings(), id)) continue;
    EXPECT_TRUE(world.host(id).https);
    ++speaking;
  }
  EXPECT_GT(speaking, world.hosts() / 8);
  WebSettings settings = world.settings();
  settings.bad_head = 0.01;
  EXPECT_FALSE(validate(settings));
}

// No head of HTTP/1.1's framing.
TEST(Http2, HasNoFraming) {
  const World world(*profile("sessions"));
  Answer answer;
  const HostFacts h = world.host(0);
  for (uint64_t number = 0; number < h.pages; ++number) {
    world.respond({.host = 0, .page = world.page(h, number), .http2 = true}, answer);
    EXPECT_FALSE(answer.chunked);
    EXPECT_EQ(answer.head.find("Connection:"), answer.head.npos);
    EXPECT_EQ(answer.head.find("Transfer-Encoding:"), answer.head.npos);
  }
}

// Whatever the page does with those who are let in.
TEST_F(DoorsTest, AnswerPlainly) {
  for (HostId id = 0; id < world_.hosts(); ++id) {
    const HostFacts h = world_.host(id);
    const Door door = door_of(world_.settings(), id, Kind::html);
    for (uint64_t number = 0; door != Door::open && number < h.pages; ++number) {
      respond(h, world_.page(h, number), false);
      ASSERT_EQ(answer_.status, door_status(world_.settings(), h.id, door));
      ASSERT_EQ(answer_.transfer, Transfer::whole);
      ASSERT_FALSE(answer_.gzip);
      ASSERT_EQ(answer_.declared, answer_.body_size);
    }
  }
}

}  // namespace
}  // namespace simweb
