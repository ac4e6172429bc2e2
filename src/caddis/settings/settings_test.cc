#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "caddis/settings/render.h"
#include "caddis/settings/sections.h"
#include "caddis/settings/yaml.h"

namespace caddis::settings {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

enum class Robots { obey, ignore };

struct Net {
  int64_t max_hops = 20;
  int retries = 3;
  size_t max_body = 4'000'000;
  double factor = 5;
  bool follow = true;
  std::string user_agent = "caddis";
  std::string password;
  std::vector<std::string> exclude = {"a"};
  Duration timeout = seconds(20);
  std::optional<Duration> delay;
  Robots robots = Robots::obey;
};
struct Store {
  std::string prefix = "CADDIS";
};

}  // namespace

template <>
const Schema& schema_of<Net>() {
  static const Schema schema(
      "net", "How pages are fetched.",
      {
          field<&Net::max_hops>("max-hops", "Follow at most this many hops.",
                                {.flags = kLive, .min = "0", .option = "--max-hops"}),
          field<&Net::retries>("retries", "Try this often.", {.min = "0"}),
          field<&Net::max_body>("max-body", "Cut longer bodies.", {.unit = kBytes, .min = "1KB"}),
          field<&Net::factor>("factor", "Wait this many times as long as the fetch took.",
                              {.min = "0.5", .max = "100"}),
          field<&Net::follow>("follow", "Follow redirects."),
          field<&Net::user_agent>("user-agent", "The name | to servers.", {.check = free_text}),
          field<&Net::password>("password", "For the proxy.", {.flags = kSecret}),
          field<&Net::exclude>("exclude", "What is left out.", {.flags = kLive, .option = "--exclude"}),
          field<&Net::timeout>("timeout", "Give up after this silence.",
                               {.flags = kSheet | kLive, .min = "100ms", .max = "1h"}),
          field<&Net::delay>("delay", "Wait exactly this long; unset, it is computed.", {.min = "0s"}),
          field<&Net::robots>("robots", "What to make of robots.txt.",
                              {.choices = {choice("obey", Robots::obey), choice("classic", Robots::obey),
                                           choice("ignore", Robots::ignore)}}),
      });
  return schema;
}
template <>
const Schema& schema_of<Store>() {
  static const Schema schema("store", "Where it goes.",
                             {field<&Store::prefix>("prefix", "The first word of file names.")});
  return schema;
}

namespace {

std::string error_of(const Result<void>& result) { return result ? "" : result.error().message; }

TEST(Apply, ReadsEveryKind) {
  Net net;
  const auto set = [&](std::string_view name, std::string_view text) {
    EXPECT_EQ(error_of(apply(net, name, text, "here")), "");
  };
  set("max-hops", "7");
  set("max-body", "2MiB");
  set("factor", "2.5");
  set("follow", "no");
  set("user-agent", "other: one");
  set("exclude", "b,c");
  set("timeout", "1m30s");
  set("delay", "250ms");
  set("robots", "classic");
  EXPECT_EQ(net.max_hops, 7);
  EXPECT_EQ(net.max_body, 2u << 20);
  EXPECT_EQ(net.factor, 2.5);
  EXPECT_FALSE(net.follow);
  EXPECT_EQ(net.user_agent, "other: one");
  EXPECT_EQ(net.exclude, std::vector<std::string>{"b,c"});
  EXPECT_EQ(net.timeout, seconds(90));
  EXPECT_EQ(net.delay, milliseconds(250));
  EXPECT_EQ(net.robots, Robots::obey);
  set("delay", "");
  EXPECT_EQ(net.delay, std::nullopt);
  EXPECT_TRUE(apply(section(net), "exclude", std::vector<std::string>{"x", "y"}, "--exclude"));
  EXPECT_EQ(net.exclude, (std::vector<std::string>{"x", "y"}));
}

TEST(Apply, SaysWhatIsWrongAndWhatWouldBeRight) {
  Net net;
  const auto refused = [&](std::string_view name, std::string_view text) {
    return error_of(apply(net, name, text, "--x"));
  };
  EXPECT_EQ(refused("max-hop", "1"), "--x: unknown setting 'max-hop'; did you mean 'max-hops'?");
  EXPECT_EQ(refused("max-hops", "-1"), "--x: max-hops: -1 is less than 0");
  EXPECT_EQ(refused("max-hops", "many"), "--x: max-hops: 'many' is not a whole number");
  EXPECT_EQ(refused("retries", "9999999999"), "--x: retries: 9999999999 is too large or negative");
  EXPECT_EQ(refused("max-body", "10"), "--x: max-body: 10 is less than 1KB");
  EXPECT_EQ(refused("factor", "nan"), "--x: factor: 'nan' is not a number");
  EXPECT_EQ(refused("factor", "0.1"), "--x: factor: 0.1 is outside 0.5 to 100");
  EXPECT_EQ(refused("follow", "maybe"), "--x: follow: 'maybe' is neither true nor false");
  EXPECT_EQ(refused("timeout", "5ms"), "--x: timeout: 5ms is outside 100ms to 1h");
  EXPECT_EQ(refused("timeout", "5"), "--x: timeout: 5 of what? Write 5s or 5ms, for example");
  EXPECT_EQ(refused("timeout", "soon"), "--x: timeout: 'soon' is not a duration; write it as 250ms, 30s, 1h30m or 2d");
  EXPECT_EQ(refused("robots", "obay"), "--x: robots: 'obay' is none of obey, classic, ignore; did you mean 'obey'?");
  EXPECT_EQ(error_of(apply(section(net), "retries", std::vector<std::string>{"1", "2"}, "--x")),
            "--x: retries takes one value, not 2");
  EXPECT_EQ(error_of(apply(Sections{section(net)}, "nett", "retries", "1", "--x")),
            "--x: unknown section 'nett'; did you mean 'net'?");
}

TEST(Yaml, LoadsWhatItNamesAndLeavesTheRest) {
  Net net;
  Store store;
  const auto done = load_yaml(
      "# comment\nnet:\n  max-hops: 3\n  exclude: [one, 'two: 2']\n  delay: null\n  timeout: 45s\n  follow: "
      "off\nstore:\n  prefix: \"A B\"\n",
      "crawl.yaml", {section(net), section(store)});
  EXPECT_EQ(error_of(done), "");
  EXPECT_EQ(net.max_hops, 3);
  EXPECT_EQ(net.exclude, (std::vector<std::string>{"one", "two: 2"}));
  EXPECT_EQ(net.timeout, seconds(45));
  EXPECT_FALSE(net.follow);
  EXPECT_EQ(net.retries, 3);
  EXPECT_EQ(store.prefix, "A B");
  EXPECT_TRUE(load_yaml("", "crawl.yaml", {section(net)}));
  EXPECT_TRUE(load_yaml("\xEF\xBB\xBFnet:\n  max-hops: 4\n", "crawl.yaml", {section(net)}));
  EXPECT_EQ(net.max_hops, 4);
  EXPECT_TRUE(load_yaml("net:\n", "crawl.yaml", {section(net)}));
}

TEST(Yaml, NamesFileLineReasonAndRemedy) {
  Net net;
  Store store;
  const auto refused = [&](std::string_view text) {
    return error_of(load_yaml(text, "crawl.yaml", {section(net), section(store)}));
  };
  EXPECT_EQ(refused("net:\n  max-hop: 3\n"), "crawl.yaml:2: unknown setting 'max-hop'; did you mean 'max-hops'?");
  EXPECT_EQ(refused("net:\n  prefix: x\n"), "crawl.yaml:2: unknown setting 'prefix' in 'net'; it belongs to 'store'");
  EXPECT_EQ(refused("max-hops: 3\n"),
            "crawl.yaml:1: setting 'max-hops' stands outside its section; write it below 'net:'");
  EXPECT_EQ(refused("nets:\n  max-hops: 3\n"), "crawl.yaml:1: unknown section 'nets'; did you mean 'net'?");
  EXPECT_EQ(refused("\n\nnet:\n  timeout: 3h\n"), "crawl.yaml:4: timeout: 3h is outside 100ms to 1h");
  EXPECT_EQ(refused("net:\n  retries: 1\n  retries: 2\n"), "crawl.yaml:3: 'retries' is set a second time");
  EXPECT_EQ(refused("net:\n  retries: [1]\n"), "crawl.yaml:2: 'retries' takes one value: whole number");
  EXPECT_EQ(refused("net:\n  retries:\n"), "crawl.yaml:2: 'retries' has no value");
  EXPECT_EQ(refused("net:\n  exclude: {a: b}\n"), "crawl.yaml:2: 'exclude' takes a list of texts");
  EXPECT_EQ(refused("net: 5\n"), "crawl.yaml:1: 'net' must be a mapping of settings");
  EXPECT_EQ(refused("- net\n"), "crawl.yaml:1: the file must be a mapping of sections, such as 'scope:'");
  EXPECT_THAT(refused("net:\n\tretries: 1\n"), ::testing::StartsWith("crawl.yaml:2: "));
  EXPECT_EQ(refused("net:\n  a: 1\n  factor: 0\n"),
            "crawl.yaml:2: unknown setting 'a'; 'net' has max-hops, retries, max-body, factor, follow, user-agent, "
            "password, exclude, timeout, "
            "delay, robots\ncrawl.yaml:3: factor: 0 is outside 0.5 to 100");
}

TEST(Yaml, IsNestedAsDeepAsSettingsMayBe) {
  const auto error = [](const std::string& text) {
    Net net;
    return error_of(load_yaml(text, "crawl.yaml", {section(net)}));
  };
  for (const char* level : {"[", "{", "{a: ", "- ", "? ", "[a, {b: ", "!t "}) {
    std::string text;
    for (int i = 0; i < 100'000; ++i) text += level;
    EXPECT_THAT(error(text), ::testing::StartsWith("crawl.yaml:1: ")) << level;
    EXPECT_THAT(error("net:\n  exclude: " + text), ::testing::StartsWith("crawl.yaml:")) << level;
  }
  std::string stairs;
  for (int i = 0; i < 1000; ++i) stairs += std::string(static_cast<size_t>(i), ' ') + "a:\n";
  EXPECT_THAT(error(stairs), ::testing::HasSubstr("nested too deep for settings"));

  // Long is not deep.
  std::string urls, expressions;
  for (int i = 0; i < 2000; ++i) {
    urls += (i > 0 ? ", " : "") + std::string("'http://a-b.example/?c'");
    expressions += "  - '\\[('\n  - ^http://a.example/{\n";
  }
  EXPECT_EQ(error("net: {exclude: [" + urls + "]}"), "");
  EXPECT_EQ(error("net:\n exclude:\n" + expressions), "");
}

TEST(Yaml, IsReadBackAsItWasWritten) {
  Net net{.max_hops = 1, .max_body = 1234, .factor = 0.75, .follow = false, .password = "x"};
  net.user_agent = "a \"b\" \\ # : \n\x01 \xC3\xBC";
  net.exclude = {"", "null", "- x", "[a]", "true", "/a.*b$"};
  net.timeout = milliseconds(1500);
  net.delay = minutes(90);
  net.robots = Robots::ignore;
  Net again;
  const std::string text = to_yaml({section(net)}, Secrets::show);
  ASSERT_EQ(error_of(load_yaml(text, "again.yaml", {section(again)})), "") << text;
  EXPECT_TRUE(diff({section(net)}, {section(again)}).empty()) << text;

  Net empty{.exclude = {}};
  ASSERT_EQ(error_of(load_yaml(to_yaml({section(empty)}), "x", {section(again)})), "");
  EXPECT_TRUE(again.exclude.empty());
  EXPECT_EQ(again.password, "x") << "hidden secrets are not written";

  const std::string secrets = to_yaml({section(net), section(Store{})}, Secrets::only);
  EXPECT_EQ(secrets, "# How pages are fetched.\nnet:\n  # For the proxy.\n  password: x\n");
}

struct Places {
  std::vector<std::string> places = {"plain"};
  int64_t count = 1;
};

Value without_stars(const Value& value) {
  auto places = std::get<std::vector<std::string>>(value);
  for (std::string& place : places) place = place.substr(0, place.find('*'));
  return places;
}

}  // namespace

template <>
const Schema& schema_of<Places>() {
  static const Schema schema("places", "Where.",
                             {field<&Places::places>("places", "Where.", {.shown = without_stars}),
                              field<&Places::count>("count", "How many.")});
  return schema;
}

namespace {

// Others see a part of it; among the secrets it stands whole, where it holds one.
TEST(Yaml, HidesTheSecretPartOfAValue) {
  Places places;
  EXPECT_EQ(to_yaml({section(places)}, Secrets::only), "");
  places.places = {"a", "b*sesame"};
  const std::string shown = to_yaml({section(places)});
  EXPECT_EQ(shown.find("sesame"), std::string::npos) << shown;
  const std::string secrets = to_yaml({section(places)}, Secrets::only);
  EXPECT_EQ(secrets.find("count"), std::string::npos) << secrets;
  Places again;
  ASSERT_EQ(error_of(load_yaml(shown, "crawl.yaml", {section(again)})), "");
  EXPECT_EQ(again.places, (std::vector<std::string>{"a", "b"}));
  Sheets none;
  ASSERT_EQ(error_of(load_secrets(secrets, "secrets.yaml", {section(again)}, none)), "");
  EXPECT_EQ(again.places, places.places);
  const auto changes = diff({section(std::as_const(places))}, {section(Places{})});
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes.front().before.find("sesame"), std::string::npos);
}

TEST(Diff, TellsLiveChangesFromOthers) {
  Net before, after;
  after.max_hops = 5;
  const auto live = allowed_changes({section(before)}, {section(after)});
  ASSERT_TRUE(live.has_value());
  ASSERT_EQ(live->size(), 1u);
  EXPECT_EQ(live->front().name, "max-hops");
  EXPECT_EQ(live->front().before + ">" + live->front().after, "20>5");

  after.password = "x";
  after.factor = 7;
  const auto refused = allowed_changes({section(before)}, {section(after)});
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().message,
            "the crawl's state depends on settings that have changed: net.factor was '5' and is now '7'; net.password "
            "was '(secret)' and is "
            "now '(secret)'. Put the old values back, or begin a new crawl");
}

TEST(Render, JsonSchemaHasARowPerField) {
  const auto root = nlohmann::json::parse(json_schema({&schema_of<Net>(), &schema_of<Store>()}));
  const auto& net = root["properties"]["net"];
  EXPECT_EQ(net["additionalProperties"], false);
  EXPECT_EQ(net["properties"].size(), schema_of<Net>().fields().size());
  EXPECT_EQ(net["properties"]["max-hops"]["minimum"], 0);
  EXPECT_EQ(net["properties"]["max-hops"]["default"], 20);
  EXPECT_EQ(net["properties"]["max-body"]["default"], "4MB");
  EXPECT_EQ(net["properties"]["timeout"]["x-maximum"], "1h");
  EXPECT_EQ(net["properties"]["robots"]["enum"].size(), 3u);
  EXPECT_EQ(net["properties"]["delay"]["default"], nullptr);
  EXPECT_EQ(net["properties"]["password"]["writeOnly"], true);
}

TEST(Render, MarkdownHasARowPerField) {
  const std::string text = markdown({&schema_of<Net>()});
  EXPECT_THAT(text, ::testing::HasSubstr("\n## net\n\nHow pages are fetched.\n"));
  EXPECT_THAT(text,
              ::testing::HasSubstr(
                  "| `timeout` | `20s` | duration: 100ms to 1h |  | per site, live | Give up after this silence. |\n"));
  EXPECT_THAT(text, ::testing::HasSubstr("The name \\| to servers."));
}

TEST(SchemaDeathTest, RefusesTablesThatContradictThemselves) {
  const auto build = [](RowOptions row, std::string_view doc) {
    Schema("s", "Doc.", {field<&Net::max_hops>("x", doc, row)});
  };
  EXPECT_DEATH(build({.min = "21"}, "Default outside its range."), "");
  EXPECT_DEATH(build({}, "no full stop"), "");
  EXPECT_DEATH(build({.option = "max-hops"}, "Option without dashes."), "");
  EXPECT_DEATH(Schema("s", "Doc.", {field<&Net::follow>("x", "A."), field<&Net::follow>("x", "B.")}), "");
}

}  // namespace
}  // namespace caddis::settings
