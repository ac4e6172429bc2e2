#include "caddis/pages/pages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "caddis/io/memory_files.h"

namespace caddis::pages {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const Language& language(std::string_view code) { return *find_language(code); }

std::string fill(std::string_view source, const Data& data, std::string_view code = "en") {
  const auto made = Template::parse(source, "x.html");
  if (!made) return made.error().message;
  const auto partial = Template::parse("[{{name}}]", "y.html");
  return made->fill(data, Pages::plain()->messages(language(code)),
                    [&](std::string_view name) { return name == "part" ? &*partial : nullptr; });
}

TEST(Template, ValuesAreEscapedUnlessTheyAreHtml) {
  EXPECT_EQ(fill("<a title=\"{{x}}\">{{y}}</a>{{nobody}}", Data{{"x", "\"<&'"}, {"y", Data::Html{"<b>"}}}),
            "<a title=\"&quot;&lt;&amp;&#39;\"><b></a>");
  EXPECT_EQ(fill("?url={{url x}}", Data{{"x", "http://a/?b=c&d"}}), "?url=http%3A%2F%2Fa%2F%3Fb%3Dc%26d");
}

TEST(Template, SectionsListsAndScopes) {
  Data data{{"name", "out"}, {"rows", Data::List{Data{{"name", "a"}}, Data{{"other", 1}}}}, {"none", Data::List()}};
  EXPECT_EQ(fill("{{#rows}}{{name}};{{/rows}}{{^rows}}no{{/rows}}{{^none}}none{{/none}}", data), "a;out;none");
  EXPECT_EQ(fill("{{#words}}<{{.}}>{{/words}}", Data{{"words", Data::List{"a", "b"}}}), "<a><b>");
  EXPECT_EQ(fill("{{a.b}}|{{a.c}}|{{a.b.c}}", Data{{"a", Data{{"b", 7}}}}), "7||");
  EXPECT_EQ(fill("{{#zero}}x{{/zero}}{{#yes}}y{{/yes}}", Data{{"zero", 0}, {"yes", true}}), "y");
  EXPECT_EQ(fill("{{>part}}{{>nowhere}}", data), "[out]");
}

TEST(Template, TagsAloneOnALineLeaveNone) {
  EXPECT_EQ(fill("a\n  {{#x}}\nb\n{{/x}}\n{{! a remark }}\nc {{#x}}d{{/x}}\n", Data{{"x", true}}), "a\nb\nc d\n");
}

TEST(Template, FormsOfTheLanguage) {
  const Data data{{"n", 12345}, {"t", "20260102030405"}, {"broken", "20269999"}};
  EXPECT_EQ(fill("{{number n}} {{date t}} {{day t}} {{date broken}}", data, "de"),
            "12.345 2. Jan. 2026, 03:04:05 UTC 2. Januar 2026 20269999");
  EXPECT_EQ(fill("{{t captures count=n}}", data, "fr"), "12\u202f345 captures");
}

TEST(Template, FaultsAreToldWithTheirLine) {
  const auto message = [](std::string_view source) {
    const auto made = Template::parse(source, "x.html");
    return made ? std::string() : made.error().message;
  };
  EXPECT_EQ(message("a\n{{#b}}"), "x.html, line 2: the section 'b' is not closed");
  EXPECT_EQ(message("\n\n{{/b}}"), "x.html, line 3: '{{/b}}' closes no section; open is ''");
  EXPECT_EQ(message("{{a"), "x.html, line 1: '{{' is not closed");
  EXPECT_EQ(message("{{ }}"), "x.html, line 1: '{{}}' has no name");
  EXPECT_THAT(message("{{shout x}}"), HasSubstr("'shout x' is no value"));
  std::string deep;
  for (int i = 0; i < 100; ++i) deep += "{{#a}}";
  EXPECT_THAT(message(deep), HasSubstr("too deep"));
}

TEST(MessagePattern, PluralsAndPlaceholders) {
  const auto fill_in = [](std::string_view text, const Data& data, std::string_view code) {
    const auto pattern = MessagePattern::parse(text);
    return pattern ? pattern->fill(data, language(code)) : pattern.error().message;
  };
  constexpr std::string_view kCount = "{n, plural, one {# thing of {who}} other {# things of {who}}}!";
  EXPECT_EQ(fill_in(kCount, Data{{"n", 1}, {"who", "x"}}, "en"), "1 thing of x!");
  EXPECT_EQ(fill_in(kCount, Data{{"n", 0}, {"who", "x"}}, "en"), "0 things of x!");
  EXPECT_EQ(fill_in(kCount, Data{{"n", 0}}, "fr"), "0 thing of !");
  EXPECT_EQ(fill_in("{n}", Data{{"n", 1000}}, "es"), "1.000");
  for (const std::string_view broken : {"{", "{}", "}", "{a, b}", "{a, plural}", "{a, plural, one {x}}",
                                        "{a, plural, one {x} other {y}", "{a, plural, one {{b, plural, }} other {}}"})
    EXPECT_FALSE(MessagePattern::parse(broken)) << broken;
}

TEST(Language, BrowsersAskForOne) {
  EXPECT_EQ(preferred_language("").code, "en");
  EXPECT_EQ(preferred_language("de-AT,de;q=0.9,en;q=0.8").code, "de");
  EXPECT_EQ(preferred_language("sv, fr;q=0.5, da;q=0.7").code, "da");
  EXPECT_EQ(preferred_language("sv,*").code, "en");
  EXPECT_EQ(preferred_language("de;q=0, es;q=0.001").code, "es");
  EXPECT_EQ(preferred_language("de;q=2, fr;q=x, ES").code, "es");
}

TEST(Catalogue, EveryLanguageHasEveryMessageWithTheSamePlaceholders) {
  const auto& english = Pages::plain()->messages(language("en")).patterns();
  EXPECT_GT(english.size(), 150U);
  for (const Language& one : kLanguages) {
    const auto& patterns = Pages::plain()->messages(one).patterns();
    for (const auto& [key, pattern] : patterns) EXPECT_TRUE(english.contains(key)) << one.code << ": " << key;
    for (const auto& [key, pattern] : english) {
      const auto found = patterns.find(key);
      ASSERT_NE(found, patterns.end()) << one.code << " has no " << key;
      EXPECT_EQ(found->second.placeholders(), pattern.placeholders()) << one.code << ": " << key;
    }
  }
}

TEST(Catalogue, TemplatesNameMessagesAndGiveThemTheirValues) {
  const auto& english = Pages::plain()->messages(language("en")).patterns();
  for (const std::string_view name : Pages::template_names())
    for (const auto& [key, values] : Pages::plain()->template_named(name).messages()) {
      const auto found = english.find(key);
      ASSERT_NE(found, english.end()) << name << ": " << key;
      EXPECT_EQ(found->second.placeholders(), values) << name << ": " << key;
    }
}

TEST(Pages, LayoutIsAroundThem) {
  const Writer writer(Pages::plain(), language("da"), "/c/*/http://x/?a=\"b");
  const std::string page = writer.page("message", Data{{"title", "<T>"}, {"sentence", "a & b"}});
  EXPECT_THAT(page, HasSubstr("<html lang=\"da\">"));
  EXPECT_THAT(page, HasSubstr("<title>&lt;T&gt;</title>"));
  EXPECT_THAT(page, HasSubstr("<p>a &amp; b</p>"));
  EXPECT_THAT(page, HasSubstr("/-/language?to=fr&amp;back=%2Fc%2F%2A%2Fhttp%3A%2F%2Fx%2F%3Fa%3D%22b\""));
  EXPECT_THAT(page, HasSubstr("lang=\"da\" hreflang=\"da\" aria-current=\"true\""));
}

class ThemeTest : public ::testing::Test {
 protected:
  void put(const std::string& path, std::string_view bytes) {
    ASSERT_TRUE(files.make_dirs("theme"));
    ASSERT_TRUE(files.remove(path).has_value() || true);
    auto file = files.open_append(path);
    ASSERT_TRUE(file);
    ASSERT_TRUE((*file)->append(bytes));
  }
  std::string fault() {
    const auto theme = read_theme(files, "theme");
    return theme ? std::string() : theme.error().message;
  }
  io::MemoryFiles files;
};

TEST_F(ThemeTest, ChangesNameLogoColoursAndTemplates) {
  put("theme/theme.json", R"({"name": "Netarkivet", "colours": {"accent": "#070"}, "dark": {"accent": "#9f9"}})");
  put("theme/logo.svg", "<svg/>");
  put("theme/header.html", "<b>head</b>");
  put("theme/style.css", "h1 { color: red }");
  put("theme/message.html", "<p class=\"mine\">{{sentence}}</p>");
  put("theme/README", "not read");
  const auto theme = read_theme(files, "theme");
  ASSERT_TRUE(theme) << theme.error().message;
  EXPECT_EQ(theme->logo_type, "image/svg+xml");
  EXPECT_EQ(theme->style,
            ":root { --accent: #070; }\n@media (prefers-color-scheme: dark) { :root { --accent: #9f9; } }\n"
            "h1 { color: red }");
  const auto pages = Pages::create(*theme);
  ASSERT_TRUE(pages) << pages.error().message;
  const std::string page = Writer(*pages, language("en"), "/").page("message", Data{{"sentence", "<"}});
  EXPECT_THAT(page, HasSubstr("<img src=\"/-/logo\" alt=\"\" height=\"28\"> Netarkivet</a>"));
  EXPECT_THAT(page, HasSubstr("<b>head</b>"));
  EXPECT_THAT(page, HasSubstr("<p class=\"mine\">&lt;</p>"));
  EXPECT_THAT(page, HasSubstr("/-/theme.css"));
  EXPECT_THAT(Writer().page("message", Data()), Not(HasSubstr("/-/theme.css")));
}

TEST_F(ThemeTest, FaultsAreTold) {
  EXPECT_THAT(fault(), HasSubstr("theme: no such folder"));
  put("theme/theme.json", R"({"colours": {"accent": "red; } body { x: y"}})");
  EXPECT_THAT(fault(), HasSubstr("'accent' is no colour of CSS"));
  put("theme/nothing.html", "");
  EXPECT_NE(fault(), "");
}

TEST_F(ThemeTest, BrokenTemplatesAreRefused) {
  put("theme/message.html", "\n{{#a}}");
  const auto theme = read_theme(files, "theme");
  ASSERT_TRUE(theme);
  const auto pages = Pages::create(*theme);
  ASSERT_FALSE(pages);
  EXPECT_EQ(pages.error().message, "message.html, line 2: the section 'a' is not closed");
}

}  // namespace
}  // namespace caddis::pages
