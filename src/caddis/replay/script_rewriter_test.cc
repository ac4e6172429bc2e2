// Rewriting of scripts: the vectors that the client script is held to as well (tests/e2e/replay_scripts_test.py), and
// what only the server does.
#include "caddis/replay/script_rewriter.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "caddis/html/tokenizer.h"
#include "caddis/replay/html.h"
#include "caddis/replay/page_scripts.h"
#include "support/testdata.h"

namespace caddis::replay {
namespace {

LinkRewriter links_of(std::string_view url) {
  return LinkRewriter("/c/", "20260102030405", *url::Url::parse(url), Modifier::script);
}

std::string rewritten(std::string_view script, ScriptKind kind = ScriptKind::classic) {
  return rewrite_script(script, kind, links_of("http://example.org/dir/a.js")).value_or(std::string(script));
}

TEST(ScriptRewriter, Vectors) {
  const auto vectors =
      nlohmann::json::parse(testing::read_file(testing::source_path("tests/data/script_rewriter.json")));
  ASSERT_GT(vectors.size(), 140u);
  for (const auto& vector : vectors) {
    const std::string script = vector["script"];
    const ScriptKind kind = vector.contains("module") ? ScriptKind::module : ScriptKind::classic;
    const std::string expected = vector.value("rewritten", script);
    EXPECT_EQ(rewritten(script, kind), expected) << script;
    EXPECT_EQ(rewritten(expected, kind), expected) << "rewritten twice: " << script;
  }
}

TEST(ScriptRewriter, BrokenScriptsStay) {
  for (const std::string_view script :
       {"location)", "(location", "location; 'unfinished", "`${location", "location; /unfinished", "{ location ]",
        "location; `${a", "location; \"\n\"", "@location class A {}"})
    EXPECT_EQ(rewritten(script), script);
  const std::string deep = std::string(100'000, '(') + "location";
  EXPECT_EQ(rewritten(deep), deep);
}

TEST(ScriptRewriter, ImportsOfAPage) {
  EXPECT_EQ(rewritten("import './x.js'", ScriptKind::inline_module),
            "import '/c/20260102030405js_/http://example.org/dir/x.js'");
  EXPECT_EQ(rewritten("import './x.js'", ScriptKind::module), "import './x.js'");
  EXPECT_EQ(rewritten("import x from 'x'", ScriptKind::inline_module), "import x from 'x'");
  EXPECT_EQ(rewritten("export {a, b as location} from \"https://b.org/x.js\"", ScriptKind::module),
            "export {a, b as location} from \"/c/20260102030405js_/https://b.org/x.js\"");
  // The base must not end the element that the script stands in.
  EXPECT_EQ(rewrite_script("import(x)", ScriptKind::classic, links_of("http://example.org/?</script>")),
            "import(_caddis.i(\"http://example.org/?%3C/script%3E\",x))");
}

TEST(ScriptRewriter, ImportMaps) {
  EXPECT_EQ(rewrite_import_map(
                R"({"imports": {"vue": "/v.js", "a/": "https://b.org/a/", "./x.js": "./y.js", "off": null},
                    "scopes": {"/s/": {"vue": "./w.js"}}, "integrity": {"/v.js": "sha256-x"}})",
                links_of("http://example.org/dir/")),
            "{\"imports\":{\"vue\":\"/c/20260102030405js_/http://example.org/v.js\","
            "\"a/\":\"/c/20260102030405js_/https://b.org/a/\","
            "\"/c/20260102030405js_/http://example.org/dir/x.js\":\"/c/20260102030405js_/http://example.org/dir/y.js\","
            "\"off\":null},\"scopes\":{\"/c/20260102030405js_/http://example.org/s/\":"
            "{\"vue\":\"/c/20260102030405js_/http://example.org/dir/w.js\"}}}");
  EXPECT_EQ(rewrite_import_map("[1]", links_of("http://example.org/")), std::nullopt);
  EXPECT_EQ(rewrite_import_map("{", links_of("http://example.org/")), std::nullopt);
}

std::string page(std::string_view source, bool xml = false) {
  LinkRewriter links("/c/", "20260102030405", *url::Url::parse("http://example.org/dir/"), Modifier::main);
  HtmlOptions options;
  options.scripts = true;
  options.xml = xml;
  return rewrite_html(source, links, options);
}

TEST(ScriptRewriter, ScriptsInPages) {
  EXPECT_EQ(page("<script>location</script>"), "<script>_caddis.l(location)</script>");
  EXPECT_EQ(page("<script type=text/javascript>top</script>"), "<script type=text/javascript>_caddis.l(top)</script>");
  EXPECT_EQ(page("<script language=JavaScript>top</script>"), "<script language=JavaScript>_caddis.l(top)</script>");
  EXPECT_EQ(page("<script type=module>import './a.js'</script>"),
            "<script type=module>import '/c/20260102030405js_/http://example.org/dir/a.js'</script>");
  EXPECT_EQ(page("<script type=importmap>{\"imports\":{\"a\":\"/a.js\"}}</script>"),
            "<script type=importmap>{\"imports\":{\"a\":\"/c/20260102030405js_/http://example.org/a.js\"}}</script>");
  EXPECT_EQ(page("<b onclick=\"location = '/x'\">"), "<b onclick=\"_caddis.t(v=>location=v,location).v = '/x'\">");
  EXPECT_EQ(page("<a href='javascript:top.f(&quot;x&quot;)'>"),
            "<a archived-href='javascript:top.f(&quot;x&quot;)' href='javascript:_caddis.l(top).f(\"x\")'>");
  for (const std::string_view same :
       {"<script type=text/template>location</script>", "<script type=application/ld+json>{\"location\": 1}</script>",
        "<b on=location>", "<b data-onclick=location>", "<script src=data:,>location</script>"})
    EXPECT_TRUE(page(same).find("_caddis") == std::string::npos) << same;
  EXPECT_EQ(page("<x><script>a &amp;&amp; location</script></x>", true),
            "<x><script>a &amp;&amp; location</script></x>");
}

TEST(ScriptRewriter, LinksTellHowTheyWere) {
  constexpr std::string_view kAddress = "c/20260102030405mp_/http://example.org/";
  const auto link = [&](std::string_view as_written) {
    const std::string out = page("<a href='" + std::string(as_written) + "'>");
    const size_t at = out.find(" href='") + 7, address = out.find(kAddress);
    return address == std::string::npos ? std::string() : out.substr(at, address - at);
  };
  EXPECT_EQ(link("/x?a#b"), "/./");
  EXPECT_EQ(link("x"), "/././");
  EXPECT_EQ(link("//example.org/x"), "/./././");
  EXPECT_EQ(link("http://example.org/x"), "/");
  // The address does not tell what these were.
  EXPECT_EQ(link("../x"), "/");
  EXPECT_EQ(link("HTTP://example.org/x"), "/");
}

TEST(ScriptRewriter, SelectorsFindWhatWasWritten) {
  constexpr std::string_view kAt = "/c/20260102030405";
  const auto at = [&](std::string_view rest) { return std::string(kAt) + std::string(rest); };
  EXPECT_EQ(page("<A  HREF = '/a&amp;b' id=x>"),
            "<A  archived-HREF = '/a&amp;b' HREF = '/." + at("mp_/http://example.org/a&amp;b") + "' id=x>");
  EXPECT_EQ(page("<img src=a.png srcset='a 2x'>"),
            "<img archived-src=a.png src=\"/./." + at("im_/http://example.org/dir/a.png") +
                "\" archived-srcset='a 2x' srcset='" + at("im_/http://example.org/dir/a") + " 2x'>");
  EXPECT_EQ(page("<a ping=/p href=#x>"), "<a archived-ping=/p ping=\"\" href=#x>");
  EXPECT_EQ(page("<i style='a:url(/x)'>"),
            "<i archived-style='a:url(/x)' style='a:url(" + at("oe_/http://example.org/x") + ")'>");
  EXPECT_EQ(page("<a href='mailto:a@b'><form action>"), "<a href='mailto:a@b'><form action>");
  EXPECT_EQ(page("<x href='/a'/>", true), "<x href='/a'/>");
}

TEST(ScriptRewriter, WorkersBeginWithTheClient) {
  EXPECT_EQ(worker_begin(Modifier::worker, "x", "/-/client.js"), "importScripts(\"/-/client.js\");");
  EXPECT_EQ(worker_begin(Modifier::worker, " 'use strict'; x", "/-/client.js"),
            "\"use strict\";importScripts(\"/-/client.js\");");
  EXPECT_EQ(worker_begin(Modifier::worker_module, "x", "/-/client.js"), "import \"/-/client.js\";");
  EXPECT_EQ(worker_begin(Modifier::script, "x", "/-/client.js"), "");
}

}  // namespace
}  // namespace caddis::replay
