// Links of pages and scripts beyond the plain attributes: true ones, and what looks like one.
#include <gmock/gmock.h>

#include "caddis/extract/extract.h"

namespace caddis::extract {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::vector<std::string> links_of(Document document, Options options = {}) {
  options.favicon = false;
  if (document.url.empty()) document.url = "http://h/d/page";
  std::vector<std::string> out;
  for (const Link& link : extract(document, options).links)
    out.push_back(std::string(1, static_cast<char>(link.hop)) + " " + std::string(link.url()) + " " + link.context);
  return out;
}

std::vector<std::string> html(std::string_view body, const Options& options = {}) {
  return links_of({.content_type = "text/html; charset=utf-8", .body = body}, options);
}

std::vector<std::string> inline_script(std::string_view body, const Options& options = {}) {
  return html("<script>" + std::string(body) + "</script>", options);
}

TEST(PageLinks, JsonLd) {
  EXPECT_THAT(html(R"(<script type="application/ld+json">{"@context":"https://schema.org","@id":"https://s.org/a",
                      "image":"/i.png","availability":"https://schema.org/InStock","logo":{"url":"l.svg"},
                      "name":"a/b.html","sku":"1.2"}</script>)"),
              ElementsAre("I https://s.org/a =INFERRED_MISC", "I http://h/i.png =INFERRED_MISC",
                          "I http://h/d/l.svg =INFERRED_MISC"));
}

TEST(PageLinks, MicrodataAndOpenGraph) {
  EXPECT_THAT(html("<meta property=og:url content=/p><meta itemprop=embedUrl content=/embed/1><meta itemprop=name "
                   "content=/n><meta property=og:title content=/t><meta name=twitter:image content=t.jpg>"
                   "<meta name=twitter:player content='https://s.org/player'>"
                   "<link itemprop=availability href='https://schema.org/InStock'><link itemprop=url href='/item'>"),
              ElementsAre("X http://h/p meta", "X http://h/embed/1 meta", "X http://h/d/t.jpg meta",
                          "X https://s.org/player meta", "L http://h/item link/@href"));
}

TEST(PageLinks, PropertiesThatHoldOnlyUrlsNeedNoExtension) {
  EXPECT_THAT(html("<meta property=og:image content=/image9><meta property='og:video' content='/v/10'>"
                   "<meta name=twitter:image content=/15><meta name=twitter:player content='/player/16'>"
                   "<meta itemprop=image content=../18><meta property='og:image twitter:image:src' content=./19>"),
              ElementsAre("X http://h/image9 meta", "X http://h/v/10 meta", "X http://h/15 meta",
                          "X http://h/player/16 meta", "X http://h/18 meta", "X http://h/d/19 meta"));
  EXPECT_THAT(html("<meta property=og:image:alt content='/a'><meta property=og:video:type content='video/mp4'>"
                   "<meta property=og:image content='image 9'><meta property=og:image content=image9>"
                   "<meta name=og:image:width content=600><meta name=section content='/news'>"),
              IsEmpty());
}

TEST(PageLinks, MicrodataOfAnyElement) {
  EXPECT_THAT(html("<b itemprop=image content='https://o.example/114'></b><b itemprop=url content='/113'></b>"
                   "<div itemscope itemid='https://o.example/115.html'></div><div itemscope itemid='/things/1'></div>"
                   "<b property=og:image content='116.png'></b>"),
              ElementsAre("X https://o.example/114 b/@content", "X http://h/113 b/@content",
                          "X https://o.example/115.html div/@itemid", "X http://h/things/1 div/@itemid",
                          "X http://h/d/116.png b/@content"));
  EXPECT_THAT(html("<b itemprop=availability content='https://schema.org/InStock'></b><i itemprop=name content='/b'>"
                   "<div itemid='urn:isbn:978'></div><div itemid='#it'></div><div itemid=me></div><p content='/x'>"),
              IsEmpty());
  EXPECT_THAT(html("<meta name=robots content=nofollow><b itemprop=url content='/113'><b itemid='/114'>"), IsEmpty());
}

TEST(PageLinks, PropertiesOfSvg) {
  const std::string_view svg =
      "<svg xmlns='http://www.w3.org/2000/svg'><path fill='url(6.svg#g)' stroke='url(&quot;7.svg#s&quot;) red' "
      "filter='url(#blur) url(f.svg#f)' mask=url(8.png) clip-path='url(c.svg#c)' marker-start='url(m.svg#1)' "
      "marker-mid='url(n.svg#1)' marker-end='url(o.svg#1)' cursor='url(9.cur), auto'/><g fill=red "
      "mask='/x.png'/></svg>";
  const auto found =
      ElementsAre("E http://h/d/6.svg =EMBED_MISC", "E http://h/d/7.svg =EMBED_MISC", "E http://h/d/f.svg =EMBED_MISC",
                  "E http://h/d/8.png =EMBED_MISC", "E http://h/d/c.svg =EMBED_MISC", "E http://h/d/m.svg =EMBED_MISC",
                  "E http://h/d/n.svg =EMBED_MISC", "E http://h/d/o.svg =EMBED_MISC", "E http://h/d/9.cur =EMBED_MISC");
  EXPECT_THAT(links_of({.content_type = "image/svg+xml", .body = svg}), found);
  EXPECT_THAT(html("<p>" + std::string(svg)), found);
}

TEST(PageLinks, MapsOfImports) {
  EXPECT_THAT(
      html(R"(<script type=importmap>{"imports":{"a":"/js/a.mjs","lib/":"/js/lib/","no":null},
                      "scopes":{"/x/":{"b":"./b.js"}},"integrity":{"/js/a.mjs":"sha384-x"}}</script>)"),
      ElementsAre("X http://h/js/a.mjs script[type='importmap']", "X http://h/d/b.js script[type='importmap']"));
}

TEST(PageLinks, SpeculationRules) {
  EXPECT_THAT(
      html(R"(<base href=/b/><script type=speculationrules>{"prefetch":[{"source":"list","urls":["next","/p"]}],
                      "prerender":[{"where":{"href_matches":"/x/*"}},
                                   {"urls":["r"],"relative_to":"ruleset"}]}</script>)"),
      ElementsAre("L http://h/b/ base/@href", "L http://h/b/next script[type='speculationrules']",
                  "L http://h/p script[type='speculationrules']", "L http://h/d/r script[type='speculationrules']"));
  const HeaderField fields[] = {{"Speculation-Rules", "\"/rules/a.json\", \"b.json\""}};
  EXPECT_THAT(links_of({.content_type = "text/plain", .fields = fields}),
              ElementsAre("E http://h/rules/a.json Speculation-Rules:", "E http://h/d/b.json Speculation-Rules:"));
  EXPECT_THAT(
      links_of({.content_type = "application/speculationrules+json", .body = R"({"prefetch":[{"urls":["a"]}]})"}),
      ElementsAre("L http://h/d/a script[type='speculationrules']"));
}

TEST(PageLinks, Ping) {
  EXPECT_THAT(html("<a href=x ping='/p1 http://s.org/p2'>"),
              ElementsAre("L http://h/d/x a/@href", "L http://h/p1 a/@ping", "L http://s.org/p2 a/@ping"));
}

TEST(PageLinks, TemplatesAreMarkup) {
  EXPECT_THAT(html("<template><img src=t.png><template><a href=in></a></template></template>"),
              ElementsAre("E http://h/d/t.png img/@src", "L http://h/d/in a/@href"));
}

TEST(PageLinks, LazyAttributes) {
  EXPECT_THAT(html("<img data-lazy-src=/a.jpg data-srcset='b.jpg 1x, c.jpg 2x'><div data-bg='url(d.png)'>"
                   "<div data-background=e.webp data-bg-image='no picture'><video data-poster='//s.org/f'>"),
              ElementsAre("E http://h/a.jpg img/@data-lazy-src", "E http://h/d/b.jpg img/@data-srcset",
                          "E http://h/d/c.jpg img/@data-srcset", "E http://h/d/d.png =EMBED_MISC",
                          "E http://h/d/e.webp div/@data-background", "E http://s.org/f video/@data-poster"));
}

TEST(PageLinks, OtherDataAttributes) {
  EXPECT_THAT(html("<div data-href='https://s.org/a' data-id=1.2.3 data-path=/a/b data-x='http://{host}/' "
                   "data-y='https://www.w3.org/2000/svg' data-props='{\"url\":\"/c.html\",\"n\":\"d/e\"}'>"),
              ElementsAre("X https://s.org/a div/@data-href", "I http://h/c.html =INFERRED_MISC"));
  EXPECT_THAT(html("<div data-props='{\"url\":\"/c.html\"}'>", {.javascript = false}), IsEmpty());
}

TEST(PageLinks, DataAttributesThatAreSurelyUrls) {
  EXPECT_THAT(html("<p data-path=/a/b.html data-site=www.s.org/x data-n=b.html data-w=word><link data-href=/l.css "
                   "data-media=print><link rel=icon href=i.png data-base=/b/>"),
              ElementsAre("X http://h/a/b.html p/@data-path", "X http://www.s.org/x p/@data-site",
                          "X http://h/l.css link/@data-href", "E http://h/d/i.png link[rel='icon']/@href"));
}

TEST(PageLinks, LateSourcesOfAnyName) {
  EXPECT_THAT(html("<img data-cfsrc=/cf.png><script data-rocket-src=/r.js></script><img data-orig-src=o.jpg>"
                   "<img nitro-lazy-src='//s.org/n'><img data-ezsrc=/e.webp><img ng-src=/g.gif>"),
              ElementsAre("E http://h/cf.png img/@data-cfsrc", "E http://h/r.js script/@data-rocket-src",
                          "E http://h/d/o.jpg img/@data-orig-src", "E http://s.org/n img/@nitro-lazy-src",
                          "E http://h/e.webp img/@data-ezsrc", "E http://h/g.gif img/@ng-src"));
  EXPECT_THAT(
      html("<img nitro-lazy-srcset='/a.png 1x, /b.png 2x' data-ezsrcset='c.png 2w'><img ng-srcset='{{d.png}} 1x'>"),
      ElementsAre("E http://h/a.png img/@nitro-lazy-srcset", "E http://h/b.png img/@nitro-lazy-srcset",
                  "E http://h/d/c.png img/@data-ezsrcset"));
  EXPECT_THAT(html("<img data-all-src='{\"s\":\"/s.png\"}' data-all-srcset='[\"/t.png\"]'>"),
              ElementsAre("I http://h/s.png =INFERRED_MISC", "I http://h/t.png =INFERRED_MISC"));
  EXPECT_THAT(html("<img ng-src='{{x.png}}' :src=picture.png v-bind:src=/x.png data-no-src=word has-src=true>"),
              IsEmpty());
}

TEST(PageLinks, TemplatesInScripts) {
  for (const char* type : {"text/template", "text/x-template", "text/x-handlebars-template", "text/html",
                           "text/x-mustache", "text/ng-template", "text/x-jquery-tmpl", "TEXT/HTML; charset=utf-8"})
    EXPECT_THAT(html("<script type='" + std::string(type) + "'><img src='/t.png'><a href=\"/t/a\"></script><a href=b>"),
                ElementsAre("E http://h/t.png img/@src", "L http://h/t/a a/@href", "L http://h/d/b a/@href"))
        << type;
  EXPECT_THAT(html("<script type=text/template><a href='/{{id}}'><a href='/<%= id %>'><a href='/${id}.html'>"
                   "<a href='{id}'><img srcset='/a.png 1x, {{b}} 2x'><link rel=stylesheet href='{{c}}.css'>"
                   "<a href='/d'></script>"),
              ElementsAre("L http://h/d a/@href"));
  EXPECT_THAT(html("<script type=text/template><base href=/b/><meta name=robots content=nofollow><title>no</title>"
                   "</script><a href=c>"),
              ElementsAre("L http://h/d/c a/@href"))
      << "what a template says is not said of the page";
  EXPECT_THAT(html("<script type=text/plain><a href=/x></script>"), IsEmpty());
}

TEST(PageLinks, ScriptsThatOthersRun) {
  for (const char* type : {"text/babel", "module-shim", "0a1b2c-text/javascript", "0a1b2c-module", "text/jsx"})
    EXPECT_THAT(html("<script type='" + std::string(type) + "'>import '/m.js'</script>"),
                ElementsAre("X http://h/m.js =JS_MISC"))
        << type;
  EXPECT_THAT(html("<script type=importmap-shim>{\"imports\":{\"a\":\"/a.mjs\"}}</script>"),
              ElementsAre("X http://h/a.mjs script[type='importmap']"));
}

TEST(PageLinks, WordsThatLackTheirScheme) {
  EXPECT_THAT(html("<option value=www.s.org/a><meta name=x content=www.s.org/b>"
                   "<embed flashvars='u=www.s.org/c'>"),
              ElementsAre("L http://www.s.org/a option/@value", "X http://www.s.org/b meta",
                          "X http://www.s.org/c embed/@flashvars"));
}

TEST(PageLinks, StyleSheetsOfXml) {
  for (const char* type : {"image/svg+xml", "application/xhtml+xml"})
    EXPECT_THAT(
        links_of({.content_type = type,
                  .body = "<?xml version='1.0'?><?xml-stylesheet type='text/css' href='s.css'?><?other href='o'?>"
                          "<svg><a xlink:href='a'/></svg>"},
                 {.favicon = false}),
        ElementsAre("E http://h/d/s.css =EMBED_MISC", "L http://h/d/a a/@xlink:href"))
        << type;
}

TEST(PageLinks, ButtonsOfForms) {
  const std::string_view body =
      "<form method=post action=/p><button formaction=/b1><input formaction=/b2 formmethod=get></form>"
      "<form action=/g><button formaction=/b3><button formaction=/b4 formmethod=POST></form>";
  EXPECT_THAT(html(body), ElementsAre("L http://h/b2 input/@formaction", "L http://h/g form/@action",
                                      "L http://h/b3 button/@formaction"));
  EXPECT_THAT(html(body, {.only_get_forms = false}), SizeIs(6));
  EXPECT_THAT(html(body, {.forms = false}), IsEmpty());
}

TEST(PageLinks, SourceMaps) {
  EXPECT_THAT(links_of({.url = "http://h/js/a.js",
                        .content_type = "text/javascript",
                        .body = "x()\n//# sourceMappingURL=a.js.map\n"}),
              ElementsAre("I http://h/js/a.js.map =INFERRED_MISC"));
  EXPECT_THAT(
      links_of({.url = "http://h/c/a.css", .content_type = "text/css", .body = "a{}/*# sourceMappingURL=a.css.map */"}),
      ElementsAre("I http://h/c/a.css.map =INFERRED_MISC"));
  const HeaderField fields[] = {{"SourceMap", "/m.map"}};
  EXPECT_THAT(links_of({.url = "http://h/a.js", .content_type = "text/javascript", .body = "x", .fields = fields}),
              ElementsAre("I http://h/m.map =INFERRED_MISC"));
  for (const std::string_view none :
       {"//# sourceMappingURL=data:application/json;base64,e30=", "s = '# sourceMappingURL=a.map'",
        "//# sourceMappingURL=", "r = /\\/\\/# sourceMappingURL=(.*)$/"})
    EXPECT_THAT(links_of({.url = "http://h/a.js", .content_type = "text/javascript", .body = none}), IsEmpty()) << none;
  EXPECT_THAT(
      links_of({.url = "http://h/js/a.js", .content_type = "text/javascript", .body = "//# sourceMappingURL=a.map"},
               {.extractors = {"-source-maps"}}),
      IsEmpty());
}

TEST(PageLinks, TemplateStrings) {
  EXPECT_THAT(inline_script("a = `https://s.org/x`; b = `/y.png`; c = `/z/${n}.png`; d = `https://${h}/w`"),
              ElementsAre("X https://s.org/x =JS_MISC", "X http://h/y.png =JS_MISC"));
}

TEST(PageLinks, ModuleSpecifiers) {
  EXPECT_THAT(inline_script("export { a } from './a.js'; export * from \"../b.mjs\"; import 'bare'; import('/c.js')"),
              ElementsAre("X http://h/d/a.js =JS_MISC", "X http://h/b.mjs =JS_MISC", "X http://h/c.js =JS_MISC"));
}

TEST(PageLinks, StatesOfPages) {
  EXPECT_THAT(
      inline_script(R"(window.__STATE__ = {"item":{"url":"/a/b","title":"c/d","image":"https:\/\/s.org\/i.png"}})"),
      ElementsAre("X http://h/a/b =JS_MISC", "X https://s.org/i.png =JS_MISC"));
  EXPECT_THAT(html(R"(<script type="application/json">{"props":{"src":"/a.png","n":"x/y"}}</script>)"),
              ElementsAre("I http://h/a.png =INFERRED_MISC"));
  EXPECT_THAT(inline_script(R"(s = JSON.parse("{\"url\":\"https:\\/\\/s.org\\/a\",\"t\":\"b\/c\"}"))"),
              ElementsAre("I https://s.org/a =INFERRED_MISC"));
  EXPECT_THAT(inline_script("s = JSON.parse(decodeURIComponent('%7B%22url%22%3A%22https%3A%2F%2Fs.org%2Fa%22%7D'))"),
              ElementsAre("I https://s.org/a =INFERRED_MISC"));
  EXPECT_THAT(inline_script("s = JSON.parse('{\"u\":\"http://s.org/\"' + more)"), IsEmpty());
}

// Paths in Drupal's settings stand below the folder that they name, wherever the page is.
TEST(PageLinks, SettingsOfDrupal) {
  EXPECT_THAT(inline_script(R"(jQuery.extend(Drupal.settings, {"basePath":"\/cms\/","t":{"url":"sites/all/a.png"}});)"),
              ElementsAre("X http://h/cms/sites/all/a.png =JS_MISC"));
  EXPECT_THAT(inline_script(R"(f(Drupal.settings, {"other":1}); x = {"url":"b.png"})"),
              ElementsAre("X http://h/d/b.png =JS_MISC"));
  EXPECT_THAT(html(R"(<script type="application/json" data-drupal-selector="drupal-settings-json">)"
                   R"({"path":{"baseUrl":"\/cms\/","pathPrefix":""},"img":{"src":"core/a.png"}}</script>)"),
              ElementsAre("I http://h/cms/core/a.png =INFERRED_MISC"));
}

// The rules are settings, so sheets can say other ones for a site.
TEST(PageLinks, RulesOfScripts) {
  const std::string_view script =
      "x.src = './a'; y.picture = './b'; f('https://s.org/c'); go('/d'); to('east'); g('f.png')";
  EXPECT_THAT(inline_script(script),
              ElementsAre("X http://h/d/a =JS_MISC", "X https://s.org/c =JS_MISC", "X http://h/d/f.png =JS_MISC"));
  Options options;
  options.script.properties = {"picture"};
  options.script.functions = {"go"};
  options.script.locations = {"to"};
  EXPECT_THAT(inline_script(script, options),
              ElementsAre("X http://h/d/b =JS_MISC", "X https://s.org/c =JS_MISC", "X http://h/d =JS_MISC",
                          "X http://h/d/east =JS_MISC", "X http://h/d/f.png =JS_MISC"));
  options.script.reject_relative = {"b$", "\\.png$", "^e"};
  EXPECT_THAT(inline_script(script, options), ElementsAre("X https://s.org/c =JS_MISC", "X http://h/d =JS_MISC"));
  options.script.reject_strings = {"https://s.org/c"};
  EXPECT_THAT(inline_script(script, options), ElementsAre("X http://h/d =JS_MISC"));
  options.script.reject_strings = {};
  options.script.max_length = 6;
  EXPECT_THAT(inline_script(script, options), ElementsAre("X http://h/d =JS_MISC"));
  options.script.max_length = 0;
  options.script.strict_in = {"/d/page$"};
  EXPECT_THAT(inline_script(script, options), ElementsAre("X https://s.org/c =JS_MISC"));
  options.script.strict_in = {"/other$"};
  options.script.strict = true;
  EXPECT_THAT(inline_script(script, options), ElementsAre("X https://s.org/c =JS_MISC"));
  Options handlers;
  handlers.script.reject_attributes = {"^onclick$"};
  EXPECT_THAT(html("<a onclick=\"location='/a.html'\" onfocus=\"location='/b.html'\">", handlers),
              ElementsAre("X http://h/b.html =JS_MISC"));
}

}  // namespace
}  // namespace caddis::extract
