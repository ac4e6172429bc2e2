// The archive's plans in the database: domains, what they have, and what harvests refer to.

#include <gmock/gmock.h>

#include "caddis/harvest/domain_name.h"
#include "caddis/harvest/templates.h"
#include "caddis/harvest/testing.h"

namespace caddis::harvest {
namespace {

using sql::Connection;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Archive : public ArchiveTest {};
CADDIS_ON_BOTH_DATABASES(Archive);

TEST(DomainName, IsRegistrableAndInAscii) {
  EXPECT_EQ(domain_name_of(" Example.ORG ").value(), "example.org");
  EXPECT_EQ(domain_name_of("bücher.example").value(), "xn--bcher-kva.example");
  EXPECT_EQ(shown_domain("xn--bcher-kva.example"), "bücher.example");
  EXPECT_EQ(domain_name_of("192.0.2.7").value(), "192.0.2.7");
  EXPECT_THAT(domain_name_of("www.example.co.uk").error().message, HasSubstr("part of the domain example.co.uk"));
  EXPECT_THAT(domain_name_of("co.uk").error().message, HasSubstr("no domain that can be registered"));
  for (const std::string_view bad :
       {"", "http://a.example", "a b.example", "a.example/x", "%", "\"a.example\"", "a.example;1", "a'b.example"})
    EXPECT_FALSE(domain_name_of(bad)) << bad;
  EXPECT_EQ(domain_of_url("https://www.example.co.uk:8443/a").value(), "example.co.uk");
  EXPECT_EQ(domain_of_url("sub.bücher.example/x").value(), "xn--bcher-kva.example");
}

TEST(Seeds, HaveRemarksAndForms) {
  const std::string_view list =
      "# a remark\nhttp://a.example/\n\n b.example/x \nhttps://bücher.example/\nc.example:8080/?to=http://a.example/";
  EXPECT_TRUE(check_seeds(list));
  EXPECT_THAT(crawlable_seeds(list),
              ElementsAre("http://a.example/", "http://b.example/x", "https://xn--bcher-kva.example/",
                          "http://c.example:8080/?to=http://a.example/"));
  EXPECT_THAT(check_seeds("http://a.example/\nmailto:x@y").error().message, HasSubstr("line 2"));
}

TEST(Seeds, StandEachInALineOfItsOwn) {
  for (const std::string_view two :
       {"http://a.example/ http://b.example/", "a.example\tb.example", "http://a.example/a b"})
    EXPECT_THAT(check_seeds(two).error().message, HasSubstr("line 1: a blank in a seed; write each")) << two;
  EXPECT_TRUE(check_seeds("# two words\r\n\t http://a.example/a%20b \t\r\n"));
  // Lines of a list that was taken before are let be.
  EXPECT_TRUE(check_seeds("http://c.example/\na.example b.example", "a.example b.example\n"));
}

TEST(Traps, AreExpressionsOfJavaThatFitAWholeUrl) {
  EXPECT_THAT(trap_patterns(".*calendar.*\n\n.*\\?sort=.*").value(), ElementsAre("calendar", "\\?sort="));
  EXPECT_THAT(trap_patterns("ok\n(?<=a)b").error().message, HasSubstr("line 2"));
  EXPECT_THAT(trap_patterns("a(b").error().message, HasSubstr("line 1"));
}

TEST_P(Archive, NewDomainHasOneConfigurationAndOneSeed) {
  create({"a.example", "xn--bcher-kva.example", "192.0.2.7"});
  const Domain one = domain("a.example");
  EXPECT_EQ(one.default_configuration, "defaultconfig");
  ASSERT_EQ(one.configurations.size(), 1u);
  EXPECT_EQ(one.configurations[0].template_name, "default");
  EXPECT_EQ(one.configurations[0].limits, (Limits{kNoLimit, 1'000'000'000}));
  EXPECT_THAT(one.configurations[0].seed_lists, ElementsAre("defaultseeds"));
  ASSERT_EQ(one.seed_lists.size(), 1u);
  EXPECT_EQ(one.seed_lists[0].seeds, "http://www.a.example");
  EXPECT_EQ(domain("192.0.2.7").seed_lists[0].seeds, "http://192.0.2.7");
  // Lines that are there stay.
  EXPECT_EQ(got([&](Connection& c) { return create_domains(c, {"a.example", "b.example"}, {}, edit()); }), 1u);
  EXPECT_EQ(domain("b.example").configurations.size(), 1u);
}

TEST_P(Archive, DomainsAreFoundByTheLettersOfTheirNames) {
  create({"xn--rdgrd-vuad.example", "xn--bcher-kva.example", "plain.example"});
  const auto found = [&](const std::string& part) {
    std::string names;
    for (const DomainLine& line : got([&](Connection& c) { return list_domains(c, part, "", 10); }))
      names += line.name + " ";
    return names;
  };
  const auto expect_all = [&] {
    EXPECT_EQ(found("rødgrød"), "xn--rdgrd-vuad.example ");
    EXPECT_EQ(found("ØDGR"), "xn--rdgrd-vuad.example ");
    EXPECT_EQ(found("rød*"), "xn--rdgrd-vuad.example ");
    EXPECT_EQ(found("ødgr*"), "");
    EXPECT_EQ(found("ü"), "xn--bcher-kva.example ");
    EXPECT_EQ(found("u\u0308cher.ex"), "xn--bcher-kva.example ");  // as some keyboards write it
    EXPECT_EQ(found("xn--b"), "xn--bcher-kva.example ");
    EXPECT_EQ(found("PLAIN"), "plain.example ");
    EXPECT_EQ(found("ø%"), "");
  };
  expect_all();
  // As they were before there was a column for it.
  done([](Connection& c) { return c.execute("UPDATE domains SET shown = ''"); });
  EXPECT_EQ(found("rødgrød"), "");
  const int64_t last = got([](Connection& c) { return fill_shown_names(c, 0); });
  EXPECT_GT(last, 0);
  EXPECT_EQ(got([&](Connection& c) { return fill_shown_names(c, last); }), 0);
  EXPECT_EQ(got([&](Connection& c) { return fill_shown_names(c, 0); }), 0);
  expect_all();
}

TEST_P(Archive, DomainIsSavedAsAWhole) {
  create({"a.example"});
  Domain one = domain("a.example");
  const int64_t id = one.configurations[0].id;
  one.comments = "a library";
  one.traps = ".*calendar.*";
  one.seed_lists.push_back({"news", "http://news.a.example/\n", "daily"});
  one.credentials.push_back({"members", "http://a.example/", "Members", "me", "secret", ""});
  Configuration second;
  second.name = "front";
  second.template_name = "default";
  second.limits = {100, kNoLimit};
  second.seed_lists = {"news", "defaultseeds"};
  second.credentials = {"members"};
  second.overrides = "scope: {max-hops: 1}";
  one.configurations.push_back(second);
  one.default_configuration = "front";
  save(one);
  Domain saved = domain("a.example");
  EXPECT_EQ(saved.edition, 2);
  EXPECT_EQ(saved.default_configuration, "front");
  EXPECT_EQ(saved.configurations[0].id, id);
  EXPECT_THAT(saved.configurations[1].seed_lists, ElementsAre("defaultseeds", "news"));
  EXPECT_EQ(saved.credentials[0].password, "secret");
  // A password that is not given stays; what is taken out is gone.
  saved.credentials[0].password.clear();
  saved.configurations.erase(saved.configurations.begin());
  save(saved);
  saved = domain("a.example");
  EXPECT_EQ(saved.credentials[0].password, "secret");
  EXPECT_EQ(saved.configurations.size(), 1u);
}

TEST_P(Archive, WhatIsRenamedStaysWhatItWas) {
  create({"a.example"});
  Domain one = domain("a.example");
  const int64_t id = one.configurations[0].id;
  one.credentials.push_back({"l1", "", "Members", "me", "secret", ""});
  one.configurations[0].credentials = {"l1"};
  save(one);
  // As the editor sends it: configurations may still have the old names.
  one = domain("a.example");
  one.seed_lists[0].was = std::exchange(one.seed_lists[0].name, "front");
  one.credentials[0].was = std::exchange(one.credentials[0].name, "intranet");
  one.credentials[0].password.clear();
  one.configurations[0].was = std::exchange(one.configurations[0].name, "daily");
  save(one);
  one = domain("a.example");
  EXPECT_EQ(one.credentials[0].name, "intranet");
  EXPECT_EQ(one.credentials[0].password, "secret");
  EXPECT_EQ(one.default_configuration, "daily");
  EXPECT_EQ(one.configurations[0].id, id);
  EXPECT_THAT(one.configurations[0].seed_lists, ElementsAre("front"));
  EXPECT_THAT(one.configurations[0].credentials, ElementsAre("intranet"));
  // Two exchange their names; a new one takes a name that has become free.
  one.credentials.push_back({"other", "", "Staff", "me", "hidden", ""});
  save(one);
  one = domain("a.example");
  one.credentials[0].was = std::exchange(one.credentials[0].name, "other");
  one.credentials[1].was = std::exchange(one.credentials[1].name, "intranet");
  for (Credential& credential : one.credentials) credential.password.clear();
  one.seed_lists[0].was = std::exchange(one.seed_lists[0].name, "start");
  one.seed_lists.push_back({"front", "http://new.a.example/", ""});
  save(one);
  one = domain("a.example");
  EXPECT_EQ(one.credentials[0].password, "hidden");
  EXPECT_EQ(one.credentials[1].password, "secret");
  EXPECT_EQ(one.seed_lists[0].seeds, "http://new.a.example/");
  EXPECT_EQ(one.seed_lists[1].seeds, "http://www.a.example");
  one.credentials[0].was = "nothing";
  EXPECT_THAT(why([&](Connection& c) { return save_domain(c, one, edit()); }), HasSubstr("no 'nothing' to be renamed"));
}

TEST_P(Archive, WhoHasSeenAnOlderEditionIsRefused) {
  create({"a.example"});
  Domain mine = domain("a.example"), theirs = mine;
  mine.comments = "mine";
  theirs.comments = "theirs";
  save(mine);
  EXPECT_THAT(why([&](Connection& c) { return save_domain(c, theirs, edit()); }), HasSubstr("somebody else"));
  EXPECT_EQ(domain("a.example").comments, "mine");
}

TEST_P(Archive, DomainThatMakesNoSenseIsRefused) {
  create({"a.example", "b.example"});
  const auto refusal = [&](const std::function<void(Domain&)>& change) {
    Domain one = domain("a.example");
    change(one);
    return why([&](Connection& c) { return save_domain(c, one, edit()); });
  };
  EXPECT_THAT(refusal([](Domain& one) { one.seed_lists[0].seeds = "nonsense://"; }), HasSubstr("defaultseeds"));
  EXPECT_THAT(refusal([](Domain& one) { one.traps = "("; }), HasSubstr("crawler traps"));
  EXPECT_THAT(refusal([](Domain& one) { one.default_configuration = "x"; }), HasSubstr("no configuration 'x'"));
  EXPECT_THAT(refusal([](Domain& one) { one.configurations[0].template_name = "x"; }), HasSubstr("no template 'x'"));
  EXPECT_THAT(refusal([](Domain& one) { one.configurations[0].seed_lists = {"x"}; }), HasSubstr("no 'x'"));
  EXPECT_THAT(refusal([](Domain& one) { one.configurations[0].overrides = "scope: {max-hop: 1}"; }),
              HasSubstr("max-hop"));
  EXPECT_THAT(refusal([](Domain& one) { one.alias_of = "c.example"; }), HasSubstr("no domain 'c.example'"));
  EXPECT_THAT(refusal([](Domain& one) { one.alias_of = "a.example"; }), HasSubstr("cannot be an alias of itself"));
  EXPECT_EQ(domain("a.example").edition, 1);
}

TEST_P(Archive, AliasesDoNotMakeChains) {
  create({"a.example", "b.example", "c.example"});
  Domain alias = domain("b.example");
  alias.alias_of = "a.example";
  save(alias);
  EXPECT_EQ(domain("b.example").alias_confirmed, now());
  Domain further = domain("c.example");
  further.alias_of = "b.example";
  EXPECT_THAT(why([&](Connection& c) { return save_domain(c, further, edit()); }), HasSubstr("one itself"));
  Domain father = domain("a.example");
  father.alias_of = "c.example";
  EXPECT_THAT(why([&](Connection& c) { return save_domain(c, father, edit()); }), HasSubstr("has aliases"));
  further.alias_of = "c.example";
  EXPECT_EQ(why([&](Connection& c) { return save_domain(c, further, edit()); }),
            "c.example cannot be an alias of itself: name another domain");
}

TEST_P(Archive, DomainsAreListedByPartsOfNames) {
  create({"a.example", "b.example", "ab.example", "a_b.example"});
  const auto names = [&](const std::string& part, const std::string& after, int64_t limit) {
    std::vector<std::string> found;
    for (const DomainLine& line : got([&](Connection& c) { return list_domains(c, part, after, limit); }))
      found.push_back(line.name);
    std::ranges::sort(found);
    return found;
  };
  EXPECT_EQ(names("", "", 10).size(), 4u);
  EXPECT_THAT(names("a*", "", 10), ElementsAre("a.example", "a_b.example", "ab.example"));
  EXPECT_THAT(names("_", "", 10), ElementsAre("a_b.example"));
  EXPECT_EQ(names("", "", 3).size(), 3u);
}

TEST_P(Archive, HundredThousandDomainsAreCreatedInSeconds) {
  std::vector<std::string> names;
  for (int i = 0; i < 100'000; ++i) names.push_back("d" + std::to_string(i) + ".example");
  create(names);
  EXPECT_EQ(domain("d77777.example").seed_lists[0].seeds, "http://www.d77777.example");
}

TEST_P(Archive, FirstPlansAreThoseOfTheDescription) {
  std::vector<std::string> names;
  for (const NamedSchedule& one : got(list_schedules)) names.push_back(one.name);
  EXPECT_THAT(names, ElementsAre("daily", "hourly", "monthly", "weekly"));
  EXPECT_EQ(got(list_channels).size(), 2u);
  EXPECT_EQ(got(list_templates).size(), 1u);
}

TEST_P(Archive, DefaultChannelGivesWayToAnotherAlone) {
  const auto removal = [&](const std::string& name) {
    return why([&](Connection& c) { return remove_plan(c, "channel", name, edit()); });
  };
  EXPECT_THAT(removal("FOCUSED"), HasSubstr("make another one the default first"));
  Channel focused = got([](Connection& c) { return find_channel(c, "FOCUSED"); });
  focused.is_default = false;
  EXPECT_THAT(why([&](Connection& c) { return save_channel(c, focused, edit()); }), HasSubstr("the default first"));
  focused.is_default = focused.is_snapshot = true;
  EXPECT_THAT(why([&](Connection& c) { return save_channel(c, focused, edit()); }), HasSubstr("the default first"));
  done([&](Connection& c) { return save_channel(c, {.name = "NEWS", .is_default = true}, edit()); });
  done([&](Connection& c) { return remove_plan(c, "channel", "FOCUSED", edit()); });
  EXPECT_THAT(removal("NEWS"), HasSubstr("make another one the default first"));
}

TEST_P(Archive, SnapshotIsBasedOnNoneThatGoesOnWithIt) {
  create({"a.example"});
  const auto refusal = [&](const Definition& one) {
    return why([&](Connection& c) { return save_definition(c, one, edit()); });
  };
  snapshot("one", {kNoLimit, 1000});
  snapshot("two", {kNoLimit, 2000}, "one");
  snapshot("three", {kNoLimit, 3000}, "two");
  Definition one = definition("one");
  one.based_on = "three";
  EXPECT_THAT(refusal(one), HasSubstr("'three' goes on with 'one' itself"));
  one.based_on = "one";
  EXPECT_THAT(refusal(one), HasSubstr("based on another one"));
  Definition three = definition("three");
  three.based_on = "one";
  define(three);  // it has not run yet
  ASSERT_TRUE(generate("one").value());
  snapshot("other", {kNoLimit, 1000});
  one = definition("one");
  one.comments = "a comment";
  define(one);
  one = definition("one");
  one.based_on = "other";
  EXPECT_THAT(refusal(one), HasSubstr("'one' has run, based on nothing: that stays"));
}

TEST_P(Archive, DomainIsNotCreatedForAConfigurationThatItWillNotHave) {
  Definition news;
  news.name = "news";
  news.kind = "selective";
  news.schedule = "daily";
  define(news);
  const auto add = [&](const std::string& domain, const std::string& configuration) {
    return got([&](Connection& c) { return add_configurations(c, "news", {{domain, configuration}}, {}, edit()); });
  };
  const Added wrong = add("a.example", "deep");
  EXPECT_EQ(wrong.created_domains, 0);
  EXPECT_THAT(wrong.problems, ElementsAre("a.example has no configuration 'deep'"));
  EXPECT_EQ(got([](Connection& c) { return find_domain_id(c, "a.example"); }), std::nullopt);
  EXPECT_EQ(add("a.example", "defaultconfig").created_domains, 1);
  EXPECT_EQ(add("b.example", "").added, 1);
  EXPECT_THAT(add("b.example", "deep").problems, ElementsAre("b.example has no configuration 'deep'"));
}

TEST_P(Archive, PlansHaveEditionsAndAreNotRemovedWhileUsed) {
  NamedSchedule own;
  own.name = "mondays";
  own.schedule.frequency = {Unit::week, 1, 0, 6, 1, {}};
  done([&](Connection& c) { return save_schedule(c, own, edit()); });
  EXPECT_THAT(why([&](Connection& c) { return save_schedule(c, own, edit()); }), HasSubstr("already"));
  own.edition = 7;
  EXPECT_THAT(why([&](Connection& c) { return save_schedule(c, own, edit()); }), HasSubstr("somebody else"));
  Definition news;
  news.name = "news";
  news.kind = "selective";
  news.schedule = "mondays";
  define(news);
  EXPECT_THAT(why([&](Connection& c) { return remove_plan(c, "schedule", "mondays", edit()); }), HasSubstr("in use"));
  done([&](Connection& c) { return remove_definition(c, "news", edit()); });
  done([&](Connection& c) { return remove_plan(c, "schedule", "mondays", edit()); });
  const auto changes = got([](Connection& c) { return changes_of(c, "schedule", "mondays", 10); });
  ASSERT_EQ(changes.size(), 2u);
  EXPECT_EQ(changes[0].what, "removed");
  EXPECT_EQ(changes[0].who, "alice");
  const auto rest = got([&](Connection& c) { return changes_of(c, "schedule", "mondays", 10, changes[0].id); });
  ASSERT_EQ(rest.size(), 1u);
  EXPECT_EQ(rest[0].what, "created");
}

TEST_P(Archive, TemplatesAreReadBeforeTheyAreKept) {
  const auto upload = [&](const std::string& name, const std::string& source) {
    return why([&](Connection& c) {
      Template one;
      one.name = name;
      one.source = source;
      return save_template(c, one, edit());
    });
  };
  EXPECT_EQ(upload("deep", "extends: domain\nscope: {max-hops: 50}\n"), "it did not fail");
  EXPECT_THAT(upload("bad", "scope: {max-hop: 50}\n"), HasSubstr("template.yaml:1"));
  EXPECT_THAT(upload("seeds", "crawl: {seeds: [http://a.example/]}\n"), HasSubstr("has no seeds"));
  EXPECT_THAT(upload("strange", "<beans></beans>"), HasSubstr("has no beans"));
  EXPECT_EQ(got([](Connection& c) { return find_template(c, "deep"); }).edition, 1);
}

TEST_P(Archive, DomainsWithTwoSeedsInALineAreSavedIfTheyHadThem) {
  create({"a.example"});
  Domain one = domain("a.example");
  one.seed_lists[0].seeds += "\nhttp://a.example/x http://a.example/y";
  EXPECT_THAT(why([&](Connection& c) { return save_domain(c, one, edit()); }),
              HasSubstr("list of seeds 'defaultseeds': line 2: a blank in a seed"));
  done([&](Connection& c) {
    return c.execute("UPDATE seed_lists SET seeds = ?", sql::Values("http://a.example/x http://a.example/y"));
  });
  one.seed_lists[0].was = one.seed_lists[0].name;
  one.seed_lists[0].name = "seeds";
  one.seed_lists[0].seeds = "http://a.example/x http://a.example/y\nhttp://a.example/z";
  done([&](Connection& c) { return save_domain(c, one, edit()); });
}

TEST_P(Archive, ExtendedFieldsHaveKindsAndDefaults) {
  create({"a.example"});
  const int64_t id = domain("a.example").id;
  ExtendedField field;
  field.name = "subject";
  field.target = "domain";
  field.kind = "choice";
  field.choices = {"press", "law"};
  field.default_value = "press";
  done([&](Connection& c) { return save_field(c, field, edit()); });
  ExtendedField other = field;
  other.target = "harvest";
  done([&](Connection& c) { return save_field(c, other, edit()); });
  EXPECT_EQ(got([&](Connection& c) { return list_fields(c, "domain"); }).size(), 1u);
  EXPECT_EQ(got([&](Connection& c) { return list_fields(c, ""); }).size(), 2u);
  other.most_length = 0;
  EXPECT_THAT(why([&](Connection& c) { return save_field(c, other, edit()); }), HasSubstr("most_length"));
  EXPECT_EQ(got([&](Connection& c) { return values_of(c, "domain", id); })[0].value, "press");
  done([&](Connection& c) { return save_values(c, "domain", id, "a.example", {{"subject", "law"}}, edit()); });
  EXPECT_EQ(got([&](Connection& c) { return values_of(c, "domain", id); })[0].value, "law");
  EXPECT_THAT(
      why([&](Connection& c) { return save_values(c, "domain", id, "a.example", {{"subject", "art"}}, edit()); }),
      HasSubstr("press, law"));
  EXPECT_THAT(why([&](Connection& c) { return save_values(c, "domain", id, "a.example", {{"other", "x"}}, edit()); }),
              HasSubstr("no field 'other'"));
}

}  // namespace
}  // namespace caddis::harvest
