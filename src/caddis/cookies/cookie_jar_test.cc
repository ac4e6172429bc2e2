#include "caddis/cookies/cookie_jar.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "caddis/cookies/cookie_row.h"

namespace caddis::cookies {
namespace {

using namespace std::chrono_literals;

class CookieJarTest : public ::testing::Test {
 protected:
  bool set(std::string_view from, std::string_view field, std::string_view jar = "") {
    now_ += 1s;
    const url::Url url = *url::Url::parse(from);
    const CookieCounts counts = jar_.store(field, {url, jar, now_}, settings_, changes_);
    counts_.add(counts);
    return counts.kept > 0;
  }
  CookieField field(std::string_view to, std::string_view jar = "") {
    now_ += 1s;
    const url::Url url = *url::Url::parse(to);
    return jar_.field_for({url, jar, now_});
  }
  std::string sent(std::string_view to, std::string_view jar = "") { return field(to, jar).text; }

  CookieJar jar_;
  CookieSettings settings_;
  Changes changes_;
  CookieCounts counts_;
  WallTime now_{1'700'000'000s};
};

TEST_F(CookieJarTest, SendsBackWhatAHostHasSetToThatHostAlone) {
  EXPECT_TRUE(set("http://www.example.org/", "a=1"));
  EXPECT_EQ(sent("http://www.example.org/x?y"), "a=1");
  EXPECT_EQ(sent("http://www.example.org:8080/"), "a=1");
  EXPECT_EQ(sent("http://example.org/"), "");
  EXPECT_EQ(sent("http://a.www.example.org/"), "");
  EXPECT_EQ(sent("http://example.com/"), "");
}

TEST_F(CookieJarTest, SendsCookiesOfADomainToItsHosts) {
  EXPECT_TRUE(set("http://www.example.org/", "a=1; Domain=example.org"));
  EXPECT_EQ(sent("http://example.org/"), "a=1");
  EXPECT_EQ(sent("http://deep.in.example.org/"), "a=1");
  EXPECT_EQ(sent("http://anexample.org/"), "");
}

TEST_F(CookieJarTest, RefusesDomainsOfOthersAndPublicSuffixes) {
  EXPECT_FALSE(set("http://www.example.org/", "a=1; Domain=example.com"));
  EXPECT_FALSE(set("http://www.example.org/", "a=1; Domain=other.example.org"));
  EXPECT_FALSE(set("http://example.org/", "a=1; Domain=www.example.org"));
  EXPECT_FALSE(set("http://www.example.org/", "a=1; Domain=org"));
  EXPECT_FALSE(set("http://www.example.co.uk/", "a=1; Domain=co.uk"));
  EXPECT_FALSE(set("http://192.0.2.1/", "a=1; Domain=2.1"));
  EXPECT_EQ(jar_.size(), 0u);
  EXPECT_TRUE(changes_.empty());
}

TEST_F(CookieJarTest, ASuffixAndAnAddressSpeakForThemselves) {
  EXPECT_TRUE(set("http://co.uk/", "a=1; Domain=co.uk"));
  EXPECT_TRUE(set("http://127.0.0.1/", "b=1; Domain=127.0.0.1"));
  EXPECT_TRUE(set("http://localhost/", "c=1"));
  EXPECT_TRUE(set("http://[::1]/", "d=1"));
  EXPECT_EQ(sent("http://co.uk/"), "a=1");
  EXPECT_EQ(sent("http://example.co.uk/"), "");
  EXPECT_EQ(sent("http://127.0.0.1/"), "b=1");
  EXPECT_EQ(sent("http://localhost/"), "c=1");
  EXPECT_EQ(sent("http://[::1]/"), "d=1");
}

TEST_F(CookieJarTest, GoesByPath) {
  EXPECT_TRUE(set("http://a.test/x/page", "default=1"));
  EXPECT_TRUE(set("http://a.test/", "deep=1; Path=/x/y"));
  EXPECT_TRUE(set("http://a.test/", "slash=1; Path=/x/"));
  EXPECT_TRUE(set("http://a.test/x/", "root=1; Path=/"));
  EXPECT_EQ(sent("http://a.test/x/y/z"), "deep=1; slash=1; default=1; root=1");
  EXPECT_EQ(sent("http://a.test/x"), "default=1; root=1");
  EXPECT_EQ(sent("http://a.test/xy"), "root=1");
}

TEST_F(CookieJarTest, OlderCookiesComeFirstAndKeepTheirPlace) {
  set("http://www.a.example/", "one=1");
  set("http://www.a.example/", "two=1; Domain=a.example");
  set("http://www.a.example/", "three=1");
  set("http://www.a.example/", "one=2");
  EXPECT_EQ(sent("http://www.a.example/"), "one=2; two=1; three=1");
  // All of one answer are of one moment.
  for (const char* const field : {"a=1", "b=1", "a=2"})
    jar_.store(field, {*url::Url::parse("http://b.example/"), "", now_}, settings_, changes_);
  EXPECT_EQ(sent("http://b.example/"), "a=2; b=1");
}

TEST_F(CookieJarTest, SecureCookiesGoOverTlsAlone) {
  EXPECT_FALSE(set("http://a.test/", "s=1; Secure"));
  EXPECT_TRUE(set("https://a.test/", "s=1; Secure; HttpOnly"));
  EXPECT_EQ(sent("http://a.test/"), "");
  EXPECT_EQ(sent("https://a.test/"), "s=1");
  EXPECT_FALSE(set("http://a.test/", "s=stolen"));
  EXPECT_EQ(sent("https://a.test/"), "s=1");
  EXPECT_TRUE(set("http://a.test/", "other=1"));
}

TEST_F(CookieJarTest, HoldsPrefixesToTheirPromise) {
  EXPECT_FALSE(set("https://a.test/", "__Secure-a=1"));
  EXPECT_TRUE(set("https://a.test/", "__Secure-a=1; Secure"));
  EXPECT_FALSE(set("https://a.test/", "__Host-a=1; Secure"));
  EXPECT_FALSE(set("https://a.test/", "__Host-a=1; Secure; Path=/; Domain=a.test"));
  EXPECT_FALSE(set("https://a.test/", "__host-a=1; Path=/"));
  EXPECT_TRUE(set("https://a.test/x", "__Host-a=1; Secure; Path=/"));
}

TEST_F(CookieJarTest, CookiesExpireAndAreTakenBack) {
  EXPECT_TRUE(set("http://a.test/", "a=1; Max-Age=10"));
  EXPECT_TRUE(set("http://a.test/", "b=1; Expires=Fri, 01 Jan 2027 00:00:00 GMT"));
  EXPECT_TRUE(set("http://a.test/", "c=1"));
  EXPECT_EQ(sent("http://a.test/"), "a=1; b=1; c=1");
  now_ += 10s;
  EXPECT_EQ(sent("http://a.test/"), "b=1; c=1");
  EXPECT_TRUE(set("http://a.test/", "b=; Expires=Thu, 01 Jan 1970 00:00:00 GMT"));
  EXPECT_TRUE(set("http://a.test/", "c=; Max-Age=0; Expires=Fri, 01 Jan 2027 00:00:00 GMT"));
  EXPECT_EQ(jar_.size(), 0u);
  EXPECT_EQ(jar_.bytes(), 0u);
  EXPECT_EQ(changes_, Changes{"a.test "});
  EXPECT_EQ(jar_.row("a.test "), "");
}

TEST_F(CookieJarTest, SaysWhatHasChangedAndNothingElse) {
  set("http://www.a.example/", "a=1");
  set("http://www.a.example/", "b=1; Domain=a.example", "mine");
  set("http://www.a.example/", "c=");
  EXPECT_EQ(changes_, (Changes{"www.a.example ", "a.example mine"}));
  changes_.clear();
  set("http://www.a.example/", "never=1; Max-Age=0");
  set("http://www.a.example/", "bad");
  EXPECT_TRUE(changes_.empty());
}

TEST_F(CookieJarTest, JarsShareNothing) {
  set("http://a.test/", "a=1");
  set("http://a.test/", "a=2", "second");
  EXPECT_EQ(sent("http://a.test/"), "a=1");
  EXPECT_EQ(sent("http://a.test/", "second"), "a=2");
  EXPECT_EQ(sent("http://a.test/", "third"), "");
}

TEST_F(CookieJarTest, ADomainHasSoManyAndTheOneSentLongestAgoGoes) {
  for (int i = 0; i < 50; ++i) set("http://a.test/", fmt::format("c{}=1; Path=/{}", i, i % 10));
  (void)sent("http://a.test/0");  // c0, c10 …
  for (int i = 50; i < 60; ++i) set("http://a.test/", fmt::format("c{}=1; Path=/{}", i, i % 10));
  EXPECT_EQ(jar_.size(), 50u);
  EXPECT_EQ(sent("http://a.test/0"), "c0=1; c10=1; c20=1; c30=1; c40=1; c50=1");
  EXPECT_EQ(sent("http://a.test/1"), "c21=1; c31=1; c41=1; c51=1");
  EXPECT_EQ(sent("http://a.test/9"), "c19=1; c29=1; c39=1; c49=1; c59=1");
}

TEST_F(CookieJarTest, ExpiredOnesMakeRoomFirst) {
  settings_.per_domain = 2;
  set("http://a.test/", "old=1");
  set("http://a.test/", "short=1; Max-Age=5");
  (void)sent("http://a.test/");
  now_ += 10s;
  set("http://a.test/", "new=1");
  EXPECT_EQ(sent("http://a.test/"), "old=1; new=1");
}

TEST_F(CookieJarTest, AllTogetherAreBounded) {
  jar_.set_bounds(100, 1 << 30);
  for (int i = 0; i < 150; ++i) {
    set(fmt::format("http://host{}.example/", i), i % 50 == 0 ? "a=1; Max-Age=20" : "a=1");
    (void)sent("http://host1.example/");
  }
  EXPECT_LE(jar_.size(), 100u);
  EXPECT_GE(jar_.size(), 94u);
  EXPECT_EQ(sent("http://host1.example/"), "a=1");  // it is sent again and again
  EXPECT_EQ(sent("http://host2.example/"), "");
  EXPECT_EQ(sent("http://host149.example/"), "a=1");
  for (int i = 0; i < 150; ++i) {
    const std::string key = fmt::format("host{}.example ", i);
    EXPECT_NE(std::ranges::find(changes_, key), changes_.end()) << key;
  }
}

TEST_F(CookieJarTest, MemoryIsBounded) {
  jar_.set_bounds(1'000'000, 100'000);
  const std::string large = "a=" + std::string(4000, 'x');
  for (int i = 0; i < 100; ++i) set(fmt::format("http://host{}.example/", i), large);
  EXPECT_LE(jar_.bytes(), 100'000u);
  EXPECT_GT(jar_.size(), 15u);
}

TEST_F(CookieJarTest, LongCookiesAreRefused) {
  EXPECT_FALSE(set("http://a.test/", "a=" + std::string(4096, 'x')));
  EXPECT_TRUE(set("http://a.test/", "a=" + std::string(4095, 'x')));
}

TEST_F(CookieJarTest, TellsWhatBecameOfCookies) {
  for (int i = 0; i < 60; ++i) set("http://a.test/", fmt::format("c{}=1", i));
  set("http://a.test/", "c59=; Max-Age=0");
  set("http://a.test/", "a=" + std::string(5000, 'x'));
  set("http://a.test/", "s=1; Secure");
  set("http://a.test/", "a=1; Domain=b.test");
  set("http://a.test/", "a=\x01");
  EXPECT_EQ(counts_.kept, 61u);
  EXPECT_EQ(counts_.over_domain, 10u);
  EXPECT_EQ(counts_.too_large, 1u);
  EXPECT_EQ(counts_.refused, 3u);
  EXPECT_EQ(counts_.over_total, 0u);
  jar_.set_bounds(40, 1 << 30);
  set("http://b.test/", "b=1");
  EXPECT_EQ(jar_.size(), 50u - counts_.over_total);
  EXPECT_GE(counts_.over_total, 10u);
}

TEST_F(CookieJarTest, CookiesOfTheOperatorStayAndMakeTheFieldSecret) {
  Cookie own;
  own.name = "session";
  own.value = "mine";
  own.domain = "a.test";
  own.path = "/";
  own.secret = true;
  own.created = own.accessed = now_;
  jar_.put(own, "", changes_);
  settings_.per_domain = 2;
  for (int i = 0; i < 10; ++i) set("http://a.test/", fmt::format("c{}=1; Path=/c", i));
  EXPECT_TRUE(field("http://a.test/").secret);
  EXPECT_EQ(sent("http://a.test/"), "session=mine");
  set("http://a.test/", "session=theirs");
  EXPECT_EQ(sent("http://a.test/"), "session=theirs");
  EXPECT_TRUE(field("http://a.test/").secret);
  jar_.set_bounds(1, 1);
  set("http://b.test/", "x=1");
  EXPECT_EQ(sent("http://a.test/"), "session=theirs");
  set("http://b.test/", "x=1");
  EXPECT_FALSE(field("http://b.test/").secret);
}

TEST_F(CookieJarTest, RowsBringEverythingBack) {
  set("https://www.a.example/x/", "a=1; Domain=a.example; Secure; HttpOnly; SameSite=Strict; Max-Age=1000");
  set("https://www.a.example/", "b=2", "second");
  set("https://www.a.example/", "soon=2; Max-Age=5", "second");
  CookieJar other;
  Changes expired;
  const WallTime later = now_ + 10s;
  for (const std::string& key : changes_) ASSERT_TRUE(other.load_row(key, jar_.row(key), later, expired));
  EXPECT_EQ(expired, Changes{"www.a.example second"});
  EXPECT_EQ(other.size(), 2u);
  const auto all = other.all();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].cookie, jar_.all()[0].cookie);
  EXPECT_EQ(all[1].jar, "second");
  EXPECT_FALSE(other.load_row("a.example ", "2\n", later, expired));
}

TEST(CookieRow, HasGoldenBytes) {
  Cookie cookie;
  cookie.name = "id";
  cookie.value = "a=b; no";
  cookie.domain = "a.test";
  cookie.path = "/x";
  cookie.expires = WallTime(5us);
  cookie.created = WallTime(3us);
  cookie.accessed = WallTime(4us);
  cookie.same_site = SameSite::lax;
  cookie.secure = cookie.http_only = cookie.secret = true;
  EXPECT_EQ(write_row(std::vector{cookie}), "1\nid\ta=b; no\t/x\tlhtox\t3\t4\t5\n");
  EXPECT_EQ(*read_row(write_row(std::vector{cookie}), "a.test"), std::vector{cookie});
  for (const std::string_view bad : {"", "1", "2\n", "1\na\tb\n", "1\na\tb\t/\t-\t1\t2\t3", "1\na\tb\t/\tq\t1\t2\t3\n",
                                     "1\na\tb\t/\t-\tx\t2\t3\n", "1\na\tb\t/\t-\t1\t2\t\n"})
    EXPECT_FALSE(read_row(bad, "a.test")) << bad;
}

TEST(CookieJarThreads, AnyThreadMayAskAndSet) {
  CookieJar jar;
  jar.set_bounds(50, 1 << 20);
  std::vector<std::jthread> threads;
  for (int thread = 0; thread < 4; ++thread)
    threads.emplace_back([&jar, thread] {
      Changes changes;
      const CookieSettings settings;
      for (int i = 0; i < 500; ++i) {
        const url::Url url = *url::Url::parse(fmt::format("http://h{}.example/", (i * 7 + thread) % 90));
        const Place place{url, "", WallTime(std::chrono::seconds(i))};
        jar.store("a=1", place, settings, changes);
        (void)jar.field_for(place);
      }
      for (const std::string& key : changes) (void)jar.row(key);
      (void)jar.all();
    });
  threads.clear();
  EXPECT_LE(jar.size(), 50u);
}

}  // namespace
}  // namespace caddis::cookies
