#include "caddis/extract/extract.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <ctime>

#include "caddis/io/gzip.h"

namespace caddis::extract {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

// "L http://h/x a/@href" for each link; "http://h" is the document's host.
std::vector<std::string> links_of(Document document, Options options = {}) {
  if (document.url.empty()) document.url = "http://h/d/page";
  options.favicon = false;
  std::vector<std::string> out;
  for (const Link& link : extract(document, options).links) {
    out.push_back(std::string(1, static_cast<char>(link.hop)) + " " + std::string(link.url()) + " " + link.context);
  }
  return out;
}

std::vector<std::string> html(std::string_view body, const Options& options = {}) {
  return links_of({.content_type = "text/html; charset=utf-8", .body = body}, options);
}
std::vector<std::string> script(std::string_view body, std::string_view via = "") {
  return links_of({.via = via, .content_type = "text/javascript", .body = body});
}
std::vector<std::string> inline_script(std::string_view body) {
  return html("<script>" + std::string(body) + "</script>");
}

TEST(Extract, Html) {
  EXPECT_THAT(html("<a href=x>1</a><A HREF='../y#z'>2</A><area href=//o/p><q cite=c></q>"),
              ElementsAre("L http://h/d/x a/@href", "L http://h/y a/@href", "L http://o/p area/@href",
                          "L http://h/d/c q/@cite"));
  EXPECT_THAT(html("<img src=a srcset='b 1x, c 2x' data-src=d><video src=e poster=f><body background=g><input src=i>"),
              ElementsAre("E http://h/d/a img/@src", "E http://h/d/b img/@srcset", "E http://h/d/c img/@srcset",
                          "E http://h/d/d img/@data-src", "E http://h/d/e video/@src", "E http://h/d/f video/@poster",
                          "E http://h/d/g body/@background", "E http://h/d/i input/@src"));
  EXPECT_THAT(
      html("<svg><use xlink:href='s.svg#i'/><image href=p.png /><a href=q /></svg>"),
      ElementsAre("E http://h/d/s.svg use/@xlink:href", "E http://h/d/p.png image/@href", "L http://h/d/q a/@href"));
}

TEST(Extract, HtmlOnlyReportsWhatCanBeFetched) {
  EXPECT_THAT(
      html("<a href='javascript:void(0)'><a href=mailto:x@y.z><a href=data:,x><a href=about:blank><a href=tel:1>"
           "<a href='#top'><a href=''><a href=gopher://h/f><a href='http://'><img usemap='#m'>"),
      IsEmpty());
}

// The scope decides whether they are wanted.
TEST(Extract, TakesLinksOfOtherProtocols) {
  EXPECT_THAT(html("<a href=ftp://h/f><a href=sftp://h/f><a href=whois:a.test><a href=whois://w.test/a.test>"),
              ElementsAre("L ftp://h/f a/@href", "L sftp://h/f a/@href", "L whois://whois.iana.org/a.test a/@href",
                          "L whois://w.test/a.test a/@href"));
}

// To files of this machine only their like leads, whatever the base says.
TEST(Extract, LeadsToFilesFromFilesAlone) {
  const std::string body =
      "<base href='file:///srv/'><a href='file:///etc/passwd'>p</a><img src=x.png><a href='http://o/'>o</a>";
  const auto links_of = [&body](std::string_view url) {
    std::vector<std::string> urls;
    for (const Link& link : extract({.url = url, .content_type = "text/html", .body = body}, {}).links)
      urls.emplace_back(link.url());
    return urls;
  };
  for (const char* url : {"http://h/d/", "ftp://h/d/"})
    for (const std::string& link : links_of(url)) EXPECT_FALSE(link.starts_with("file:")) << link;
  EXPECT_THAT(links_of("http://h/d/"), Contains("http://o/"));
  EXPECT_THAT(links_of("file:///srv/a.html"),
              UnorderedElementsAre("file:///srv/", "file:///etc/passwd", "file:///srv/x.png", "http://o/"));
}

// A link for other programs (mailto:) is no bad one.
TEST(Extract, SaysWhichLinksAreNone) {
  std::string body =
      "<a href=mailto:x@y.z><a href='javascript:1'><a href=x><a href=gopher://h/f><img src='http://h:99999/'>";
  const auto bad_of = [](const std::string& text) {
    return extract({.url = "http://h/d/", .content_type = "text/html", .body = text}, {}).bad;
  };
  const auto bad = bad_of(body);
  ASSERT_EQ(bad.size(), 2u);
  EXPECT_EQ(bad[0].written, "gopher://h/f");
  EXPECT_EQ(bad[0].why, "unsupported scheme: gopher");
  EXPECT_EQ(bad[1].written, "http://h:99999/");
  EXPECT_FALSE(bad[1].why.empty());
  for (int i = 0; i < 1000; ++i) body += "<a href='http://" + std::string(1000, '[') + "'>";
  const auto many = bad_of(body);
  EXPECT_EQ(many.size(), 100u);
  EXPECT_EQ(many.back().written.size(), 500u);
}

TEST(Extract, TakesLinksOfOtherReaders) {
  const url::Url base = *url::Url::parse("http://h/d/file.pdf");
  Extracted out =
      extract({.url = base.href(), .content_type = "text/html", .body = "<a href=http://h/1>"}, {.favicon = false});
  const WrittenLink links[] = {{"http://h/1", Hop::navlink, "=NAVLINK_MISC"},
                               {"two", Hop::navlink, "=NAVLINK_MISC"},
                               {"mailto:x@h", Hop::navlink, ""},
                               {"gopher://h/", Hop::navlink, ""},
                               {"/3", Hop::embed, "=EMBED_MISC"},
                               {"/4", Hop::embed, "=EMBED_MISC"}};
  add_links(base, links, 2, {}, out);
  ASSERT_THAT(out.links, SizeIs(3));
  EXPECT_EQ(out.links[1].url(), "http://h/d/two");
  EXPECT_EQ(out.links[2].context, "=EMBED_MISC");
  EXPECT_THAT(out.bad, SizeIs(1));
  EXPECT_EQ(out.dropped, 1u);
  // However many there are already.
  Extracted many;
  for (int i = 0; i < 1000; ++i)
    many.links.push_back({*url::Url::parse("http://h/" + std::to_string(i)), Hop::navlink, ""});
  const WrittenLink more[] = {{"http://h/999", Hop::navlink, ""}, {"http://h/1000", Hop::navlink, ""}};
  add_links(base, more, 10, {}, many);
  EXPECT_THAT(many.links, SizeIs(1001));
}

TEST(Extract, HtmlReportsALinkOnce) {
  EXPECT_THAT(html("<a href=x><a href='x#1'><a href=./x><img src=x>"),
              ElementsAre("L http://h/d/x a/@href", "E http://h/d/x img/@src"));
}

TEST(Extract, HtmlBaseCountsOnce) {
  EXPECT_THAT(html("<base href=/b/><a href=x><base href=/c/><a href=y>"),
              ElementsAre("L http://h/b/ base/@href", "L http://h/b/x a/@href", "L http://h/c/ base/@href",
                          "L http://h/b/y a/@href"));
}

TEST(Extract, HtmlFramesAndForms) {
  Options options;
  EXPECT_THAT(html("<iframe src=f></iframe><form action=g><form method=post action=p>", options),
              ElementsAre("E http://h/d/f iframe/@src", "L http://h/d/g form/@action"));
  options.frames_as_embeds = options.only_get_forms = false;
  EXPECT_THAT(html("<iframe src=f></iframe><form method=post action=p>", options),
              ElementsAre("L http://h/d/f iframe/@src", "L http://h/d/p form/@action"));
  options.forms = false;
  EXPECT_THAT(html("<form action=g>", options), IsEmpty());
}

TEST(Extract, HtmlObjectsResolveAgainstTheirCodebase) {
  EXPECT_THAT(
      html("<applet codebase=/j/ code=A.class archive='a.jar, b.jar'></applet><object data=o.pdf classid=clsid:1>"
           "<param name=movie value=m.swf><param name=flashvars value='x=f.xml&y=2'></object>"),
      ElementsAre("L http://h/j/ applet/@codebase", "E http://h/j/A.class applet", "E http://h/j/a.jar applet",
                  "E http://h/j/b.jar applet", "E http://h/d/o.pdf object", "L http://h/d/m.swf param/@value",
                  "X http://h/d/f.xml param/@value"));
}

TEST(Extract, HtmlLinkElements) {
  EXPECT_THAT(html("<link rel='shortcut icon' href=i><link rel=preload as=font href=p><link rel=canonical href=c>"
                   "<link rel=preconnect href=//x.y><link href=n><link rel=preload imagesrcset='q 1x'>"),
              ElementsAre("E http://h/d/i link[rel='icon']/@href", "E http://h/d/p link[rel='preload']/@href",
                          "L http://h/d/c link/@href", "E http://h/d/q link/@imagesrcset"));
}

TEST(Extract, HtmlMeta) {
  EXPECT_THAT(html("<meta http-equiv=Refresh content='0; url=r'><meta property=og:image content=/i.png>"
                   "<meta name=description content='see /x.html'><meta name=og:url content='https://s.org/'>"
                   "<meta name=generator content='/tool'>"),
              ElementsAre("R http://h/d/r meta", "X http://h/i.png meta", "X https://s.org/ meta"));
  const Document document = {.url = "http://h/",
                             .content_type = "text/html",
                             .body =
                                 "<title> a &amp;\n b </title>"
                                 "<meta name=ROBOTS content='noindex, nofollow'><a href=x><img src=y>"};
  const Extracted found = extract(document, {.favicon = false});
  EXPECT_TRUE(found.nofollow);
  EXPECT_EQ(found.title, "a & b");
  ASSERT_EQ(found.links.size(), 1u);  // what shows the page is no link to follow
  EXPECT_EQ(found.links[0].hop, Hop::embed);
  EXPECT_EQ(extract(document, {.obey_meta_nofollow = false, .favicon = false}).links.size(), 2u);
}

TEST(Extract, WhatAPageAsksOfRobots) {
  const HeaderField fields[] = {{"X-Robots-Tag", "mybot: nosnippet"}, {"X-Robots-Tag", "otherbot: nofollow"}};
  const Document document = {.url = "http://h/",
                             .content_type = "text/html",
                             .body =
                                 "<meta name=robots content=noindex><meta name=MyBot content=noarchive>"
                                 "<meta name=otherbot content=none><a href=x>",
                             .fields = fields,
                             .product_token = "mybot"};
  const Extracted found = extract(document, {.favicon = false});
  EXPECT_EQ(found.directives.text(), "noindex+noarchive+nosnippet");
  EXPECT_FALSE(found.nofollow);
  EXPECT_EQ(found.links.size(), 1u);
}

// What a meta element says of a page, the header says of any file.
TEST(Extract, RobotsHeader) {
  const auto links = [](std::string_view type, std::string_view body, std::string_view tag, const Options& options) {
    const HeaderField fields[] = {{"x-robots-TAG", tag}};
    return links_of({.url = "http://h/", .content_type = type, .body = body, .fields = fields}, options);
  };
  const std::string_view page = "<a href=x><img src=y>";
  EXPECT_THAT(links("text/html", page, "noindex, NoFollow", {}), ElementsAre("E http://h/y img/@src"));
  EXPECT_THAT(links("text/html", page, "none", {}), SizeIs(1));
  EXPECT_THAT(links("text/html", page, "noindex", {}), SizeIs(2));
  EXPECT_THAT(links("text/html", page, "otherbot: nofollow", {}), SizeIs(2));
  EXPECT_THAT(links("text/html", page, "otherbot: noindex, caddis: nofollow", {}), SizeIs(1));
  EXPECT_THAT(links("text/html", page, "nofollow", {.obey_meta_nofollow = false}), SizeIs(2));
  const std::string_view data = R"({"a": "http://x.org/b.html"})";
  EXPECT_THAT(links("application/json", data, "nofollow", {}), IsEmpty());
  EXPECT_THAT(links("application/json", data, "noindex", {}), SizeIs(1));
}

TEST(Extract, HtmlValuesThatAreSurelyUrls) {
  EXPECT_THAT(html("<option value=/dir/><option value=a.b><option value=p.html><input value=/wEPDwUK><input "
                   "value=http://x.org/y>"),
              ElementsAre("L http://h/dir/ option/@value", "L http://h/d/p.html option/@value",
                          "L http://x.org/y input/@value"));
}

TEST(Extract, HtmlInsideOtherThings) {
  EXPECT_THAT(
      html("<!--[if IE]><script src=ie.js></script><![endif]--><!-- <a href=no> --><noframes><a href=f></noframes>"
           "<noscript><img src=n></noscript><iframe srcdoc='<a href=s>'></iframe><textarea><a href=no></textarea>"),
      ElementsAre("E http://h/d/ie.js script/@src", "L http://h/d/f a/@href", "E http://h/d/n img/@src",
                  "L http://h/d/s a/@href"));
}

TEST(Extract, HtmlStyles) {
  EXPECT_THAT(
      html("<style>@import 'a.css'; b{background:url(c.png)}</style><p style=\"background:url(&quot;d.png&quot;)\">"),
      ElementsAre("E http://h/d/a.css =EMBED_MISC", "E http://h/d/c.png =EMBED_MISC",
                  "E http://h/d/d.png =EMBED_MISC"));
}

TEST(Extract, QueriesAreWrittenInTheDocumentsCharset) {
  const std::string_view body = "<meta charset=windows-1251><a href='/\xE4?q=\xE4'>";
  EXPECT_THAT(links_of({.content_type = "text/html", .body = body}), ElementsAre("L http://h/%D0%B4?q=%E4 a/@href"));
}

TEST(Extract, LinksAndTitlesOfEveryCharsetAreRead) {
  const std::pair<std::string_view, std::string_view> letters[] = {
      {"utf-8", "\u8868"}, {"windows-1251", "\xE4"}, {"shift_jis", "\x95\x5C"},
      {"gbk", "\xB1\xED"}, {"big5", "\xAA\xED"},     {"iso-2022-jp", "\x1B$BI=\x1B(B"}};
  for (const auto& [charset, letter] : letters) {
    const std::string body = fmt::format(
        "<meta charset={0}><title>{1}&eacute;</title><a href='/{1}?a=1&amp;b=2'><img alt={1} src={1}>"
        "<style>a{{background:url({1}.css)}}</style><script>var a = '/{1}/x.html';</script>"
        "<iframe srcdoc='<img src=/in/{1}>'></iframe>",
        charset, letter);
    const Extracted extracted =
        extract({.url = "http://h/", .content_type = "text/html", .body = body, .status = 200}, {});
    const std::string_view path = charset == "windows-1251" ? "%D0%B4" : "%E8%A1%A8";
    EXPECT_EQ(extracted.title, charset == "windows-1251" ? "\u0434\u00E9" : "\u8868\u00E9") << charset;
    std::vector<std::string> found;
    for (const Link& link : extracted.links) found.emplace_back(link.url());
    for (const std::string_view wanted :
         {"http://h/{}?a=1&b=2", "http://h/{}", "http://h/{}.css", "http://h/{}/x.html", "http://h/in/{}"})
      EXPECT_THAT(found, ::testing::Contains(fmt::format(fmt::runtime(wanted), path))) << charset;
  }
}

TEST(Extract, Css) {
  EXPECT_THAT(links_of({.url = "http://h/c/s.css",
                        .content_type = "text/css",
                        .body = "@import url(a.css);b{background:url('../i.png');filter:url(#f)}"}),
              ElementsAre("E http://h/c/a.css =EMBED_MISC", "E http://h/i.png =EMBED_MISC"));
}

TEST(Extract, InlineScripts) {
  EXPECT_THAT(
      inline_script("i.src='a.png'; location.href = \"b/\"; location = '/c'; x = {url: './d'}; w.open('e.html')"),
      ElementsAre("X http://h/d/a.png =JS_MISC", "X http://h/d/b/ =JS_MISC", "X http://h/c =JS_MISC",
                  "X http://h/d/d =JS_MISC", "X http://h/d/e.html =JS_MISC"));
  EXPECT_THAT(
      inline_script("f('https://x.org/y'); g(\"http:\\/\\/x.org\\/z\"); h('//x.org/w'); i('/r.js'); j('www.q.org')"),
      ElementsAre("X https://x.org/y =JS_MISC", "X http://x.org/z =JS_MISC", "X http://x.org/w =JS_MISC",
                  "X http://h/r.js =JS_MISC", "X http://www.q.org/ =JS_MISC"));
  EXPECT_THAT(inline_script("import a from './m.js'; import('/n.js'); import b from 'lib'"),
              ElementsAre("X http://h/d/m.js =JS_MISC", "X http://h/n.js =JS_MISC"));
  EXPECT_THAT(html("<a onclick=\"location.href='k.html'\"><a href=\"javascript:open('l.html')\">"),
              ElementsAre("X http://h/d/k.html =JS_MISC", "X http://h/d/l.html =JS_MISC"));
}

TEST(Extract, ScriptsHoldManyStringsThatAreNoUrls) {
  EXPECT_THAT(
      inline_script("a='text/html'; b='library/os'; c='os.path'; d='1.2.3'; e='/'; f='.html'; g='http://'; h='a/b.x'"),
      IsEmpty());
  EXPECT_THAT(
      inline_script("a='http://x.org/?q='+b; c=d+'/e.html'; f=`/g/${h}.html`; i='/u/{id}.json'; j='/k/:id.html'"),
      IsEmpty());
  EXPECT_THAT(
      inline_script(
          "x.setAttribute('xmlns','http://www.w3.org/2000/svg'); s='http://%s.org/'; t='https://x.org/'.length"),
      IsEmpty());
  EXPECT_THAT(
      inline_script(
          "// 'http://x.org/a'\n/* \"http://x.org/b\" */ r = /'http:\\/\\/x.org\\/c'/.test(y); a = b / 'x' / c"),
      IsEmpty());
  EXPECT_THAT(inline_script("p.replace('/a', '/b'); if (location.href == 'c.html') d()"), IsEmpty());
}

TEST(Extract, ScriptFilesResolveAgainstThePageThatLoadsThem) {
  const std::string_view body = "i.src='a.png'; f('/r.js'); import './m.js'; g('https://x.org/y')";
  EXPECT_THAT(script(body),
              ElementsAre("X http://h/r.js =JS_MISC", "X http://h/d/m.js =JS_MISC", "X https://x.org/y =JS_MISC"));
  EXPECT_THAT(script(body, "http://p/q/"), ElementsAre("X http://p/q/a.png =JS_MISC", "X http://p/r.js =JS_MISC",
                                                       "X http://h/d/m.js =JS_MISC", "X https://x.org/y =JS_MISC"));
}

TEST(Extract, MarkupInScripts) {
  EXPECT_THAT(
      inline_script("w('<img src=\"/i.png\"><a href=\"' + u + '\">'); v('<script src=\"//x.org/s.js\"><\\/script>')"),
      ElementsAre("X http://h/i.png =JS_MISC", "X http://x.org/s.js =JS_MISC"));
}

TEST(Extract, Json) {
  const std::string_view body =
      R"({"icons":[{"src":"i.png","type":"image/png"}],"u":"https:\/\/x.org\/","v":"a.b","w":"/p.html"})";
  EXPECT_THAT(links_of({.url = "http://h/m/x.json", .content_type = "application/json", .body = body}),
              ElementsAre("I http://h/m/i.png =INFERRED_MISC", "I https://x.org/ =INFERRED_MISC",
                          "I http://h/p.html =INFERRED_MISC"));
  EXPECT_THAT(
      links_of({.url = "http://h/m/site.webmanifest", .content_type = "application/manifest+json", .body = body}),
      ElementsAre("E http://h/m/i.png =EMBED_MISC", "I https://x.org/ =INFERRED_MISC",
                  "I http://h/p.html =INFERRED_MISC"));
}

TEST(Extract, Xml) {
  EXPECT_THAT(
      links_of(
          {.content_type = "application/rss+xml",
           .body =
               "<?xml version='1.0'?><?xml-stylesheet type='text/xsl' href='s.xsl'?>"
               "<rss xmlns:a='http://www.w3.org/2005/Atom'><channel><link>http://x.org/1</link>"
               "<a:link href='/2'/><enclosure url='/3.mp3'/><description><![CDATA[<img src='/4.png'>]]></description>"
               "<content>&lt;a href=\"/5\"&gt;</content><title>not/a/url.html</title></channel></rss>"}),
      ElementsAre("E http://h/d/s.xsl =EMBED_MISC", "L http://x.org/1 =NAVLINK_MISC", "L http://h/2 =NAVLINK_MISC",
                  "E http://h/3.mp3 =EMBED_MISC", "X http://h/4.png =SPECULATIVE_MISC",
                  "X http://h/5 =SPECULATIVE_MISC"));
}

TEST(Extract, Sitemaps) {
  EXPECT_THAT(links_of({.content_type = "text/xml",
                        .body = "<?xml version='1.0'?><urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>"
                                "<url><loc>http://h/a?b=1&amp;c=2</loc></url></urlset>"}),
              ElementsAre("M http://h/a?b=1&c=2 =MANIFEST_MISC"));
  EXPECT_THAT(
      links_of(
          {.url = "http://h/robots.txt", .content_type = "text/plain", .body = "User-agent: *\nSitemap: /map.xml\n"}),
      ElementsAre("M http://h/map.xml =MANIFEST_MISC"));
}

// Images and videos are parts of the pages they are listed with, and come behind all pages.
TEST(Extract, SitemapsHaveImagesAndVideos) {
  const std::string_view body =
      "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' "
      "xmlns:image='http://www.google.com/schemas/sitemap-image/1.1' "
      "xmlns:video='http://www.google.com/schemas/sitemap-video/1.1'>"
      "<url><loc>http://h/a</loc><image:image><image:loc>http://c/i.png</image:loc></image:image></url>"
      "<url><loc>http://h/b</loc><video:video><video:content_loc>http://c/v.mp4</video:content_loc></video:video></url>"
      "</urlset>";
  EXPECT_THAT(links_of({.content_type = "text/xml", .body = body}),
              ElementsAre("M http://h/a =MANIFEST_MISC", "M http://h/b =MANIFEST_MISC",
                          "E http://c/i.png =MANIFEST_MISC", "E http://c/v.mp4 =MANIFEST_MISC"));
  EXPECT_THAT(links_of({.content_type = "text/xml", .body = body}, {.max_sitemap_links = 2}),
              ElementsAre("M http://h/a =MANIFEST_MISC", "M http://h/b =MANIFEST_MISC"));
}

TEST(Extract, LinesOfJson) {
  const std::string_view body = "{\"u\":\"https://x.org/1\"}\n\x1E{\"src\":\"/2.png\",\"v\":\"a.b\"}\n";
  for (const char* type :
       {"application/x-ndjson", "application/jsonl", "application/jsonlines", "application/json-seq"})
    EXPECT_THAT(links_of({.content_type = type, .body = body}),
                ElementsAre("I https://x.org/1 =INFERRED_MISC", "I http://h/2.png =INFERRED_MISC"))
        << type;
  for (const char* type : {"", "text/plain", "application/octet-stream"})
    EXPECT_THAT(links_of({.url = "http://h/d/x.jsonl", .content_type = type, .body = body}), SizeIs(2)) << type;
}

TEST(Extract, HttpFields) {
  const HeaderField fields[] = {
      {"Location", "../new?x=1"},
      {"refresh", "0;url=/r"},
      {"Content-Location", "c"},
      {"Link", "</s.css>; rel=preload; as=style, </n>; rel=\"next\"; title=\"a, <b>\", <//x.y>; rel=preconnect"}};
  EXPECT_THAT(links_of({.status = 301, .fields = fields}),
              ElementsAre("R http://h/new?x=1 Location:", "R http://h/r Refresh:", "I http://h/d/c Content-Location:",
                          "E http://h/s.css Link:", "L http://h/n Link:"));
  EXPECT_THAT(links_of({.status = 200, .fields = std::span(fields).first(1)}), IsEmpty());
  const HeaderField sizes[] = {
      {"Link", "<>; rel=preload; as=image; imagesrcset=\"/l3.png 1x, l4.png 2x\"; imagesizes=100vw, </n>; rel=next"},
      {"Link", "</o>; rel=preconnect; imagesrcset=\"/p.png 1x\""}};
  EXPECT_THAT(links_of({.status = 200, .fields = sizes}),
              ElementsAre("E http://h/l3.png Link:", "E http://h/d/l4.png Link:", "L http://h/n Link:"));
  const HeaderField latin[] = {{"Location", "/n\xE9?\xE9"}}, utf8[] = {{"Location", "/n\xC3\xA9"}};
  EXPECT_THAT(links_of({.status = 302, .fields = latin}), ElementsAre("R http://h/n%E9?%E9 Location:"));
  EXPECT_THAT(links_of({.status = 302, .fields = utf8}), ElementsAre("R http://h/n%C3%A9 Location:"));
}

TEST(Extract, FaviconIsInferredFromPages) {
  const Extracted page = extract({.url = "https://h:8443/a/b", .content_type = "text/html", .body = "<p>"}, {});
  ASSERT_EQ(page.links.size(), 1);
  EXPECT_EQ(page.links[0].url(), "https://h:8443/favicon.ico");
  EXPECT_EQ(page.links[0].hop, Hop::inferred);
  EXPECT_EQ(page.links[0].context, "=INFERRED_MISC");
  EXPECT_THAT(extract({.url = "http://h/a.css", .content_type = "text/css", .body = "a{}"}, {}).links, IsEmpty());
}

TEST(Extract, LimitsAreCounted) {
  std::string body;
  for (int i = 0; i < 50; ++i) body += "<a href=" + std::to_string(i) + ">";
  body += "<a href='" + std::string(3000, 'x') + "'>";
  const Extracted found = extract({.url = "http://h/", .content_type = "text/html", .body = body}, {.max_links = 20});
  EXPECT_EQ(found.links.size(), 20u);
  EXPECT_EQ(found.dropped, 32u);  // 30 links, the long one, the favicon
}

TEST(Extract, StatusDecidesWhetherTheBodyIsRead) {
  const std::string_view body = "<a href=x>";
  EXPECT_THAT(links_of({.content_type = "text/html", .body = body, .status = 404}), Not(IsEmpty()));
  EXPECT_THAT(links_of({.content_type = "text/html", .body = body, .status = 300}), Not(IsEmpty()));
  EXPECT_THAT(links_of({.content_type = "text/html", .body = body, .status = 500}), IsEmpty());
  EXPECT_THAT(links_of({.url = "mailto:x", .content_type = "text/html", .body = body}), IsEmpty());
}

DocumentType type_of(std::string_view url, std::string_view content_type, std::string_view body = "x") {
  return document_type({.url = url, .content_type = content_type, .body = body});
}

TEST(DocumentType, FollowsTypeThenPathThenBytes) {
  EXPECT_EQ(type_of("http://h/x", "TEXT/HTML;charset=x"), DocumentType::html);
  EXPECT_EQ(type_of("http://h/x", "application/xhtml+xml"), DocumentType::html);
  EXPECT_EQ(type_of("http://h/x.png", "text/html", "\x89PNG"), DocumentType::other);
  EXPECT_EQ(type_of("http://h/x.png", "text/html", "<!DOCTYPE html>"), DocumentType::html);
  EXPECT_EQ(type_of("http://h/x", "application/x-javascript"), DocumentType::javascript);
  EXPECT_EQ(type_of("http://h/x", "application/ld+json"), DocumentType::json);
  EXPECT_EQ(type_of("http://h/x", "image/svg+xml"), DocumentType::svg);
  EXPECT_EQ(type_of("http://h/x", "text/xml", "<?xml?><html xmlns='x'>"), DocumentType::html);
  EXPECT_EQ(type_of("http://h/x", "application/atom+xml", "<feed/>"), DocumentType::feed);
  EXPECT_EQ(type_of("http://h/x", "text/xml", "<?xml?><!-- <rss> --><a/>"), DocumentType::xml);
  EXPECT_EQ(type_of("http://h/x", "text/xml", "<?xml?><!-- <a> --><!DOCTYPE x><rdf:RDF a='b'>"), DocumentType::feed);
  EXPECT_EQ(type_of("http://h/x", "application/xml", "<ListBucketResult>"), DocumentType::listing);
  EXPECT_EQ(type_of("http://h/x", "text/xml", "<EnumerationResults ContainerName='c'>"), DocumentType::listing);
  EXPECT_EQ(type_of("http://h/x", "text/xml", "<OAI-PMH>"), DocumentType::oai);
  EXPECT_EQ(type_of("http://h/x", "application/dash+xml", "<MPD>"), DocumentType::dash);
  EXPECT_EQ(type_of("http://h/x.mpd", "text/plain", "<MPD>"), DocumentType::dash);
  EXPECT_EQ(type_of("http://h/x", "application/x-mpegURL"), DocumentType::playlist);
  EXPECT_EQ(type_of("http://h/x", "text/plain", "#EXTM3U\n"), DocumentType::playlist);
  EXPECT_EQ(type_of("http://h/x.ics", ""), DocumentType::calendar);
  EXPECT_EQ(type_of("http://h/x", "text/vcard"), DocumentType::calendar);
  EXPECT_EQ(type_of("http://h/x.srt", "text/plain"), DocumentType::subtitles);
  EXPECT_EQ(type_of("http://h/x", "multipart/related; boundary=b"), DocumentType::archive);
  EXPECT_EQ(type_of("http://h/x", "application/feed+json", "{}"), DocumentType::json_feed);
  EXPECT_EQ(type_of("http://h/x", "application/json", "{\"version\":\"https://jsonfeed.org/version/1\"}"),
            DocumentType::json_feed);
  EXPECT_EQ(type_of("http://h/x.webmanifest", ""), DocumentType::manifest);
  EXPECT_EQ(type_of("http://h/x.js?v=1", "text/plain"), DocumentType::javascript);
  EXPECT_EQ(type_of("http://h/x.txt", "text/plain", "<a href=x>"), DocumentType::other);
  EXPECT_EQ(type_of("http://h/robots.txt", "text/plain"), DocumentType::robots);
  EXPECT_EQ(type_of("http://h/x", "", "text <b>bold</b>"), DocumentType::html);
  EXPECT_EQ(type_of("http://h/x", "", std::string_view("\0<b>", 4)), DocumentType::other);
  EXPECT_EQ(type_of("http://h/x", "application/pdf", "<b>"), DocumentType::other);
}

TEST(DocumentType, FeedsAndSitemapsMayBeCalledHtml) {
  for (const char* type : {"text/html; charset=utf-8", "application/xhtml+xml", ""}) {
    const auto called = [type](std::string_view body) { return type_of("http://h/x", type, body); };
    EXPECT_EQ(called("\n<?xml version='1.0'?>\n<!-- by a <plugin> -->\n<rss version='2.0'>"), DocumentType::feed)
        << type;
    EXPECT_EQ(called("<rss>"), DocumentType::feed) << type;
    EXPECT_EQ(called("\xEF\xBB\xBF<feed xmlns='x'>"), DocumentType::feed) << type;
    EXPECT_EQ(called("<rdf:RDF xmlns='x'>"), DocumentType::feed) << type;
    EXPECT_EQ(called("<?xml version='1.0'?><urlset>"), DocumentType::sitemap) << type;
    EXPECT_EQ(called("<sitemapindex\nxmlns='x'>"), DocumentType::sitemap) << type;
    EXPECT_EQ(called("<!DOCTYPE html><html><rss>"), DocumentType::html) << type;
    EXPECT_EQ(called("<p>Feeds:</p><rss><feed>"), DocumentType::html) << type;
    EXPECT_EQ(called("words <rss>"), DocumentType::html) << type;
  }
}

TEST(DocumentType, WithoutATagNothingUnknownIsHtml) {
  for (const std::string_view type : {"", "unknown", "application/unknown", "application/octet-stream"})
    for (const std::string_view body :
         {"", "words", "{\"a\":1}", "12", "%PDF-1.4", "<", "<1", "1 <", " < b", "\xFF\xFE"})
      EXPECT_EQ(type_of("http://h/x", type, body), DocumentType::other) << type << ' ' << body;
  const std::string far = std::string(2000, '-') + "<b>";
  EXPECT_EQ(type_of("http://h/x", "", far), DocumentType::other) << "only the beginning is looked at";
  EXPECT_EQ(type_of("http://h/x", "", far.substr(1500)), DocumentType::html);
  EXPECT_EQ(type_of("http://h/x", "", "<<<!"), DocumentType::html);
}

// Of the processor: far more than a linear time takes, and far less than looking at everything behind each byte.
double seconds_for(const char* type, std::string_view piece, size_t size) {
  std::string body;
  while (body.size() < size) body += piece;
  const std::clock_t began = std::clock();
  (void)links_of({.content_type = type, .body = body});
  return static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC;
}

TEST(Extract, TakesNoEndlessTimeOnHostileInput) {
  EXPECT_LT(seconds_for("text/javascript", "/[", 4'000'000), 5) << "regular expressions without an end";
  for (const char* type : {"text/html", "text/css", "text/javascript", "application/json", "text/xml", "image/svg+xml",
                           "", "application/x-mpegurl", "text/vtt", "text/calendar", "multipart/related; boundary=b"})
    for (const char* piece : {"http://",
                              "<S t='0' d='1' r='9'/>",
                              "<MPD><Period>",
                              "<rss><a>",
                              "<ListBucketResult>",
                              "#EXT-X-KEY:A=\"",
                              "#EXT-X-KEY:,,,",
                              "{$",
                              "\n--b\n",
                              "\n ",
                              "a;b=\"",
                              "JSON.parse('{\"",
                              "%7B",
                              "/[",
                              "/*",
                              "<a ",
                              "<!--",
                              "<script>'",
                              "\"`",
                              "url(",
                              "url('",
                              "@import ",
                              "&",
                              "<?xml ",
                              "<![CDATA[",
                              "{\"a\":",
                              "\\",
                              "<a href=\"",
                              "<style>@",
                              "<svg><",
                              "<urlset><url><loc>",
                              "//x.y ",
                              "+'a'"})
      EXPECT_LT(seconds_for(type, piece, 200'000), 3) << type << ' ' << piece;
}

}  // namespace
}  // namespace caddis::extract
