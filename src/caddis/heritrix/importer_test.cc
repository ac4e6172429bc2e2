#include "caddis/heritrix/importer.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/strings.h"
#include "caddis/config/settings.h"
#include "caddis/heritrix/bean_kinds.h"
#include "caddis/heritrix/conversion.h"
#include "caddis/heritrix/default_differences.h"
#include "caddis/heritrix/property_import.h"
#include "caddis/heritrix/property_notes.h"
#include "caddis/io/files.h"
#include "caddis/io/memory_files.h"
#include "caddis/scope/rule_kinds.h"

namespace caddis::heritrix {
namespace {

using ::testing::AnyOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

ImportSource source_of(std::string text) {
  ImportSource source;
  source.name = "x.cxml";
  source.text = std::move(text);
  source.read = [](const std::string& name) -> Result<std::string> {
    return fail(ErrorCode::not_found, name + " is not there");
  };
  source.list = [](const std::string&) { return std::vector<std::string>(); };
  return source;
}

Imported imported_from(const std::string& beans) {
  auto imported = import_configuration(source_of("<beans>" + beans + "</beans>"), "/x");
  EXPECT_TRUE(imported) << imported.error().message;
  return imported ? *std::move(imported) : Imported();
}

const ImportItem& item_of(const Imported& imported, std::string_view path) {
  static const ImportItem kNone;
  const auto found = std::ranges::find(imported.report.items(), path, &ImportItem::path);
  EXPECT_NE(found, imported.report.items().end()) << path;
  return found == imported.report.items().end() ? kNone : *found;
}

std::string class_of_role(std::string_view role) {
  const auto found = std::ranges::find(bean_kinds(), role, &BeanKind::role);
  return found == bean_kinds().end() ? "" : std::string(found->class_name);
}

// Every Heritrix name in the settings tables is one that the importer takes: a bean, a property of a role, or a rule of a
// scope.
TEST(Importer, TakesEveryNameOfTheSettings) {
  size_t names = 0;
  for (const settings::Schema* const schema : config::settings_schemas()) {
    for (const settings::Field& field : schema->fields()) {
      const std::string_view name = field.row.heritrix;
      if (name.empty()) continue;
      ++names;
      const std::string_view role = name.substr(0, name.find('.'));
      const std::string_view property = name.contains('.') ? name.substr(name.find('.') + 1) : "";
      if (role.ends_with("DecideRule")) continue;  // the next test
      EXPECT_NE(class_of_role(role), "") << schema->name() << "." << field.name << ": no bean has the role " << role;
      if (!property.empty()) EXPECT_TRUE(knows_property(role, property)) << name;
    }
  }
  EXPECT_GT(names, 60U);
}

// A value that it can have is really set, by the name alone: those that need more than a value have tests of their own.
TEST(Importer, SetsWhatANameStandsFor) {
  const std::map<settings::Kind, std::string> values = {
      {settings::Kind::boolean, "true"},  {settings::Kind::integer, "3"},
      {settings::Kind::bytes, "2000000"}, {settings::Kind::duration, "5000"},
      {settings::Kind::real, "2"},        {settings::Kind::text, "https://a.example/x"}};
  size_t set = 0;
  for (const settings::Schema* const schema : config::settings_schemas()) {
    for (const settings::Field& field : schema->fields()) {
      const std::string_view name = field.row.heritrix;
      const size_t dot = name.find('.');
      const auto value = values.find(field.kind);
      if (dot == std::string_view::npos || value == values.end() || name.ends_with("Policy") ||
          name.substr(0, dot).ends_with("DecideRule"))
        continue;
      const std::string_view role = name.substr(0, dot), property = name.substr(dot + 1);
      if (property == "httpProxyHost" || property == "database" || property == "acceptHeaders" || property == "rules" ||
          property == "order" || property == "operatorFrom" || property == "jobName" || property == "limit" ||
          property == "prefix" || property == "template" || property == "httpBindAddress" ||
          property == "cookiesLoadFile" || property == "cookiesSaveFile")
        continue;  // their values are others
      const Imported imported =
          imported_from(fmt::format("<bean id='b' class='x.{}'><property name='{}' value='{}'/></bean>",
                                    class_of_role(role), property, value->second));
      const ImportItem& item = item_of(imported, fmt::format("b.{}", property));
      EXPECT_THAT(item.said, HasSubstr(".")) << name;
      EXPECT_TRUE(item.fate == Fate::taken || item.fate == Fate::differently) << name << ": " << item.said;
      ++set;
    }
  }
  EXPECT_GT(set, 40U);
}

// Extractors that look for anything are off in Caddis unless the chain has them.
TEST(Importer, TakesExtractorsThatLookForAnything) {
  const Imported imported = imported_from(
      "<bean id='i' class='org.archive.modules.extractor.ExtractorImpliedURI'><property name='regex' "
      "value='http://v/(\\d+)'/><property name='format' value='http://v/info/$1'/></bean>"
      "<bean id='i2' class='org.archive.modules.extractor.ExtractorImpliedURI'><property name='regex' value='(a)\\1'/>"
      "<property name='format' value='http://v/$1'/></bean>"
      "<bean id='m' class='org.archive.modules.extractor.ExtractorMultipleRegex'><property name='uriRegex' "
      "value='http://m/.*'/><property name='contentRegexes'><map><entry key='id' value='id=(\\d+)'/></map></property>"
      "<property name='template' value='http://m/${id[1]}'/></bean>"
      "<bean id='u' class='org.archive.modules.extractor.ExtractorUniversal'/>"
      "<bean id='x' class='org.archive.modules.extractor.ExtractorURI'><property name='enabled' value='false'/></bean>"
      "<bean id='j' class='org.archive.modules.extractor.ConfigurableExtractorJS'><property name='strict' "
      "value='true'/>"
      "<property name='maximumCandidateLength' value='-1'/><property name='rejectRelativeMatchingRegexList'><list>"
      "<value>.*\\.min$</value></list></property></bean>"
      "<bean id='fetchProcessors' class='org.archive.modules.FetchChain'><property name='processors'><list>"
      "<ref bean='i'/><ref bean='i2'/><ref bean='m'/><ref bean='u'/><ref bean='x'/><ref bean='j'/></list></property>"
      "</bean>");
  EXPECT_THAT(item_of(imported, "i.regex").said,
              HasSubstr("extract.implied-uris: http://v/(\\d+) -> http://v/info/$1"));
  EXPECT_EQ(item_of(imported, "i2.regex").fate, Fate::without) << "RE2 has no references to groups";
  EXPECT_THAT(item_of(imported, "m.uriRegex").said, HasSubstr("extract.multiple-regex-url: http://m/.*"));
  EXPECT_THAT(item_of(imported, "m.contentRegexes").said, HasSubstr("extract.multiple-regex-parts: id: id=(\\d+)"));
  EXPECT_THAT(item_of(imported, "m.template").said, HasSubstr("extract.multiple-regex-format: http://m/${id[1]}"));
  EXPECT_THAT(item_of(imported, "j.strict").said, HasSubstr("extract.script-strict: true"));
  EXPECT_THAT(item_of(imported, "j.maximumCandidateLength").said, HasSubstr("extract.script-max-length: 0"));
  EXPECT_THAT(item_of(imported, "j.rejectRelativeMatchingRegexList").said,
              HasSubstr("extract.script-reject-relative: (?i)"));
  EXPECT_THAT(item_of(imported, "fetchProcessors.processors").said, HasSubstr("extract.extractors: 3 items"))
      << "ExtractorURI is switched off";
}

TEST(Importer, TakesWhatIsInferredOfSites) {
  const Imported imported = imported_from(
      "<bean id='h' class='org.archive.modules.extractor.ExtractorHTTP'><property name='inferRootPage' value='true'/>"
      "<property name='inferPaths'><list><value>/humans.txt</value></list></property></bean>"
      "<bean id='s' class='org.archive.modules.extractor.ExtractorSitemap'><property name='urlPattern' "
      "value='.*/map\\.php\\?.*'/></bean>"
      "<bean id='w' class='org.archive.modules.fetcher.FetchWhois'/>"
      "<bean id='t' class='org.archive.modules.extractor.TrapSuppressExtractor'/>"
      "<bean id='fetchProcessors' class='org.archive.modules.FetchChain'><property name='processors'><list>"
      "<ref bean='w'/><ref bean='h'/><ref bean='t'/><ref bean='s'/></list></property></bean>");
  const extract::Options& options = imported.settings.settings().extract;
  EXPECT_THAT(options.sites.paths, ElementsAre("/", "/humans.txt"));
  EXPECT_EQ(item_of(imported, "h.inferRootPage").fate, Fate::taken);
  EXPECT_THAT(options.sites.sitemap_urls, ElementsAre("/map\\.php\\?"));
  EXPECT_THAT(options.extractors, ElementsAre("+whois"));
  EXPECT_TRUE(options.suppress_traps);
}

TEST(Importer, RefusesInferredPathsThatAreRelative) {
  const Imported imported = imported_from(
      "<bean id='h' class='org.archive.modules.extractor.ExtractorHTTP'><property name='inferPaths'><list><value>x</"
      "value></list></property></bean>");
  EXPECT_EQ(item_of(imported, "h.inferPaths").fate, Fate::without);
  EXPECT_TRUE(imported.settings.settings().extract.sites.paths.empty());
  const Imported mixed = imported_from(
      "<bean id='h' class='org.archive.modules.extractor.ExtractorHTTP'><property name='inferRootPage' value='true'/>"
      "<property name='inferPaths'><list><value>x</value><value>/y</value></list></property></bean>");
  EXPECT_EQ(item_of(mixed, "h.inferPaths").fate, Fate::differently);
  EXPECT_THAT(mixed.settings.settings().extract.sites.paths, ElementsAre("/", "/y"));
}

// Every rule that docs/rules.md says Heritrix has under another name.
TEST(Importer, TakesEveryRuleOfTheScope) {
  const std::map<std::string, std::string> properties = {
      {"surtPrefixes", "<list><value>http://(org,example,</value></list>"},
      {"sourceSeeds", "<list><value>http://a.org/</value></list>"},
      {"statusCodes", "<list><value>404</value></list>"},
      {"ipAddresses", "<list><value>192.0.2.1</value></list>"},
      {"countryCodes", "<list><value>AT</value></list>"},
      {"regexList", "<list><value>.*x.*</value></list>"}};
  size_t rules = 0;
  for (const scope::RuleKind& kind : scope::rule_kinds()) {
    for (std::string_view name : split(kind.heritrix, ' ')) {
      if (name.ends_with(',')) name.remove_suffix(1);
      if (!name.contains("DecideRule") && !name.starts_with("AddRedirect")) continue;
      if (name == "ScriptedDecideRule" || name == "FetchStatusMatchesRegexDecideRule")
        continue;  // a module; no such condition
      std::string stated = "<property name='contentLengthThreshold' value='5'/><property name='regex' value='.*x.*'/>";
      for (const auto& [property, list] : properties)
        stated += fmt::format("<property name='{}'>{}</property>", property, list);
      const Imported imported =
          imported_from(fmt::format("<bean id='scope' class='DecideRuleSequence'><property name='rules'><list><bean "
                                    "class='x.{}'>{}</bean></list></property></bean>",
                                    name, stated));
      const std::string& said = item_of(imported, "scope.rules[0]").said;
      const bool is_of_answers = kind.needs != scope::Needs::link;
      if (is_of_answers)
        EXPECT_THAT(said, HasSubstr("pipeline.guard")) << name;
      else
        EXPECT_THAT(said, AnyOf(HasSubstr(kind.name), HasSubstr("seeds"))) << name;
      ++rules;
    }
  }
  EXPECT_GT(rules, 25U);
}

TEST(Importer, TablesNameWhatThereIs) {
  for (const PropertyNote& note : property_notes()) {
    const std::string_view role = note.name.substr(0, note.name.find('.'));
    EXPECT_TRUE(role == "*" || !class_of_role(role).empty()) << note.name;
    EXPECT_NE(note.said, "") << note.name;
  }
  // What stands for Heritrix's default is another value than Caddis's own.
  const Imported imported = imported_from(
      "<bean class='CrawlMetadata'/><bean class='FetchHTTP'/><bean class='BdbFrontier'/><bean class='CrawlController'/>"
      "<bean class='CheckpointService'/><bean class='ActionDirectory'/><bean class='WARCWriterProcessor'/>");
  EXPECT_GE(imported.report.defaults().size(), 18U);
  for (const OtherDefault& one : imported.report.defaults()) {
    if (one.value.empty()) continue;
    const auto parts = split(one.caddis, '.');
    config::Settings settings;
    const auto loaded =
        config::load_settings(fmt::format("{}: {{{}: {}}}\n", parts[0], parts[1], one.value), "x", settings);
    ASSERT_TRUE(loaded) << loaded.error().message;
    EXPECT_NE(config::settings_yaml(settings), config::settings_yaml(config::Settings())) << one.caddis;
  }
}

TEST(Importer, WritesAFolderThatWasNotThere) {
  io::MemoryFiles files;
  const Imported imported =
      imported_from("<bean class='FetchHTTP'><property name='httpProxyHost' value='p.example'/></bean>");
  ASSERT_TRUE(write_import(files, "/x", imported));
  EXPECT_THAT(*files.read_all("/x/crawl.yaml"), HasSubstr("http://p.example:8000"));
  EXPECT_THAT(*files.read_all("/x/import.txt"), HasSubstr("(not shown here)"));
  const auto again = write_import(files, "/x", imported);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::conflict);
}

TEST(Importer, TakesFilesOfCookies) {
  ImportSource source = source_of(
      "<beans><bean class='BdbCookieStore'><property name='cookiesLoadFile'><bean "
      "class='org.archive.spring.ConfigFile'>"
      "<property name='path' value='in.txt'/></bean></property><property name='cookiesSaveFile' "
      "value='/out.txt'/></bean>"
      "<bean class='FetchHTTP'><property name='ignoreCookies' value='false'/></bean></beans>");
  source.read = [](const std::string& name) -> Result<std::string> { return name == "in.txt" ? "the cookies" : "?"; };
  const auto imported = import_configuration(source, "/x");
  ASSERT_TRUE(imported);
  const cookies::CookieSettings& settings = imported->settings.settings().cookies;
  EXPECT_EQ(settings.load, "/x/cookies.txt");
  EXPECT_EQ(settings.save, "/out.txt");
  EXPECT_TRUE(settings.enabled);
  io::MemoryFiles files;
  ASSERT_TRUE(write_import(files, "/x", *imported));
  EXPECT_EQ(*files.read_all("/x/cookies.txt"), "the cookies");
  const Imported without =
      imported_from("<bean class='FetchHTTP'><property name='ignoreCookies' value='true'/></bean>");
  EXPECT_FALSE(without.settings.settings().cookies.enabled);
  const Imported lost = imported_from(
      "<bean id='s' class='BdbCookieStore'><property name='cookiesLoadFile' value='in.txt'/><property "
      "name='cookiesSaveFile' value='out.txt'/></bean>");
  EXPECT_EQ(item_of(lost, "s.cookiesLoadFile").fate, Fate::without);
  EXPECT_EQ(item_of(lost, "s.cookiesSaveFile").fate, Fate::without);
}

TEST(Importer, TakesCredentialsAsSheets) {
  const Imported imported = imported_from(
      "<bean class='HtmlFormCredential'><property name='domain' value='a.example:81'/><property name='loginUri' "
      "value='/in'/><property name='formItems'><map><entry key='box' value='${x'/><entry key='mail' "
      "value='me'/><entry key='pwd' value='TOPSECRET'/></map></property></bean>"
      "<bean class='FormLoginProcessor'><property name='applicableSurtPrefix' value='http://(org,example,www,)/'/>"
      "<property name='loginUsername' value='you'/><property name='loginPassword' value='p'/></bean>"
      "<bean id='c' class='HttpAuthenticationCredential'><property name='login' value='nobody'/></bean>");
  const settings::Sheets& sheets = imported.settings.settings().sheets;
  ASSERT_EQ(sheets.size(), 2u);
  const auto of = [&](size_t sheet) {
    config::Settings alone;
    sheets[sheet].values.lay_over(config::sections_of(alone));
    return alone.logins;
  };
  EXPECT_EQ(of(0).site, "a.example");
  EXPECT_EQ(of(0).form, "http://a.example:81/in");
  EXPECT_EQ(of(0).user, "me");
  EXPECT_EQ(of(0).password, "TOPSECRET");
  EXPECT_THAT(of(0).fields, ::testing::ElementsAre("box=$${x", "mail={user}", "pwd={password}"));
  EXPECT_EQ(of(1).site, "www.example.org");
  EXPECT_EQ(of(1).user, "you");
  EXPECT_EQ(item_of(imported, "c").fate, Fate::without);
  io::MemoryFiles files;
  ASSERT_TRUE(write_import(files, "/x", imported));
  EXPECT_THAT(*files.read_all("/x/import.txt"), ::testing::Not(HasSubstr("TOPSECRET")));
}

TEST(Importer, TakesCredentialsOfOneSiteByRealm) {
  const auto http = [](std::string_view id, std::string_view realm, std::string_view login, std::string_view password) {
    return fmt::format(
        "<bean id='{}' class='HttpAuthenticationCredential'><property name='domain' value='www.a.example'/><property "
        "name='realm' value='{}'/><property name='login' value='{}'/><property name='password' value='{}'/></bean>",
        id, realm, login, password);
  };
  const Imported imported =
      imported_from(http("staff", "Staff area", "anna", "TOPSECRET") + http("press", "Press", "bert", "b:${c") +
                    http("any", "", "me", "p") + http("more", "", "you", "q") + http("odd", "A = B", "x", "y"));
  const settings::Sheets& sheets = imported.settings.settings().sheets;
  ASSERT_EQ(sheets.size(), 1U);
  config::Settings alone;
  sheets[0].values.lay_over(config::sections_of(alone));
  EXPECT_THAT(alone.logins.realms, ::testing::ElementsAre("Staff area = anna:TOPSECRET", "Press = bert:b:$${c"));
  EXPECT_EQ(alone.logins.user, "me");
  EXPECT_EQ(item_of(imported, "press").fate, Fate::taken);
  EXPECT_EQ(item_of(imported, "any").fate, Fate::taken);
  EXPECT_EQ(item_of(imported, "more").fate, Fate::without);
  EXPECT_EQ(item_of(imported, "odd").fate, Fate::without);
  io::MemoryFiles files;
  ASSERT_TRUE(write_import(files, "/x", imported));
  EXPECT_THAT(*files.read_all("/x/import.txt"), ::testing::Not(HasSubstr("TOPSECRET")));
}

TEST(Importer, RefusesOtherFiles) {
  EXPECT_THAT(import_configuration(source_of("<rss/>"), "/x").error().message, HasSubstr("begins with <rss>"));
  EXPECT_THAT(import_configuration(source_of("no xml"), "/x").error().message, HasSubstr("x.cxml: line 1"));
}

TEST(Importer, OverridesReachIntoListsMapsAndReferences) {
  const Imported imported = imported_from(
      "<bean class='PropertyOverrideConfigurer'><property name='properties'><value>"
      "fetchHttp.acceptHeaders[0]=Accept: a/b\nscope.rules[0].maxHops=7\nslow.map[disposition.delayFactor]=9\n"
      "scope.rules[5].maxHops=1\nfetchHttp.timeoutSeconds.x=1\n"
      "</value></property></bean>"
      "<bean id='fetchHttp' class='FetchHTTP'><property name='timeoutSeconds' value='7'/></bean>"
      "<bean id='hops' class='TooManyHopsDecideRule'><property name='maxHops' value='1'/></bean>"
      "<bean id='disposition' class='DispositionProcessor'/>"
      "<bean id='scope' class='DecideRuleSequence'><property name='rules'><list><ref "
      "bean='hops'/></list></property></bean>"
      "<bean id='slow' class='Sheet'><property name='map'><map><entry key='disposition.delayFactor' "
      "value='2'/></map></property></bean>"
      "<bean class='SurtPrefixesSheetAssociation'><property "
      "name='surtPrefixes'><list><value>http://(org,</value></list></property>"
      "<property name='targetSheetNames'><list><value>slow</value></list></property></bean>");
  const config::Settings& settings = imported.settings.settings();
  EXPECT_EQ(settings.fetch.accept, "a/b");
  EXPECT_EQ(settings.fetch.total_timeout, std::chrono::seconds(7));
  EXPECT_THAT(settings.scope.rules, Contains("reject hops > 7"));
  ASSERT_EQ(settings.sheets.size(), 1U);
  EXPECT_EQ(std::get<double>(settings.sheets[0].values.entries()[0].value), 9);
  EXPECT_THAT(item_of(imported, "hops.maxHops").said, HasSubstr("another value counts"));
  EXPECT_EQ(item_of(imported, "PropertyOverrideConfigurer: scope.rules[5].maxHops").fate, Fate::without);
  EXPECT_EQ(item_of(imported, "PropertyOverrideConfigurer: fetchHttp.timeoutSeconds.x").fate, Fate::without);
}

TEST(Importer, TakesTheFirstOfSeveralWriters) {
  const Imported imported = imported_from(
      "<bean id='off' class='ARCWriterProcessor'><property name='enabled' value='false'/><property name='prefix' "
      "value='A'/></bean>"
      "<bean id='one' class='WARCWriterProcessor'><property name='prefix' value='B'/></bean>"
      "<bean id='two' class='WARCWriterChainProcessor'><property name='prefix' value='C'/></bean>");
  EXPECT_EQ(imported.settings.settings().archive.prefix, "B");
  EXPECT_EQ(item_of(imported, "off.prefix").fate, Fate::taken);
  EXPECT_EQ(item_of(imported, "two.prefix").fate, Fate::without);
}

TEST(Importer, TakesTheSitesOfCrawlRss) {
  const Imported imported = imported_from(
      "<bean id='scope' class='DecideRuleSequence'><property name='rules'><list><bean class='RejectDecideRule'/>"
      "<bean id='rss' class='is.landsbokasafn.crawler.rss.RssInScopeDecideRule'><property name='hoppathAllowed' "
      "value='.R?E?'/></bean><bean class='PrerequisiteAcceptDecideRule'/></list></property></bean>"
      "<bean id='rssCrawlController' class='is.landsbokasafn.crawler.rss.RssCrawlController'><property "
      "name='configurationManager'><bean "
      "class='is.landsbokasafn.crawler.rss.CxmlConfigurationManager'/></property></bean>"
      "<bean id='ruv' class='is.landsbokasafn.crawler.rss.RssSite'><property name='name' value='ruv.is'/>"
      "<property name='minWaitInterval' value='1h30m'/><property name='rssFeeds'><list>"
      "<bean class='is.landsbokasafn.crawler.rss.RssFeed'><property name='uri' value='http://www.ruv.is/rss/frettir'/>"
      "<property name='impliedPages'><list><value>http://www.ruv.is/</value></list></property></bean>"
      "<ref bean='second'/></list></property></bean>"
      "<bean id='second' class='is.landsbokasafn.crawler.rss.RssFeed'><property name='uri' "
      "value='http://www.ruv.is/rss/innlent'/></bean>"
      "<bean id='news' class='is.landsbokasafn.crawler.rss.RssSite'><property name='name' value='the news'/>"
      "<property name='minWaitInterval' value='20s'/><property name='rssFeeds'><list>"
      "<bean class='is.landsbokasafn.crawler.rss.RssFeed'><property name='uri' value='http://news.example/rss'/></bean>"
      "</list></property></bean>"
      "<bean id='none' class='is.landsbokasafn.crawler.rss.RssSite'><property name='name' value='none'/></bean>");
  const config::Settings& settings = imported.settings.settings();
  EXPECT_THAT(settings.feeds.sites,
              ElementsAre("ruv.is: every 1h30m feed http://www.ruv.is/rss/frettir implies http://www.ruv.is/ "
                          "feed http://www.ruv.is/rss/innlent",
                          "the-news: every 1m feed http://news.example/rss"));
  EXPECT_EQ(settings.feeds.hop_path, ".R?E?");
  EXPECT_THAT(settings.scope.rules, ElementsAre("reject all", "accept seed", "accept prerequisite"));
  EXPECT_EQ(item_of(imported, "ruv").fate, Fate::taken);
  EXPECT_EQ(item_of(imported, "second.uri").fate, Fate::taken);
  EXPECT_EQ(item_of(imported, "rssCrawlController.configurationManager").fate, Fate::taken);
  EXPECT_EQ(item_of(imported, "news").fate, Fate::differently);
  EXPECT_THAT(item_of(imported, "news.name").said, HasSubstr("the-news; the least wait is one minute"));
  EXPECT_THAT(item_of(imported, "none").said, HasSubstr("has no feed"));
}

TEST(Importer, TakesOtherProtocols) {
  const Imported imported = imported_from(
      "<bean id='fetchFtp' class='org.archive.modules.fetcher.FetchFTP'><property name='username' value='me'/>"
      "<property name='extractParent' value='false'/><property name='timeoutSeconds' value='7'/></bean>"
      "<bean id='fetchWhois' class='org.archive.modules.fetcher.FetchWhois'><property "
      "name='specialQueryTemplates'><map>"
      "<entry key='whois.denic.de' value='-T dn %s'/></map></property></bean>"
      "<bean id='scope' class='DecideRuleSequence'><property name='rules'><list><bean class='SchemeNotInSetDecideRule'>"
      "<property name='schemes'><set><value>http</value><value>ftp</value><value>dns</value></set></property></bean>"
      "</list></property></bean>");
  const config::Settings& settings = imported.settings.settings();
  EXPECT_EQ(settings.fetch.ftp_user, "me");
  EXPECT_FALSE(settings.fetch.ftp_parent);
  EXPECT_TRUE(settings.fetch.ftp_listings);
  EXPECT_THAT(settings.fetch.whois_queries, ElementsAre("whois.denic.de -T dn %s"));
  EXPECT_EQ(item_of(imported, "fetchFtp.timeoutSeconds").fate, Fate::differently);
  EXPECT_THAT(settings.scope.rules, Contains("reject not scheme http ftp"));
}

TEST(Importer, LeavesMarksOfTemplatesOpen) {
  const Imported imported = imported_from(
      "<bean id='d' class='DeDuplicator'><property name='enabled' value='%{ON}'/><property name='matchingMethod' "
      "value='DIGEST'/></bean>"
      "<bean id='f' class='BdbFrontier'><property name='maxRetries' value='%{RETRIES}'/></bean>%{MORE}");
  EXPECT_EQ(imported.settings.settings().dedup.strategy, dedup::Strategy::any);
  EXPECT_EQ(item_of(imported, "d.enabled").fate, Fate::without);
  EXPECT_THAT(item_of(imported, "f.maxRetries").said, HasSubstr("NetarchiveSuite"));
  EXPECT_EQ(item_of(imported, "beans (text)").fate, Fate::without);
}

// The marks of NetarchiveSuite's templates, and the attributes of its configurations.
TEST(Importer, KnowsWhatNetarchiveSuiteFillsIn) {
  const Imported imported = imported_from(
      "<bean id='simpleOverrides' class='org.springframework.beans.factory.config.PropertyOverrideConfigurer'>"
      "<property name='properties'><value>\nmetadata.robotsPolicyName=%{HONOR_ROBOTS_DOT_TXT}\n"
      "crawlLimiter.maxTimeSeconds=%{MAX_TIME_SECONDS_PLACEHOLDER}\n%{UMBRA_SIMPLEOVERRIDES_PLACEHOLDER}\n"
      "</value></property></bean>"
      "<bean id='metadata' class='dk.netarkivet.harvester.harvesting.NasCrawlMetadata'/>"
      "<bean id='crawlLimiter' class='org.archive.crawler.framework.CrawlLimitEnforcer'/>"
      "<bean id='scope' class='DecideRuleSequence'><property name='rules'><list>"
      "<bean class='TooManyHopsDecideRule'><property name='maxHops' value='%{MAX_HOPS}'/></bean>"
      "<bean class='MatchesListRegexDecideRule'><property name='decision' value='REJECT'/><property name='regexList'>"
      "<list>%{CRAWLERTRAPS_PLACEHOLDER}</list></property></bean></list></property></bean>"
      "<bean id='quotaenforcer' class='QuotaEnforcer'><property name='groupMaxFetchSuccesses' "
      "value='%{QUOTA_ENFORCER_GROUP_MAX_FETCH_SUCCES_PLACEHOLDER}'/><property name='groupMaxAllKb' "
      "value='%{QUOTA_ENFORCER_MAX_BYTES_PLACEHOLDER}'/></bean>"
      "<bean id='d' class='is.hi.bok.deduplicator.DeDuplicator'><property name='indexLocation' "
      "value='%{DEDUPLICATION_INDEX_LOCATION_PLACEHOLDER}'/><property name='enabled' "
      "value='%{DEDUPLICATION_ENABLED_PLACEHOLDER}'/></bean>%{ARCHIVER_PROCESSOR_BEAN_PLACEHOLDER}");
  for (const ImportItem& item : imported.report.items())
    if (item.value.contains("%{") || item.path.contains("%{")) {
      EXPECT_NE(item.fate, Fate::without) << item.path << ": " << item.said;
      EXPECT_FALSE(item.said.empty()) << item.path;
    }
  EXPECT_EQ(imported.open_question, "");
  EXPECT_THAT(item_of(imported, "d.indexLocation").said, HasSubstr("dedup.against"));
  EXPECT_THAT(imported.files.front().text, HasSubstr("policy: ignore"));
  EXPECT_THAT(imported.settings.settings().scope.rules, Contains("reject hops > 20"));
}

TEST(Importer, TellsWhyAValueCannotBe) {
  const Imported imported = imported_from(
      "<bean id='w' class='WARCWriterProcessor'><property name='maxFileSizeBytes' value='10'/><property name='prefix' "
      "value='a/b'/></bean>"
      "<bean id='f' class='BdbFrontier'><property name='maxRetries' value='many'/></bean>");
  EXPECT_THAT(item_of(imported, "w.maxFileSizeBytes").said, HasSubstr("archive.max-file-size cannot be so"));
  EXPECT_EQ(item_of(imported, "w.prefix").fate, Fate::without);
  EXPECT_THAT(item_of(imported, "f.maxRetries").said, HasSubstr("'many' is no whole number"));
}

TEST(Importer, TakesAServerOfDnsOverHttps) {
  const auto said = [](std::string_view url) {
    return item_of(imported_from(fmt::format(
                       "<bean id='d' class='FetchDNS'><property name='dnsOverHttpServer' value='{}'/></bean>", url)),
                   "d.dnsOverHttpServer");
  };
  EXPECT_EQ(said("https://dns.example/dns-query").fate, Fate::taken);
  EXPECT_THAT(said("https://dns.example/dns-query").said, HasSubstr("dns.over-https"));
  EXPECT_THAT(said("http://dns.example/dns-query").said, HasSubstr("no https URL of a DNS server"));
}

std::string scope_of_rules(const std::string& rules) {
  return "<bean id='scope' class='DecideRuleSequence'><property name='rules'><list>" + rules +
         "</list></property></bean>";
}

TEST(Importer, OneRuleThatCannotBeLeavesTheOthers) {
  const Imported imported = imported_from(scope_of_rules(
      "<bean class='RejectDecideRule'/><bean class='SeedAcceptDecideRule'/>"
      "<bean class='SurtPrefixedDecideRule'><property name='seedsAsSurtPrefixes' value='false'/><property "
      "name='surtsSource' value='http://(org.example,'/></bean>"
      "<bean class='IpAddressSetDecideRule'><property name='decision' value='REJECT'/><property "
      "name='ipAddresses'><list><value>no address</value></list></property></bean>"
      "<bean class='TooManyPathSegmentsDecideRule'><property name='maxPathDepth' value='9'/></bean>"));
  EXPECT_THAT(imported.settings.settings().scope.rules,
              ElementsAre("reject all", "accept seed", "reject path-depth > 9"));
  EXPECT_EQ(item_of(imported, "scope.rules[2]").fate, Fate::without);
  EXPECT_EQ(item_of(imported, "scope.rules[3]").fate, Fate::without);
  EXPECT_EQ(item_of(imported, "scope.rules[4]").fate, Fate::taken);
  EXPECT_THAT(imported.open_question, HasSubstr("scope.rules[3]"));
}

TEST(Importer, RulesThatRejectAreNotLostInSilence) {
  const std::string lookahead = "<property name='regex' value='.*(?!a)b.*'/>";
  const Imported rejecting =
      imported_from(scope_of_rules("<bean class='SeedAcceptDecideRule'/><bean class='MatchesRegexDecideRule'><property "
                                   "name='decision' value='REJECT'/>" +
                                   lookahead + "</bean>"));
  EXPECT_THAT(rejecting.open_question, HasSubstr("scope.rules[1]"));
  const Imported accepting = imported_from(scope_of_rules(
      "<bean class='SeedAcceptDecideRule'/><bean class='MatchesRegexDecideRule'>" + lookahead + "</bean>"));
  EXPECT_EQ(item_of(accepting, "scope.rules[1]").fate, Fate::without);
  EXPECT_EQ(accepting.open_question, "");
}

TEST(Importer, ExpressionsThatHoldTogetherAreTakenTogether) {
  const std::string list =
      "<property name='regexList'><list><value>.*x.*</value><value>.*(?!a)b.*</value></list></property>";
  const Imported together = imported_from(
      scope_of_rules("<bean class='SeedAcceptDecideRule'/><bean class='MatchesListRegexDecideRule'><property "
                     "name='listLogicalOr' value='false'/>" +
                     list + "</bean><bean class='NotMatchesListRegexDecideRule'>" + list + "</bean>"));
  EXPECT_THAT(together.settings.settings().scope.rules, ElementsAre("accept seed"));
  EXPECT_EQ(item_of(together, "scope.rules[1]").fate, Fate::without);
  EXPECT_EQ(item_of(together, "scope.rules[1].regexList[0]").fate, Fate::without);
  EXPECT_EQ(item_of(together, "scope.rules[2]").fate, Fate::without);
  const Imported each = imported_from(scope_of_rules("<bean class='MatchesListRegexDecideRule'>" + list + "</bean>"));
  EXPECT_THAT(each.settings.settings().scope.rules, ElementsAre("accept url x"));
}

TEST(Importer, SheetsWithAConditionInPartHoldNowhere) {
  const Imported imported = imported_from(
      "<bean id='disposition' class='DispositionProcessor'/>"
      "<bean id='slow' class='Sheet'><property name='map'><map><entry key='disposition.delayFactor' "
      "value='2'/></map></property></bean>"
      "<bean id='where' class='DecideRuledSheetAssociation'><property name='rules'><bean class='DecideRuleSequence'>"
      "<property name='rules'><list><bean class='MatchesRegexDecideRule'><property name='regex' value='.*x.*'/></bean>"
      "<bean class='MatchesRegexDecideRule'><property name='decision' value='REJECT'/><property name='regex' "
      "value='.*(?!a)b.*'/></bean></list></property></bean></property>"
      "<property name='targetSheetNames'><list><value>slow</value></list></property></bean>");
  EXPECT_TRUE(imported.settings.settings().sheets.empty());
  EXPECT_EQ(item_of(imported, "where").fate, Fate::without);
  EXPECT_EQ(item_of(imported, "slow").fate, Fate::without);
}

TEST(Importer, WhatIsRescheduledIsFetchedAgainWhateverItsStatus) {
  const Imported imported = imported_from(
      "<bean id='r' class='ReschedulingProcessor'><property name='rescheduleDelaySeconds' value='3600'/></bean>");
  EXPECT_THAT(imported.settings.settings().fetch.again, ElementsAre("100-999 after 3600s, 1000000 times"));
  EXPECT_EQ(item_of(imported, "r.rescheduleDelaySeconds").fate, Fate::differently);
}

TEST(Importer, ASheetThatRetires) {
  const Imported imported = imported_from(
      "<bean id='disposition' class='DispositionProcessor'/>"
      "<bean id='forceRetire' class='Sheet'><property name='map'><map><entry key='disposition.forceRetire' "
      "value='true'/></map></property></bean>"
      "<bean class='SurtPrefixesSheetAssociation'><property "
      "name='surtPrefixes'><list><value>http://(org,example,</value></list></property>"
      "<property name='targetSheetNames'><list><value>forceRetire</value></list></property></bean>");
  const config::Settings& settings = imported.settings.settings();
  EXPECT_FALSE(settings.frontier.retire);
  ASSERT_EQ(settings.sheets.size(), 1U);
  frontier::OrderSettings order;
  settings.sheets[0].values.lay_over({settings::section(order)});
  EXPECT_TRUE(order.retire);
}

TEST(Importer, AQuotaOfNothingIsNotOneWithoutEnd) {
  const Imported nothing = imported_from(
      "<bean id='q' class='QuotaEnforcer'><property name='hostMaxSuccessKb' value='0'/><property "
      "name='hostMaxFetchSuccesses' value='0'/></bean>"
      "<bean id='f' class='BdbFrontier'><property name='queueTotalBudget' value='0'/></bean>");
  EXPECT_EQ(nothing.settings.settings().quota.host_bytes, 1);
  EXPECT_EQ(nothing.settings.settings().quota.host_successes, 1);
  EXPECT_EQ(nothing.settings.settings().quota.host_cost, 1);
  for (const std::string_view path : {"q.hostMaxSuccessKb", "q.hostMaxFetchSuccesses", "f.queueTotalBudget"})
    EXPECT_EQ(item_of(nothing, path).fate, Fate::differently) << path;
  const Imported endless =
      imported_from("<bean id='q' class='QuotaEnforcer'><property name='hostMaxFetchSuccesses' value='-1'/></bean>");
  EXPECT_EQ(endless.settings.settings().quota.host_successes, 0);
}

TEST(Importer, SheetsHaveTheRobotsPolicyThatTheyName) {
  const Imported imported = imported_from(
      "<bean id='metadata' class='CrawlMetadata'><property name='robotsPolicyName' value='obey'/></bean>"
      "<bean id='first' class='FirstNamedRobotsPolicy'><property name='candidateUserAgents'><list><value>abot</value>"
      "</list></property></bean>"
      "<bean id='kind' class='Sheet'><property name='map'><map><entry key='metadata.robotsPolicyName' "
      "value='first'/></map></property></bean>"
      "<bean class='SurtPrefixesSheetAssociation'><property "
      "name='surtPrefixes'><list><value>http://(org,</value></list>"
      "</property><property name='targetSheetNames'><list><value>kind</value></list></property></bean>");
  ASSERT_EQ(imported.settings.settings().sheets.size(), 1U);
  std::vector<std::string> names;
  for (const settings::Overlay::Entry& entry : imported.settings.settings().sheets[0].values.entries())
    names.push_back(fmt::format("{}: {}", entry.field->name, entry.field->write(entry.value)));
  EXPECT_THAT(names, UnorderedElementsAre("policy: first-named", "agents: abot"));
}

TEST(Importer, KeepsSecretsForTheOwner) {
  EXPECT_TRUE(is_secret("fetchHttp.acceptHeaders[0]"));
  EXPECT_TRUE(is_secret("http.accept-headers[1]"));
  EXPECT_TRUE(is_secret("store.credentials[forum].formItems[login]"));
  EXPECT_TRUE(is_secret("store.form-items[login]"));
  EXPECT_TRUE(is_secret("x.userPwd"));
  EXPECT_FALSE(is_secret("fetchHttp.timeoutSeconds"));
  const Imported proxy = imported_from(
      "<bean class='FetchHTTP'><property name='httpProxyHost' value='p.example'/><property name='httpProxyUser' "
      "value='a@b'/><property name='httpProxyPassword' value='x/${y}:#'/></bean>");
  EXPECT_EQ(proxy.settings.settings().fetch.proxy, "http://a%40b:x%2F%24%7By%7D%3A%23@p.example:8000");
  const Imported sheet = imported_from(
      "<bean id='fetchHttp' class='FetchHTTP'/><bean id='s' class='Sheet'><property name='map'><map><entry "
      "key='fetchHttp.acceptHeaders'><list><value>X-Key: 1</value></list></entry></map></property></bean>"
      "<bean class='SurtPrefixesSheetAssociation'><property "
      "name='surtPrefixes'><list><value>http://(org,</value></list>"
      "</property><property name='targetSheetNames'><list><value>s</value></list></property></bean>");
  const std::string folder = ::testing::TempDir() + "caddis_import_secrets";
  std::filesystem::remove_all(folder);
  ASSERT_TRUE(write_import(io::real_files(), folder, sheet));
  EXPECT_EQ(std::filesystem::status(folder + "/crawl.yaml").permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  std::filesystem::remove_all(folder);
}

TEST(Importer, PagesAmongSurtsStandForTheirFolders) {
  const Imported imported = imported_from(scope_of_rules(
      "<bean class='SurtPrefixedDecideRule'><property name='seedsAsSurtPrefixes' value='false'/><property "
      "name='surtsSource'><value>http://x.org/dir/a.html\nhttp://(com,y,\nz.net</value></property></bean>"));
  EXPECT_THAT(imported.settings.settings().scope.rules,
              ElementsAre("accept surt http://(org,x,)/dir/ http://(com,y, http://(net,z,"));
}

}  // namespace
}  // namespace caddis::heritrix
