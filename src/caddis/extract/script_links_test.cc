// Links of scripts and JSON: where the code, a key or markup says that a string is a URL, and where none of them does.
#include <gmock/gmock.h>

#include "caddis/extract/extract.h"

namespace caddis::extract {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> urls_of(Document document, Options options = {}) {
  options.favicon = false;
  std::vector<std::string> out;
  for (const Link& link : extract(document, options).links) out.emplace_back(link.url());
  return out;
}

std::vector<std::string> page(std::string_view body, const Options& options = {}) {
  return urls_of({.url = "http://h/d/page", .content_type = "text/html", .body = body}, options);
}

std::vector<std::string> in_page(std::string_view script, const Options& options = {}) {
  return page("<script>" + std::string(script) + "</script>", options);
}

std::vector<std::string> file(std::string_view script, std::string_view via = "http://p/q/page") {
  return urls_of({.url = "http://h/s/js/a.js", .via = via, .content_type = "text/javascript", .body = script});
}

std::vector<std::string> json(std::string_view body) {
  return urls_of({.url = "http://h/api/x", .content_type = "application/json", .body = body});
}

TEST(ScriptLinks, CallsAndAssignmentsThatLeadOn) {
  const std::string_view script =
      "window.location.replace('/en/'); location.assign('/home'); location.href = '/welcome'; location = '/x';"
      "fetch('/api/posts?page=1'); $.getJSON('/api/list'); x.open('GET', '/api/z', true); new Worker('/w');"
      "navigator.serviceWorker.register('/sw'); img.setAttribute('src', '/pic/1')";
  EXPECT_THAT(in_page(script), ElementsAre("http://h/en/", "http://h/home", "http://h/welcome", "http://h/x",
                                           "http://h/api/posts?page=1", "http://h/api/list", "http://h/api/z",
                                           "http://h/w", "http://h/sw", "http://h/pic/1"));
  EXPECT_THAT(file(script), ElementsAre("http://p/en/", "http://p/home", "http://p/welcome", "http://p/x",
                                        "http://p/api/posts?page=1", "http://p/api/list", "http://p/api/z",
                                        "http://p/w", "http://p/sw", "http://p/pic/1"));
  EXPECT_THAT(in_page("caches.open('v1').then(c => c.addAll(['/', '/offline']))"), ElementsAre("http://h/offline"));
  EXPECT_THAT(file("importScripts('lib.js', '/b'); importScripts('/c')"),
              ElementsAre("http://h/s/js/lib.js", "http://h/b", "http://h/c"));
}

TEST(ScriptLinks, LocationsMayBeMereWords) {
  EXPECT_THAT(in_page("location.href = 'welcome'; location.replace('login'); top.location = 'frames'; go()"),
              ElementsAre("http://h/d/welcome", "http://h/d/login", "http://h/d/frames"));
  EXPECT_THAT(page("<a onclick=\"location='contact'\"><a href=\"javascript:location.href='map'\">"),
              ElementsAre("http://h/d/contact", "http://h/d/map"));
  EXPECT_THAT(file("location.href = 'welcome'"), ElementsAre("http://p/q/welcome"));
  EXPECT_THAT(file("location.href = 'welcome'", ""), IsEmpty()) << "nobody knows the page";
}

TEST(ScriptLinks, OtherThingsHaveThoseNamesToo) {
  EXPECT_THAT(in_page("text.replace('/a', '/b'); var location = 'Paris'; city.location = 'Rome'; {location: 'Oslo'}"),
              IsEmpty());
  EXPECT_THAT(in_page("x.open('POST', '/form'); router.register('/r'); map.get('/k'); location.href == 'x'"),
              IsEmpty());
  EXPECT_THAT(in_page("location.href = '/x?id=' + id; fetch('/api/' + name); fetch(`/api/${n}`)"), IsEmpty());
  EXPECT_THAT(in_page("location.href = 'skype:me'; location.hash = 'part'; location.href = '#top'"), IsEmpty());
}

TEST(ScriptLinks, JsonOfPagesResolvesAgainstTheirBase) {
  EXPECT_THAT(page("<base href=/dir/><script type=application/ld+json>{\"thumbnailUrl\":\"t.jpg\"}</script>"
                   "<div data-x='{\"image\":\"u.jpg\"}'>"),
              ElementsAre("http://h/dir/", "http://h/dir/t.jpg", "http://h/dir/u.jpg"));
}

TEST(ScriptLinks, KnownKeysHoldPathsAndLists) {
  EXPECT_THAT(page("<script type=application/ld+json>{\"embedUrl\":\"/embed/1\",\"url\":\"/post/5\",\"name\":\"/n\","
                   "\"image\":[\"a.jpg\",\"b.jpg\"],\"keywords\":[\"c.jpg\"]}</script>"),
              ElementsAre("http://h/embed/1", "http://h/post/5", "http://h/d/a.jpg", "http://h/d/b.jpg"));
  EXPECT_THAT(
      page("<script id=__NEXT_DATA__ type=application/json>{\"href\":\"/about\",\"page\":\"/[slug]\"}</script>"),
      ElementsAre("http://h/about"));
  EXPECT_THAT(json(R"({"url":"/posts/1","next":"/api?page=2","next_word":"/no","images":[["i.png"],["/j"]],"k":["/l"],
                       "srcset":"/s1.png 1x, /s2.png 2x","url2":[0,"/no"]})"),
              ElementsAre("http://h/posts/1", "http://h/api?page=2", "http://h/api/i.png", "http://h/j",
                          "http://h/s1.png", "http://h/s2.png"));
}

TEST(ScriptLinks, MarkupInStrings) {
  EXPECT_THAT(in_page(R"(document.write('<img src="images/dw.gif">'); w("<frame src='menu.htm'>"))"
                      R"(; w('<link href="css/r.css">'); e.innerHTML = "<a href=\"/about\">")"),
              ElementsAre("http://h/d/images/dw.gif", "http://h/d/menu.htm", "http://h/d/css/r.css", "http://h/about"));
  EXPECT_THAT(in_page(R"(w('<img srcset="/1.png 1x, 2.png 2x" data-src=3.png><video poster=4.png>'))"
                      R"(; w('<p style=background:url(5.png)><style>b{background:url(/6.png)}</style>'))"),
              ElementsAre("http://h/1.png", "http://h/d/2.png", "http://h/d/3.png", "http://h/d/4.png",
                          "http://h/d/5.png", "http://h/6.png"));
  EXPECT_THAT(in_page("a.style.background = 'url(/img/x.png)'; b = 'url(' + c + ')'; d = 'url(/e-' + n + '.png)'"),
              ElementsAre("http://h/img/x.png"));
  EXPECT_THAT(json(R"({"content":{"rendered":"<img src=\"https:\/\/w.org\/a.png\" )"
                   R"(srcset=\"https:\/\/w.org\/b.png 300w, \/c.png 600w\"><a href=\"x.html\">"}})"),
              ElementsAre("https://w.org/a.png", "https://w.org/b.png", "http://h/c.png"));
}

TEST(ScriptLinks, MarkupInStringsMayBeAForm) {
  EXPECT_THAT(
      in_page(R"(w('<a href="URL">'); w('<a href="{{u}}/x.html">'); w('<a href="<%= u %>">'); w('<a href="$1.html">'))"
              R"(; w('<img src="/i/' + n + '.png">'); w('<a href="/p?q=">'); w('<link rel=preconnect href=/x.css>'))"),
      IsEmpty());
}

TEST(ScriptLinks, MarkupInScriptFiles) {
  EXPECT_THAT(file("d.innerHTML = '<a href=\"/a\">'; w('<img src=\"i/b.gif\"><a href=\"/about\">')"),
              ElementsAre("http://p/q/i/b.gif", "http://p/about"))
      << "the first is how libraries try browsers out";
  EXPECT_THAT(file("w('<img src=\"i/b.gif\"><img src=\"/c.gif\">')", ""), ElementsAre("http://h/c.gif"));
}

TEST(ScriptLinks, LongStringsOfMarkupAreRead) {
  EXPECT_THAT(in_page("w('" + std::string(100'000, 'x') + "<img src=/a.png>')"), ElementsAre("http://h/a.png"));
}

TEST(ScriptLinks, FilesInTheScriptsOfPages) {
  EXPECT_THAT(
      page("<body onload=\"MM_preloadImages('images/h_on.gif')\"><a href=\"javascript:popup('big/photo1.html')\" "
           "onmouseover=\"MM_swapImage('I1','','images/h_on2.gif',1)\"><area href=\"javascript:w('m.html')\">"),
      ElementsAre("http://h/d/images/h_on.gif", "http://h/d/big/photo1.html", "http://h/d/images/h_on2.gif",
                  "http://h/d/m.html"));
  EXPECT_THAT(in_page("a = new Array('pics/1.jpg'); b = ['pics/3.jpg']; var o = 'images/over.gif'; "
                      "openWin('detail.asp?id=5'); swfobject.embedSWF('flash/m.swf'); c = 'v/a.flac'"),
              ElementsAre("http://h/d/pics/1.jpg", "http://h/d/pics/3.jpg", "http://h/d/images/over.gif",
                          "http://h/d/detail.asp?id=5", "http://h/d/flash/m.swf", "http://h/d/v/a.flac"));
  EXPECT_THAT(file("var o = 'images/over.gif'"), IsEmpty()) << "in libraries they are names";
}

TEST(ScriptLinks, SoundsAndModules) {
  EXPECT_THAT(
      file("new Audio(\"35.mp3\").play(); ctx.audioWorklet.addModule(\"44.js\"); "
           "u = import.meta.resolve(\"./42.js\"); v = import.meta.resolve('lodash/fp.js'); path.resolve('./no.js')"),
      ElementsAre("http://p/q/35.mp3", "http://p/q/44.js", "http://h/s/js/42.js"));
  EXPECT_THAT(in_page("a = {mod:\"lodash/fp.js\", module: 'b/c.mjs', file: 'd/e.js'}"),
              ElementsAre("http://h/d/d/e.js"));
}

TEST(ScriptLinks, NamesThatLookLikeFiles) {
  EXPECT_THAT(
      in_page("a = 'Node.js'; b = 'allegro.pl'; c = {wgTitle: 'Tree.jpg', n: 'File:a/Tree.jpg'}; d = 'x=1.html'; "
              "if (e == 'f.html' || 'g.html' == h) i(); switch (j) { case 'k.html': } l.indexOf('m.html'); "
              "n.src = n.src.replace('_off.gif', '_on.gif'); o = 'jo@p.html'; q = 'a, b.html'; r = '.html'"),
      IsEmpty());
}

TEST(ScriptLinks, ExtensionsAreASetting) {
  Options options;
  options.script.extensions = {"xyz"};
  EXPECT_THAT(in_page("a = 'b/c.xyz'; d = '/e.xyz'; f = 'g/h.html'; i = '/j.html'", options),
              ElementsAre("http://h/d/b/c.xyz", "http://h/e.xyz"));
}

TEST(ScriptLinks, BuiltByWebpack) {
  EXPECT_THAT(file("e.exports=n.p+\"static/media/logo.6ce2.svg\""), ElementsAre("http://p/static/media/logo.6ce2.svg"));
  EXPECT_THAT(file("e.exports=n.p+\"js/chunk.1.js\";f=n.p+\"m/\"+x+\".png\""), ElementsAre("http://h/s/js/chunk.1.js"))
      << "the folder that has the script";
  EXPECT_THAT(file("n.p=\"/app/\";e.exports=n.p+\"m/a.png\""), ElementsAre("http://p/app/m/a.png"));
  EXPECT_THAT(file("n.p=\"https://cdn.org/b/\";e.exports=n.p+\"m/a.png\""),
              ElementsAre("https://cdn.org/b/", "https://cdn.org/b/m/a.png"));
  EXPECT_THAT(in_page("e.exports=n.p+\"m/a.png\""), ElementsAre("http://h/m/a.png"));
}

TEST(ScriptLinks, ChunksOfWebpack) {
  EXPECT_THAT(file("n.u=e=>\"static/js/\"+({12:\"about\"}[e]||e)+\".\"+{12:\"8f2c\",34:\"77e1\"}[e]+\".chunk.js\","
                   "n.miniCssF=e=>\"static/css/\"+e+\".\"+({12:\"aa\"})[e]+\".chunk.css\";n.p=\"/app/\""),
              ElementsAre("http://p/app/static/js/about.8f2c.chunk.js", "http://p/app/static/js/34.77e1.chunk.js",
                          "http://p/app/static/css/12.aa.chunk.css"));
  EXPECT_THAT(file("function s(e){return i.p+\"js/\"+({}[e]||e)+\".\"+{0:\"a1\", 'x-y': 'b2'}[e]+\".js?v=3\"}"),
              ElementsAre("http://h/s/js/0.a1.js?v=3", "http://h/s/js/x-y.b2.js?v=3"))
      << "the folder that has the script";
  EXPECT_THAT(file("r.u=e=>(592===e?\"common\":7==e?'seven':e)+\".\"+{592:\"c\",7:\"d\",8:\"e\"}[e]+\".js\""),
              ElementsAre("http://h/s/js/common.c.js", "http://h/s/js/seven.d.js", "http://h/s/js/8.e.js"))
      << "of Angular, beside the script";
  EXPECT_THAT(
      file("r.u=function(e){return e===1?\"static/a.js\":\"b\"===e?\"static/b.js\":\"static/\"+{2:\"c\"}[e]+\".js\"}"),
      ElementsAre("http://p/static/a.js", "http://p/static/b.js", "http://p/static/c.js"));
  EXPECT_THAT(
      file("/**/ \treturn \"\" + ({\"a\":\"b\"}[chunkId] || chunkId) + \".\" + {\"a\":\"1\"}[chunkId] + \".js\";"),
      ElementsAre("http://h/s/js/b.1.js"));
}

TEST(ScriptLinks, ObjectsThatNameNoChunks) {
  EXPECT_THAT(file("a={1:\"x\"}[e]+\".png\"; b={1:\"x\"}[e]; c=\"/\"+{1:\"x\"}[e]+{1:\"y\"}[f]+\".js\";"
                   "d=\"/\"+{1:g}[e]+\".js\"; h=\"/\"+{1:\"x\"}[e]+i(e)+\".js\"; j=e+\".js\"; k={1:\"x\"}[e]+\".js"),
              IsEmpty());
  std::string many = "r.u=e=>\"";
  many += std::string(1000, 'p') + "\"+e+{";
  for (int i = 0; i < 100'000; ++i) many += std::to_string(i) + ":\"a\",";
  EXPECT_LE(file(many + "}[e]+\".js\"").size(), 6000U) << "the limits of the document hold";
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "=((((({1:\"a\",2:\"}[";
  EXPECT_THAT(file(deep), IsEmpty());
}

TEST(ScriptLinks, BuiltByVite) {
  EXPECT_THAT(
      urls_of({.url = "http://h/app/assets/index.js",
               .via = "http://h/app/",
               .content_type = "text/javascript",
               .body = "const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=[\"assets/Page-B1x.js\","
                       "\"assets/Page-C2y.css\",\"https://cdn.org/d.css\"])))=>i.map(i=>d[i]);x=['assets/no.js']"}),
      ElementsAre("http://h/app/assets/Page-B1x.js", "http://h/app/assets/Page-C2y.css", "https://cdn.org/d.css"));
  EXPECT_THAT(file("new URL(\"logo-D3.png\",import.meta.url); new Worker(new URL(\"./w.js\", import.meta.url))"),
              ElementsAre("http://h/s/js/logo-D3.png", "http://h/s/js/w.js"));
}

TEST(ScriptLinks, PartsOfPagesOfNext) {
  EXPECT_THAT(
      in_page(R"x(self.__next_f.push([1,"2:[\"$\",\"a\",null,{\"href\":\"/about\",\"children\":\"a/b\"}]\n"]))x"),
      ElementsAre("http://h/about"));
}

TEST(ScriptLinks, IslandsOfAstro) {
  EXPECT_THAT(page("<astro-island component-url=/_astro/C.js renderer-url=/_astro/r.js "
                   "props='{\"image\":[0,\"/a/b.png\"],\"url\":[0,\"/post\"]}'>"),
              ElementsAre("http://h/_astro/C.js", "http://h/_astro/r.js", "http://h/a/b.png", "http://h/post"));
}

}  // namespace
}  // namespace caddis::extract
