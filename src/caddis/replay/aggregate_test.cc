// Several collections under one name, over the routes of a collection.
#include "caddis/replay/aggregate.h"

#include <gmock/gmock.h>

#include "caddis/replay/rules_api.h"
#include "caddis/replay/wayback_fixture.h"

namespace caddis::replay {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view kPage = "http://example.org/";

class AggregateTest : public WaybackTest {
 protected:
  // A collection of one archive file.
  void add(const std::string& name, const ArchiveMaker& of) { put("all/" + name + "/archive/x.warc.gz", of.bytes()); }
  void open_all(const std::vector<std::string>& aggregates, const AggregateWords& words = {}) {
    auto collections = open_collections(files, clock, "all");
    ASSERT_TRUE(collections) << collections.error().message;
    const auto added = add_aggregates(*collections, aggregates, AbsentMembers::are_refused, words);
    ASSERT_TRUE(added) << added.error().message;
    std::vector<std::string> all;
    for (const auto& collection : *collections) all.push_back(collection->name());
    auto origins = Origins::create(names, all, "secret");
    ASSERT_TRUE(origins);
    wayback = std::make_unique<Wayback>(files, *std::move(collections), *std::move(origins));
  }
  std::string refusal(const std::string& aggregate) {
    auto collections = open_collections(files, clock, "all");
    EXPECT_TRUE(collections);
    const auto added = add_aggregates(*collections, {"known=a", aggregate});
    if (added) return "none";
    EXPECT_EQ(added.error().code, ErrorCode::config);
    return added.error().message;
  }
  static ArchiveMaker page_at(std::string_view timestamp, std::string_view body) {
    ArchiveMaker made;
    made.response(kPage, timestamp, http_ok("text/html", body));
    return made;
  }
};

TEST_F(AggregateTest, ShowsTheClosestOfAllItsMembers) {
  add("a", page_at("20200101000000", "of a"));
  add("b", page_at("20210101000000", "of b"));
  add("c", page_at("20220101000000", "of c"));
  open_all({"both=b,a", "all=*"});
  EXPECT_EQ(get("/both/20200101000000id_/http://example.org/").body, "of a");
  EXPECT_EQ(get("/both/20210101000000id_/http://example.org/").body, "of b");
  EXPECT_EQ(header(get("/both/2022id_/http://example.org/"), "memento-datetime"), "Fri, 01 Jan 2021 00:00:00 GMT");
  EXPECT_EQ(get("/all/20220101000000id_/http://example.org/").body, "of c");
  EXPECT_THAT(get("/both/*/http://example.org/").body,
              AllOf(HasSubstr("/both/20200101000000/"), HasSubstr("/both/20210101000000/"), Not(HasSubstr("2022"))));
  const std::string lines = get("/both/cdx?url=http://example.org/").body;
  EXPECT_THAT(lines, AllOf(HasSubstr(" 20200101000000 "), HasSubstr(" 20210101000000 "), Not(HasSubstr(" 2022"))));
  EXPECT_THAT(get("/both/timemap/link/http://example.org/").body,
              AllOf(HasSubstr("/both/20200101000000mp_/"), HasSubstr("/both/20210101000000mp_/")));
  const auto gate = get("/both/timegate/http://example.org/", {{"Accept-Datetime", "Wed, 01 Jan 2020 00:00:00 GMT"}});
  EXPECT_THAT(header(gate, "location"), HasSubstr("/both/20200101000000"));
  EXPECT_THAT(get("/collinfo.json").body, AllOf(HasSubstr("\"id\":\"both\""), HasSubstr("/all/timegate/")));
  EXPECT_THAT(get("/both/search?url=example.org/*").body, HasSubstr("/both/"));
  EXPECT_EQ(get("/both/info?url=http://example.org/&time=20200101000000").status, 200);
  EXPECT_EQ(get("/both/compare?url=http://example.org/&a=20200101000000&b=20210101000000").status, 200);
  EXPECT_THAT(get("/").body, HasSubstr("/both/"));
  // A search in all collections gives each capture once.
  const std::string all = get("/cdx/search/cdx?url=http://example.org/").body;
  EXPECT_EQ(std::ranges::count(all, '\n'), 3);
}

TEST_F(AggregateTest, WebIsAllOfThem) {
  add("a", page_at("20200101000000", "of a"));
  add("b", page_at("20210101000000", "of b"));
  ArchiveMaker other;
  other.response("http://only.org/", "20220101000000", http_ok("text/html", "of c"));
  add("c", other);
  open_all({"both=a,b"});
  EXPECT_THAT(get("/web/timemap/link/http://only.org/").body, HasSubstr("/web/20220101000000mp_/http://only.org/>"));
  const std::string map = get("/web/timemap/link/http://example.org/").body;
  EXPECT_THAT(map, AllOf(HasSubstr("/web/20200101000000mp_/"), HasSubstr("/web/20210101000000mp_/")));
  EXPECT_EQ(std::ranges::count(map, '\n'), 5);  // each once, though an aggregate has them, too
  const auto gate = get("/web/timegate/http://example.org/", {{"Accept-Datetime", "Fri, 01 Jan 2021 00:00:00 GMT"}});
  EXPECT_EQ(header(gate, "location"), "/web/20210101000000/http://example.org/");
  EXPECT_THAT(header(gate, "link"),
              HasSubstr("/web/20200101000000mp_/http://example.org/>; rel=\"first prev memento\""));
  EXPECT_EQ(get("/web/20210101000000/http://example.org/").body.find("of b") == std::string::npos, false);
  EXPECT_THAT(get("/web/cdx?url=only.org").body, HasSubstr(" 20220101000000 "));
  EXPECT_EQ(get("/web/timemap/link/http://none.org/").status, 404);
  const auto missing = get_for("document", "/web/timegate/http://none.org/");
  EXPECT_EQ(missing.status, 404);
  EXPECT_THAT(missing.body, HasSubstr("name=\"collection\" value=\"a\""));
}

TEST_F(AggregateTest, IsToldOfInWords) {
  add("a", page_at("20200101000000", "of a"));
  put("words.yaml", "title: All the news\ndescription: Daily and weekly.\nplace: Berne\n");
  const auto words = aggregate_words(files, {"news=a", "all=*"}, {"news=words.yaml"});
  ASSERT_TRUE(words) << words.error().message;
  open_all({"news=a", "all=*"}, *words);
  EXPECT_THAT(get("/news/").body, AllOf(HasSubstr("All the news"), HasSubstr("Daily and weekly."), HasSubstr("Berne")));
  EXPECT_THAT(get("/").body, HasSubstr("All the news"));
  EXPECT_THAT(get("/collinfo.json").body,
              AllOf(HasSubstr(R"("id":"news","name":"All the news")"),
                    HasSubstr(R"("description":"Daily and weekly.")"), HasSubstr(R"("id":"all","name":"all")")));
  // It is read when it is asked for.
  ASSERT_TRUE(files.write_atomically("words.yaml", "title: Other news\n"));
  EXPECT_THAT(get("/news/").body, HasSubstr("Other news"));
  const auto refusal_of = [&](const std::string& wanted) {
    const auto made = aggregate_words(files, {"news=a"}, {wanted});
    return made ? std::string("none") : made.error().message;
  };
  EXPECT_THAT(refusal_of("news"), HasSubstr("write NAME=FILE"));
  EXPECT_THAT(refusal_of("other=words.yaml"), HasSubstr("'other' is no aggregate"));
  EXPECT_THAT(refusal_of("news=none.yaml"), HasSubstr("no such file"));
  ASSERT_TRUE(files.write_atomically("words.yaml", "- a list\n"));
  EXPECT_THAT(refusal_of("news=words.yaml"), HasSubstr("words.yaml:1"));
}

TEST_F(AggregateTest, WhoeverAsksForItsRulesIsToldOfItsMembers) {
  add("a", page_at("20200101000000", "of a"));
  add("b", page_at("20210101000000", "of b"));
  auto collections = open_collections(files, clock, "all");
  ASSERT_TRUE(collections);
  ASSERT_TRUE(add_aggregates(*collections, {"ba=b,a"}));
  const auto rules = ServedRules::open(files, clock, "", *collections);
  ASSERT_TRUE(rules);
  http::ServerRequest request;
  request.method = "GET";
  request.path = "/api/access/rules";
  request.query = "collection=ba";
  const auto refused = answer_rules(**rules, clock, request, {});
  EXPECT_EQ(refused.status, 404);
  EXPECT_THAT(refused.body,
              HasSubstr("ba is an aggregate, which has no rules of its own: name one of its members (b, a)"));
  request.query = "collection=c";
  EXPECT_THAT(answer_rules(**rules, clock, request, {}).body, HasSubstr("there is no collection c"));
}

TEST_F(AggregateTest, HasTheMembersThatAreThere) {
  add("a", page_at("20200101000000", "of a"));
  auto collections = open_collections(files, clock, "all");
  ASSERT_TRUE(collections);
  const auto added = add_aggregates(*collections, {"ab=a,b", "b=b", "all=*"}, AbsentMembers::are_left_out);
  ASSERT_TRUE(added) << added.error().message;
  std::vector<std::string> names;
  for (const auto& one : *collections) names.push_back(one->name());
  EXPECT_THAT(names, ::testing::ElementsAre("a", "ab", "all"));
  std::vector<std::shared_ptr<Collection>> none;
  EXPECT_TRUE(add_aggregates(none, {"ab=a,b", "all=*"}, AbsentMembers::are_left_out));
  EXPECT_TRUE(none.empty());
}

TEST_F(AggregateTest, AMemberThatIsNamedFirstComesFirst) {
  // The same name of a file, and the same place in it.
  add("a", page_at("20200101000000", "of a"));
  add("b", page_at("20200101000000", "of b"));
  open_all({"ab=a,b", "ba=b,a"});
  EXPECT_EQ(get("/ab/20200101000000id_/http://example.org/").body, "of a");
  EXPECT_EQ(get("/ba/20200101000000id_/http://example.org/").body, "of b");
  EXPECT_EQ(get("/ba/2023id_/http://example.org/").body, "of b");
  // Other payloads: no copies.
  const std::string lines = get("/ab/cdx?url=http://example.org/").body;
  EXPECT_EQ(std::ranges::count(lines, '\n'), 2);
}

TEST_F(AggregateTest, ACopyInAnotherMemberIsNoSecondCapture) {
  const ArchiveMaker made = page_at("20200101000000", "of both");
  add("a", made);
  add("b", made);
  open_all({"ab=a,b"});
  const std::string lines = get("/ab/cdx?url=http://example.org/").body;
  EXPECT_EQ(std::ranges::count(lines, '\n'), 1);
}

TEST_F(AggregateTest, RevisitsFindOriginalsInOtherMembers) {
  const std::string digest = "sha1:2JWOQBBAGPDXYIBTUSVU5E4TQJFOZ3QB";
  ArchiveMaker first, later;
  first.record("response", kPage, "20200101000000",
               "Content-Type: application/http;msgtype=response\r\nWARC-Payload-Digest: " + digest + "\r\n",
               http_ok("text/plain", "the original"));
  later.revisit(kPage, "20210101000000", digest, kPage, "20200101000000", "");
  add("a", later);
  add("b", first);
  open_all({"ab=a,b"});
  const auto shown = get("/ab/20210101000000id_/http://example.org/");
  EXPECT_EQ(shown.status, 200);
  EXPECT_EQ(shown.body, "the original");
  EXPECT_EQ(header(shown, "memento-datetime"), "Fri, 01 Jan 2021 00:00:00 GMT");
}

TEST_F(AggregateTest, CapturesHaveAHostOfTheAggregate) {
  add("a", page_at("20200101000000", "of a"));
  open_all({"ab=a"});
  const auto framed = get_for("document", "/ab/20200101000000/http://example.org/");
  EXPECT_THAT(framed.body, HasSubstr("//ab.localhost:8080/ab/"));
  EXPECT_THAT(get_for("iframe", "/ab/20200101000000mp_/http://example.org/", "ab.localhost:8080").body,
              HasSubstr("of a"));
  EXPECT_EQ(get_for("iframe", "/ab/20200101000000mp_/http://example.org/", "a.localhost:8080").status, 404);
}

TEST_F(AggregateTest, WhatIsMissingIsLookedForInTheOthers) {
  add("a", page_at("20200101000000", "of a"));
  ArchiveMaker other;
  other.response("http://other.org/", "20200101000000", http_ok("text/html", "x"));
  add("b", other);
  add("c", other);
  open_all({"ab=a,b"});
  EXPECT_EQ(get("/ab/2020id_/http://other.org/").status, 200);
  const auto missing = get_for("document", "/a/2020/http://other.org/");
  EXPECT_EQ(missing.status, 404);
  EXPECT_THAT(missing.body, AllOf(HasSubstr("/b/*/"), HasSubstr("/c/*/"), Not(HasSubstr("/ab/*/"))));
}

TEST_F(AggregateTest, RefusesWhatIsNone) {
  add("a", page_at("20200101000000", "of a"));
  EXPECT_EQ(refusal("ok=a"), "none");
  EXPECT_THAT(refusal("a"), HasSubstr("write NAME=FIRST,SECOND"));
  EXPECT_THAT(refusal("x/y=a"), HasSubstr("names have letters"));
  EXPECT_THAT(refusal("x="), HasSubstr("write NAME=FIRST,SECOND"));
  EXPECT_THAT(refusal("x=a,z"), HasSubstr("'z', which is no collection here; there are: a"));
  EXPECT_THAT(refusal("x=known"), HasSubstr("an aggregate itself"));
  EXPECT_THAT(refusal("x=a,a"), HasSubstr("twice"));
  EXPECT_THAT(refusal("a=a"), HasSubstr("the name of another one"));
  EXPECT_THAT(refusal("known=a"), HasSubstr("the name of another one"));
}

}  // namespace
}  // namespace caddis::replay
