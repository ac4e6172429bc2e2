// Rewriting in windows, and bodies in stages.
#include "caddis/replay/body.h"

#include <gtest/gtest.h>

#include "caddis/base/random.h"
#include "caddis/replay/css.h"
#include "caddis/replay/html.h"
#include "caddis/replay/rewritten_body.h"

namespace caddis::replay {
namespace {

constexpr std::string_view kHead = "<script src=\"/-/client.js\"></script>";

LinkRewriter links_of(std::string_view page = "http://example.org/dir/page") {
  return LinkRewriter("/c/", "20260102030405", *url::Url::parse(page), Modifier::page);
}

// What the rewriter gives where it sees `window` bytes at a time, and where it must up to `most`.
template <class Rewriter>
std::string in_windows(Rewriter& rewriter, std::string_view source, size_t window, size_t most) {
  std::string out;
  size_t done = 0, wanted = window;
  for (int turns = 0; turns < 100'000; ++turns) {
    const std::string_view seen = source.substr(done, wanted);
    const bool last = done + seen.size() == source.size();
    size_t taken = rewriter.rewrite(seen, last, out.size() + 50, out);
    if (last && done + taken == source.size()) return out;
    if (taken == 0 && wanted >= most) taken = rewriter.pass_token(seen, out);
    wanted = taken > 0 ? window : std::min(wanted * 2, most);
    done += taken;
  }
  return "no end: " + out;
}

std::string html_in_windows(std::string_view source, size_t window, size_t most, bool xml = false) {
  LinkRewriter links = links_of();
  HtmlOptions options;
  options.head_insert = kHead;
  options.xml = xml;
  HtmlRewriter rewriter(links, options);
  return in_windows(rewriter, source, window, most);
}

std::string css_in_windows(std::string_view source, size_t window, size_t most) {
  const LinkRewriter links = links_of();
  CssRewriter rewriter(links);
  return in_windows(rewriter, source, window, most);
}

constexpr std::string_view kPage =
    "<!doctype html><!-- a <a href=x> --><html lang=en><head><base href='/b/'><title>a < b </tit</title>"
    "<style>a { background: url(x.png) } @import \"y.css\";</style>"
    "<script>if (a </ b) { x = '<a href=no>'; <!-- <script> </script> --> }</script></head>"
    "<body class=x style='background:url(z)'>text </ and < more &amp; <img src=i.png srcset='a 1x, b 2x'>"
    "<svg><style>b{}</style><![CDATA[ <a href=y> ]]><path d='M0'/></svg><textarea><a href=no></textarea>"
    "<a href='p?q=1&amp;r=2'>link</a><? bogus ?></3><iframe srcdoc=\"<a href='n'>\"></iframe></body></html> <a "
    "href=open";

TEST(HtmlRewriterTest, WindowsOfAnySizeGiveTheSame) {
  HtmlOptions options;
  options.head_insert = kHead;
  for (const std::string_view page : {kPage, std::string_view("just text, no tag; x < y"), std::string_view("")}) {
    LinkRewriter whole_links = links_of();
    const std::string whole = rewrite_html(page, whole_links, options);
    EXPECT_NE(whole.find(kHead), std::string::npos);
    for (size_t window = 1; window < 60; ++window)
      EXPECT_EQ(html_in_windows(page, window, 1 << 20), whole) << "windows of " << window;
  }
}

TEST(HtmlRewriterTest, TokensTooLongToHoldPassAsTheyAre) {
  const std::string filling(1000, 'x');
  const std::string link = "<a href='y'>";
  const std::string rewritten = "<a href='/c/20260102030405/http://example.org/dir/y'>";
  const auto with_head = [](std::string_view text) { return std::string(kHead) + std::string(text); };
  for (const std::string& token :
       {"<!-- <a href='n'>" + filling + "--->", "<!--" + filling + "--!>", "<!" + filling + ">", "<?" + filling + ">",
        "<p title='<a href=n>" + filling + "' x=\"'>\" y>", "<p title=" + filling + ">",
        "<p " + filling + "=" + filling + " '>", "</p " + filling + ">",
        "<script a='" + filling + "'>if (a < b) '<a href=n>'</script>"})
    EXPECT_EQ(html_in_windows(token + link, 16, 64), with_head(token + rewritten)) << token.substr(0, 40);
  for (const std::string& text : {"<script>" + filling + "'<a href=n>'</script>",
                                  "<textarea>" + filling + "</textarea>", "<style>" + filling + "</style>"})
    EXPECT_EQ(html_in_windows(text + link, 16, 64), with_head(text + rewritten)) << text.substr(0, 40);
  EXPECT_EQ(html_in_windows(filling + link, 16, 64), filling + with_head(rewritten));
  // One that does not end.
  for (const std::string& token : {"<!--" + filling, "<p title='" + filling, "<script>" + filling, "<!" + filling})
    EXPECT_EQ(html_in_windows(token, 16, 64), with_head(token)) << token.substr(0, 40);
}

TEST(HtmlRewriterTest, ValuesDoNotGrowWithoutEnd) {
  std::string set, sheet;
  for (int i = 0; i < 100'000; ++i) {
    set += "a,b 1x,";
    sheet += "url(a)";
  }
  const std::string page = "<base href='/" + std::string(8000, 'b') + "/'><img srcset='" + set + "'><p style='" +
                           sheet + "'><style>" + sheet + "</style>";
  LinkRewriter links = links_of();
  const std::string out = rewrite_html(page, links);
  EXPECT_GT(out.size(), page.size() + (1 << 20));
  EXPECT_LT(out.size(), page.size() + (16 << 20));
}

constexpr std::string_view kSheet =
    "@charset 'x'; @import 'a.css'; @import url( \"b.css\" ) print; /* url(no) */ @namespace u url(http://n/);"
    "a{background:url(c.png) , url('d\\'.png'),image-set('e.png' 1x, url(f) 2x); content:'url(no)'; x: y\\(z\\)}"
    "a[ href ^= '/]' i ], b[src=x] {c:d}"
    "b{src:url( g\\68 .png )} c{broken:'x\ny:url(h)} d:url(open";

TEST(CssRewriterTest, WindowsOfAnySizeGiveTheSame) {
  const LinkRewriter links = links_of();
  std::string whole;
  EXPECT_TRUE(rewrite_css(kSheet, links, whole));
  EXPECT_NE(whole.find("cs_/http://example.org/dir/b.css"), std::string::npos);
  for (size_t window = 1; window < 60; ++window)
    EXPECT_EQ(css_in_windows(kSheet, window, 1 << 20), whole) << "windows of " << window;
}

TEST(CssRewriterTest, TokensTooLongToHoldPassAsTheyAre) {
  const std::string filling(1000, 'x');
  const std::string link = "} a{b:url(y)}", rewritten = "} a{b:url(/c/20260102030405oe_/http://example.org/dir/y)}";
  for (const std::string& token :
       {"/*" + filling + "' url(n) */", "'" + filling + "\\' url(n)'", "\"" + filling + "' url(n)\"",
        "url(data:" + filling + "'\\) )", "url( 'data:" + filling + ")' )", filling})
    EXPECT_EQ(css_in_windows(token + link, 16, 64), token + rewritten) << token.substr(0, 40);
  for (const std::string& token : {"/*" + filling, "'" + filling, "url(" + filling, "url('" + filling})
    EXPECT_EQ(css_in_windows(token, 16, 64), token) << token.substr(0, 40);
}

// A text with a few bytes changed, moved or taken away.
std::string damaged(std::string_view text, SeededRandom& random) {
  constexpr std::string_view kMarks = "<>'\"-!/=&\\(){};*@ \n";
  std::string out(text);
  for (int i = 0; i < 6 && !out.empty(); ++i) {
    const size_t at = random.below(out.size());
    switch (random.below(3)) {
      case 0:
        out[at] = kMarks[random.below(kMarks.size())];
        break;
      case 1:
        out.erase(at, random.below(20));
        break;
      default:
        out.insert(random.below(out.size()), out.substr(at, random.below(30)));
    }
  }
  return out;
}

TEST(RewritersInWindows, WhateverIsWrongWithTheSource) {
  SeededRandom random(15);
  for (int i = 0; i < 100; ++i) {
    const std::string page = damaged(kPage, random);
    HtmlOptions options;
    options.head_insert = kHead;
    LinkRewriter links = links_of();
    ASSERT_EQ(html_in_windows(page, 1 + random.below(40), 1 << 20), rewrite_html(page, links, options)) << page;
    ASSERT_EQ(html_in_windows(page, 16, 64).find("no end"), std::string::npos) << page;
    const std::string sheet = damaged(kSheet, random);
    const LinkRewriter sheet_links = links_of();
    std::string whole;
    rewrite_css(sheet, sheet_links, whole);
    ASSERT_EQ(css_in_windows(sheet, 1 + random.below(40), 1 << 20), whole) << sheet;
    ASSERT_EQ(css_in_windows(sheet, 16, 64).find("no end"), std::string::npos) << sheet;
  }
}

// Gives `bytes` in pieces, with nothing in between.
class Pieces : public BodyReader {
 public:
  Pieces(std::string bytes, size_t size) : bytes_(std::move(bytes)), size_(size) {}
  Result<Piece> next() override {
    if ((idle_ = !idle_)) return Piece();
    piece_ = bytes_.substr(at_, size_);
    at_ += piece_.size();
    return Piece{piece_, at_ == bytes_.size()};
  }

 private:
  std::string bytes_, piece_;
  size_t size_;
  size_t at_ = 0;
  bool idle_ = false;
};

std::string read_all(std::unique_ptr<BodyReader> body, size_t* largest = nullptr) {
  std::string all;
  for (;;) {
    const auto piece = body->next();
    if (!piece) return "error: " + piece.error().message;
    all += piece->bytes;
    if (largest != nullptr) *largest = std::max(*largest, piece->bytes.size());
    if (piece->end) return all;
  }
}

TEST(BodyStages, DocumentOfAnySize) {
  std::string page, expected = std::string(kHead);
  for (int i = 0; i < 30'000; ++i) {
    const std::string link = "'/x" + std::to_string(i) + "'";
    page += "<p>text<a href=" + link + ">y</a>";
    expected +=
        "<p>text<a archived-href=" + link + " href='/./c/20260102030405/http://example.org" + link.substr(1) + ">y</a>";
  }
  // A picture in the page, larger than what is held.
  const std::string picture = "<img src='data:image/png;base64," + std::string(3'000'000, 'A') + "'><a href='/z'>";
  page += picture;
  expected +=
      picture.substr(0, picture.size() - 10) + "archived-href='/z' href='/./c/20260102030405/http://example.org/z'>";
  for (const size_t size : {1000u, 100'000u, 1'000'000'000u}) {
    size_t largest = 0;
    const std::string all = read_all(
        rewritten_document(std::make_unique<Pieces>(page, size), links_of(), std::string(kHead), false), &largest);
    EXPECT_TRUE(all == expected) << size;
    EXPECT_LT(largest, 2u << 20);
  }
}

TEST(BodyStages, EncodingsInWhichAnAsciiByteMayBeSomethingElse) {
  std::string little, big, expected;
  for (int i = 0; i < 20'000; ++i) {
    little += std::string("a\0\x3D\xD8\x00\xDE", 6);
    big += std::string("\0a\xD8\x3D\xDE\x00", 6);
    expected += "a\xF0\x9F\x98\x80";
  }
  for (const size_t size : {1u, 7u, 100'000u, 1'000'000'000u}) {
    EXPECT_TRUE(read_all(body_in_utf8(std::make_unique<Pieces>("\xFF\xFE" + little, size), "UTF-16LE")) == expected);
    EXPECT_TRUE(read_all(body_in_utf8(std::make_unique<Pieces>("\xFE\xFF" + big, size), "UTF-16BE")) == expected);
    const std::string shifted =
        read_all(body_in_utf8(std::make_unique<Pieces>("a\x1B$B$\"\n$$\x1B(B\nb", size), "ISO-2022-JP"));
    EXPECT_EQ(shifted, read_all(body_in_utf8(std::make_unique<Pieces>("a\x1B$B$\"\n$$\x1B(B\nb", 100), "ISO-2022-JP")));
    EXPECT_TRUE(shifted.starts_with("a\xE3\x81\x82")) << shifted;
  }
  EXPECT_EQ(read_all(body_in_utf8(std::make_unique<Pieces>("xyz", 1), "replacement")), "\uFFFD");
}

TEST(BodyStages, FrontIsLookedAtAndGivenAgain) {
  FrontReader body(std::make_unique<Pieces>("0123456789", 3));
  EXPECT_EQ(body.front(4), "012345");
  EXPECT_FALSE(body.whole());
  EXPECT_EQ(body.front(100), "0123456789");
  EXPECT_TRUE(body.whole());
  const auto piece = body.next();
  ASSERT_TRUE(piece);
  EXPECT_EQ(piece->bytes, "0123456789");
  EXPECT_TRUE(piece->end);
}

}  // namespace
}  // namespace caddis::replay
