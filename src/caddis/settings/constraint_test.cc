// Constraints of rows: infos and warnings are told, severe ones are refused at every way in.
#include "caddis/settings/constraint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "caddis/settings/render.h"
#include "caddis/settings/yaml.h"

namespace caddis::settings {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

enum class Mode { gentle, hasty };
struct Guarded {
  std::optional<Duration> delay;
  int64_t hops = 3;
  Mode mode = Mode::gentle;
  std::string name;
  std::vector<std::string> names;
};

}  // namespace

template <>
const Schema& schema_of<Guarded>() {
  using S = Guarded;
  static const Schema schema(
      "guarded", "For the tests.",
      {field<&S::delay>("delay", "A time.",
                        {.min = "0s",
                         .constraints = {{.severity = Severity::info, .min = "1s", .text = "is short"},
                                         {.severity = Severity::warning, .min = "10ms", .text = "is too short"}}}),
       field<&S::hops>("hops", "A number.", {.constraints = {{.max = "10", .text = "is much"}}}),
       field<&S::mode>("mode", "A choice.",
                       {.choices = {choice("gentle", Mode::gentle), choice("hasty", Mode::hasty)},
                        .constraints = {{.unlike = "hasty", .text = "is hasty", .of_others = true}}}),
       field<&S::name>("name", "A text.",
                       {.constraints = {{.severity = Severity::severe, .pattern = "[a-z]+", .text = "is no word"}}}),
       field<&S::names>("names", "Texts.",
                        {.constraints = {{.severity = Severity::severe, .pattern = "[a-z]+", .text = "is no word"},
                                         {.pattern = ".{3,}", .text = "is short"}}})});
  return schema;
}

namespace {

std::vector<std::string_view> told(std::string_view name, const Value& value) {
  std::vector<std::string_view> texts;
  for (const Constraint* one : schema_of<Guarded>().find(name)->broken_by(value)) texts.push_back(one->text);
  return texts;
}

TEST(Constraints, AreToldOfValues) {
  using namespace std::chrono_literals;
  EXPECT_THAT(told("delay", Value()), IsEmpty()) << "what is not set breaks none";
  EXPECT_THAT(told("delay", Duration(1s)), IsEmpty());
  EXPECT_THAT(told("delay", Duration(999ms)), ElementsAre("is short"));
  EXPECT_THAT(told("delay", Duration(0s)), ElementsAre("is short", "is too short"));
  EXPECT_THAT(told("hops", int64_t{10}), IsEmpty());
  EXPECT_THAT(told("hops", int64_t{11}), ElementsAre("is much"));
  EXPECT_THAT(told("mode", static_cast<int64_t>(Mode::hasty)), ElementsAre("is hasty"));
  EXPECT_THAT(told("mode", static_cast<int64_t>(Mode::gentle)), IsEmpty());
  EXPECT_THAT(told("names", std::vector<std::string>{"abc", "ab"}), ElementsAre("is short"));
  EXPECT_THAT(told("names", std::vector<std::string>{}), IsEmpty());
}

TEST(Constraints, SevereOnesAreRefusedAtEveryWayIn) {
  Guarded guarded;
  const auto file = load_yaml("guarded:\n  name: a1\n", "x.yaml", {section(guarded)});
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().message, "x.yaml:2: name: 'a1' is no word");
  EXPECT_FALSE(load_yaml("guarded: {names: [a, b2]}\n", "x.yaml", {section(guarded)}));
  EXPECT_FALSE(apply(guarded, "name", "A", "--set"));
  EXPECT_FALSE(apply(section(guarded), "names", std::vector<std::string>{"a", "B"}, "--set"));
  EXPECT_TRUE(apply(guarded, "name", "", "--set"));
  EXPECT_TRUE(load_yaml("guarded: {delay: 1ms, hops: 99, mode: hasty, name: abc}\n", "x.yaml", {section(guarded)}));
}

TEST(Constraints, StandInSchemaAndReferencePage) {
  const auto root = nlohmann::json::parse(json_schema({&schema_of<Guarded>()}));
  const auto& rows = root["properties"]["guarded"]["properties"];
  EXPECT_EQ(rows["delay"]["x-constraints"][1],
            nlohmann::json({{"x-severity", "warning"}, {"description", "is too short"}, {"minimum", "10ms"}}));
  EXPECT_EQ(rows["mode"]["x-constraints"][0]["not"], "hasty");
  EXPECT_EQ(rows["name"]["x-constraints"][0]["x-severity"], "severe");
  EXPECT_EQ(rows["name"]["x-constraints"][0]["pattern"], "[a-z]+");
  const std::string page = markdown({&schema_of<Guarded>()});
  EXPECT_THAT(page, HasSubstr("A time. *Info* below `1s`: is short. *Not in a crawl* below `10ms`: is too short. |"));
  EXPECT_THAT(page, HasSubstr("*Refused* unless it matches `[a-z]+`: is no word."));
}

TEST(ConstraintsDeathTest, TablesThatContradictThemselves) {
  const auto build = [](Constraint constraint) {
    Schema("s", "Doc.", {field<&Guarded::hops>("x", "A.", {.constraints = {constraint}})});
  };
  EXPECT_DEATH(build({.max = "2", .text = "its default breaks it"}), "");
  EXPECT_DEATH(build({.max = "many", .text = "cannot be read"}), "");
  EXPECT_DEATH(build({.text = "asks nothing"}), "");
  EXPECT_DEATH(build({.max = "9"}), "");
  EXPECT_DEATH(build({.severity = Severity::severe, .max = "9", .text = "is a range"}), "");
  EXPECT_DEATH(build({.pattern = "[0-9]", .text = "is of texts"}), "");
}

}  // namespace
}  // namespace caddis::settings
