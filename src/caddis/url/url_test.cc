#include "caddis/url/url.h"

#include <gtest/gtest.h>

#include "caddis/url/ip.h"
#include "caddis/url/public_form.h"
#include "caddis/url/query_encoder.h"

namespace caddis::url {
namespace {

TEST(Url, PartsOfAFullUrl) {
  const Url url = Url::parse("https://user:pass@example.com:8080/a/b?q=1#top").value();
  EXPECT_EQ(url.scheme(), "https");
  EXPECT_EQ(url.protocol(), "https:");
  EXPECT_EQ(url.username(), "user");
  EXPECT_EQ(url.password(), "pass");
  EXPECT_EQ(url.host(), "example.com:8080");
  EXPECT_EQ(url.hostname(), "example.com");
  EXPECT_EQ(url.port(), "8080");
  EXPECT_EQ(url.pathname(), "/a/b");
  EXPECT_EQ(url.search(), "?q=1");
  EXPECT_EQ(url.hash(), "#top");
  EXPECT_EQ(url.without_fragment(), "https://user:pass@example.com:8080/a/b?q=1");
  EXPECT_EQ(url.port_number(), 8080);
  EXPECT_EQ(url.effective_port(), 8080);
  EXPECT_TRUE(url.is_http() && url.is_special() && url.has_host() && url.has_userinfo() && url.has_query() &&
              url.has_fragment());
}

TEST(Url, PublicForm) {
  EXPECT_EQ(public_form("https://user:pass@example.com:8080/a/b?q=1#top"), "https://example.com:8080/a/b?q=1");
  EXPECT_EQ(public_form("https://example.com/@a?"), "https://example.com/@a?");
  EXPECT_EQ(public_form("dns:x@example.com"), "dns:x@example.com");
  EXPECT_EQ(public_form("no @ URL"), "no @ URL");
}

TEST(Url, EmptyPartsAreNotAbsentOnes) {
  const Url url = Url::parse("http://example.com/?#").value();
  EXPECT_EQ(url.search(), "");
  EXPECT_EQ(url.hash(), "");
  EXPECT_TRUE(url.has_query() && url.has_fragment());
  const Url plain = Url::parse("http://example.com/").value();
  EXPECT_FALSE(plain.has_query() || plain.has_fragment() || plain.has_userinfo());
}

TEST(Url, Ports) {
  EXPECT_EQ(Url::parse("http://example.com:80/")->port_number(), std::nullopt);
  EXPECT_EQ(Url::parse("http://example.com:80/")->effective_port(), 80);
  EXPECT_EQ(Url::parse("https://example.com/")->effective_port(), 443);
  EXPECT_EQ(Url::parse("ftp://example.com/")->effective_port(), 21);
  EXPECT_EQ(Url::parse("mailto:a@b")->effective_port(), 0);
}

TEST(Url, SchemesWithoutHosts) {
  const Url mail = Url::parse("mailto:a@b.example").value();
  EXPECT_TRUE(mail.has_opaque_path());
  EXPECT_FALSE(mail.has_host() || mail.is_http() || mail.is_special());
  EXPECT_EQ(mail.pathname(), "a@b.example");
  EXPECT_EQ(Url::parse("#x", &mail)->href(), "mailto:a@b.example#x");
  EXPECT_FALSE(Url::parse("x", &mail));
  const Url file = Url::parse("file:///a").value();
  EXPECT_TRUE(file.has_host());
  EXPECT_EQ(file.host(), "");
}

TEST(Url, FailuresSayWhy) {
  const auto why = [](std::string_view text) { return Url::parse(text).error().message; };
  EXPECT_EQ(why("a/b"), "invalid URL: it has no scheme, and there is no base to resolve it against");
  EXPECT_EQ(why("http://"), "invalid URL: no host");
  EXPECT_EQ(why("http://u@/"), "invalid URL: no host behind the user");
  EXPECT_EQ(why("http://a b/"), "invalid URL: malformed host");
  EXPECT_EQ(why("http://a:b/"), "invalid URL: malformed port");
  EXPECT_EQ(why("http://a:65536/"), "invalid URL: port above 65535");
  const auto huge = Url::parse("http://a/" + std::string(Url::kMaxLength, 'x'));
  EXPECT_EQ(huge.error().code, ErrorCode::limit);
}

TEST(Url, BytesThatAreNotUtf8) {
  EXPECT_EQ(Url::parse("http://h/\xFF?\xFE")->href(), "http://h/%EF%BF%BD?%EF%BF%BD");
  EXPECT_FALSE(Url::parse("http://\xFF/"));
}

void expect_same(const Url& glanced, const Url& parsed) {
  EXPECT_EQ(glanced.href(), parsed.href());
  EXPECT_EQ(glanced.host(), parsed.host());
  EXPECT_EQ(glanced.hostname(), parsed.hostname());
  EXPECT_EQ(glanced.port(), parsed.port());
  EXPECT_EQ(glanced.pathname(), parsed.pathname());
  EXPECT_EQ(glanced.search(), parsed.search());
  EXPECT_EQ(glanced.hash(), parsed.hash());
  EXPECT_EQ(glanced.is_http(), parsed.is_http());
}

// The glances for normal URLs and the parser must agree: each pair differs in one byte that sends it to the parser.
TEST(Url, TheShortWayIsTheLongWay) {
  for (const std::string text :
       {"http://example.com/a.b/c?d=%20#e", "https://a-b_c.example/%41/~x;y=1", "http://xn--a.example/",
        "http://a/.well-known/x", "http://a/%2e", "http://a/..b", "http://1.a/", "http://a:8080/x", "http://a:80/",
        "https://a:80/?", "http://a:0/", "http://a:007/", "http://a:65535/#", "https://a:443/"}) {
    const Url normal = Url::parse(text).value();
    const Url parsed = Url::parse(" " + text).value();
    expect_same(normal, parsed);
  }
}

TEST(Url, TheShortWayOfRelativeUrls) {
  const Url bases[] = {*Url::parse("http://h/a/b?q#f"), *Url::parse("https://h:8443/"), *Url::parse("http://u:p@h/a/"),
                       *Url::parse("ftp://h/a/b"), *Url::parse("http://1.2.3.4/x/y/z")};
  for (const Url& base : bases) {
    for (const std::string text : {"x",
                                   "x/y.html?a=1&b#c",
                                   "/r/s",
                                   "/",
                                   "a/../b",
                                   "a/./b",
                                   "x:y",
                                   "x/y:z",
                                   "//other/p",
                                   "1",
                                   "?q",
                                   "#f",
                                   "../u",
                                   "a b",
                                   "a%2e/%2e%2e/c",
                                   "a\\b",
                                   "x?it's",
                                   "é/ü",
                                   "mailto:x",
                                   "a//b",
                                   "/.//p"}) {
      const auto glanced = Url::parse(text, &base);
      const auto parsed = Url::parse(" " + text, &base);
      ASSERT_EQ(glanced.has_value(), parsed.has_value()) << text;
      if (glanced) expect_same(*glanced, *parsed);
    }
  }
}

TEST(Url, QueryCharsets) {
  const auto search = [](std::string_view charset, std::string_view query) {
    const auto encoder = QueryEncoder::create(charset).value();
    return std::string(Url::parse("http://h/\xC3\xA9?" + std::string(query), nullptr, encoder.get())->search());
  };
  EXPECT_EQ(search("windows-1251", "q=\xD0\xB9"), "?q=%E9");
  EXPECT_EQ(search("Windows-1252", "q=\xD0\xB9"), "?q=%26%231081%3B");
  EXPECT_EQ(search("GBK", "\xE4\xBD\xA0"), "?%C4%E3");
  EXPECT_EQ(search("EUC-JP", "\xE6\x97\xA5"), "?%C6%FC");
  EXPECT_EQ(search("utf-8", "\xC3\xA9"), "?%C3%A9");
  EXPECT_EQ(search("UTF-16LE", "\xC3\xA9"), "?%C3%A9");
  EXPECT_EQ(QueryEncoder::create("no-such").error().message, "unknown charset \"no-such\"");
  const auto encoder = QueryEncoder::create("windows-1251").value();
  EXPECT_EQ(Url::parse("ws://h/?\xD0\xB9", nullptr, encoder.get())->search(), "?%D0%B9");
}

TEST(Ip, Ipv6Text) {
  const auto text = [](std::string_view in) {
    std::string out;
    const auto address = parse_ipv6(in);
    if (address) append_ipv6(out, *address);
    return out;
  };
  EXPECT_EQ(text("0:0:0:0:0:0:0:0"), "::");
  EXPECT_EQ(text("1:0:0:2:0:0:0:3"), "1:0:0:2::3");
  EXPECT_EQ(text("1::2:0:0:3"), "1::2:0:0:3");
  EXPECT_EQ(text("::FFFF:192.0.2.1"), "::ffff:c000:201");
  EXPECT_EQ(text("1:2:3:4:5:6:7:0"), "1:2:3:4:5:6:7:0");
  for (const std::string_view bad :
       {"", ":", ":::", "1", "1::2::3", "1:2:3:4:5:6:7:8:9", "::1.2.3", "::1.2.3.256", "::01.2.3.4", "::1.2.3.4.5",
        "fe80::1%eth0", "12345::", "1:2:3:4:5:6:7:", "::1.2.3.4:5"}) {
    EXPECT_EQ(text(bad), "") << bad;
  }
}

}  // namespace
}  // namespace caddis::url
