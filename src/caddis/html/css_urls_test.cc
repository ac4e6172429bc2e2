#include "caddis/html/css_urls.h"

#include <gmock/gmock.h>

#include <vector>

namespace caddis::html {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// The URLs, an import marked with '@'.
std::vector<std::string> urls_of(std::string_view css) {
  std::vector<std::string> out;
  CssUrls urls(css);
  for (CssUrl url; urls.next(url);) {
    EXPECT_EQ(url.raw, css.substr(url.start, url.end - url.start));
    if (url.quote != '\0') EXPECT_EQ(css[url.start - 1], url.quote);
    out.push_back((url.is_import ? "@" : "") + (url.has_escape ? css_unescape(url.raw) : std::string(url.raw)));
  }
  return out;
}

TEST(CssUrls, FindsEveryForm) {
  EXPECT_THAT(urls_of("a{background:url(a.png) url( 'b.png' ),URL(\"c.png\")}"),
              ElementsAre("a.png", "b.png", "c.png"));
  EXPECT_THAT(urls_of("@import 'a.css';@import url(b.css) screen;@IMPORT url('c.css') layer(x);b{}"),
              ElementsAre("@a.css", "@b.css", "@c.css"));
  EXPECT_THAT(urls_of("a{background:image-set('a.png' 1x, url(b.png) 2x, \"c.avif\" type('image/avif'))}"),
              ElementsAre("a.png", "b.png", "c.avif"));
  EXPECT_THAT(urls_of("@font-face{src:local('x'),url(f.woff2)format('woff2')}"), ElementsAre("f.woff2"));
  EXPECT_THAT(urls_of("background:url(x.png"), ElementsAre("x.png"));
}

TEST(CssUrls, LeavesOutWhatIsNoUrl) {
  EXPECT_THAT(urls_of("/* url(a) */ a{content:'url(b)'} myurl(c) url-d(e) @namespace url(f); @namespace x 'g';"),
              IsEmpty());
  EXPECT_THAT(urls_of("@charset 'x'; a{font:'Times'} url() url('') url(\"\")"), IsEmpty());
  EXPECT_THAT(urls_of("a{b:url(a b);c:url(d'e);f:url(g(h)}; i{j:url(k)}"), ElementsAre("k"));
  EXPECT_THAT(urls_of("a{b:url('broken\n);c:url(d)}"), ElementsAre("d"));
}

TEST(CssUrls, ResolvesEscapes) {
  EXPECT_THAT(urls_of("url(a\\)b) url('a\\'b') url(a\\26 b\\26b) url(\"a\\\nb\")"),
              ElementsAre("a)b", "a'b", "a&b\u026B", "ab"));
  EXPECT_EQ(css_unescape("\\000041x\\0 \\110000 \\"), "Ax\uFFFD\uFFFD");
}

}  // namespace
}  // namespace caddis::html
