// Configurations in the structures of those that people have (tests/heritrix), each with the settings that it comes to, as
// Heritrix's documentation has them. Public ones are read where testdata has them.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "caddis/base/strings.h"
#include "caddis/config/settings.h"
#include "caddis/heritrix/importer.h"
#include "caddis/io/files.h"
#include "support/testdata.h"

namespace caddis::heritrix {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAreArray;

constexpr std::string_view kFolder = "/home/me/imported";

Imported import_file(const std::string& path) {
  const auto source = import_source_of_file(io::real_files(), path);
  EXPECT_TRUE(source) << path << ": " << source.error().message;
  auto imported = import_configuration(*source, std::string(kFolder));
  EXPECT_TRUE(imported) << path << ": " << imported.error().message;
  return imported ? *std::move(imported) : Imported();
}

const std::string& text_of(const Imported& imported, std::string_view name) {
  static const std::string kNone;
  const auto found = std::ranges::find(imported.files, name, &ImportedFile::name);
  return found == imported.files.end() ? kNone : found->text;
}

// "politeness.delay" and its like, as the crawl.yaml has them when it is read back.
std::string value_of(const config::Settings& settings, std::string_view path) {
  const size_t bracket = path.find('[');
  const std::string_view name = path.substr(0, bracket);
  for (const settings::ConstSection& section : config::sections_of(settings)) {
    for (const settings::Field& field : section.schema->fields()) {
      if (name != fmt::format("{}.{}", section.schema->name(), field.name)) continue;
      const settings::Value value = field.get(section.object);
      if (bracket == std::string_view::npos) return field.write(value);
      const auto index = static_cast<size_t>(*parse_int(path.substr(bracket + 1, path.size() - bracket - 2)));
      const auto& items = std::get<std::vector<std::string>>(value);
      return index < items.size() ? items[index] : "(no such item)";
    }
  }
  return "(no such setting)";
}

// Written as the setting itself would be.
std::string normal(std::string_view path, const std::string& text) {
  for (const settings::Schema* const schema : config::settings_schemas())
    for (const settings::Field& field : schema->fields())
      if (path == fmt::format("{}.{}", schema->name(), field.name))
        if (const auto value = field.read(text)) return field.write(*value);
  return text;
}

std::string sheet_value(const settings::Sheet& sheet, std::string_view name) {
  if (name == "sites") return fmt::format("{}", fmt::join(sheet.sites, "|"));
  if (name == "when") return sheet.when;
  for (const settings::Overlay::Entry& entry : sheet.values.entries())
    if (name == fmt::format("{}.{}", entry.schema->name(), entry.field->name)) return entry.field->write(entry.value);
  return "(not set)";
}

std::string replaced(std::string text, std::string_view what, std::string_view with) {
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
  return text;
}

struct Expected {
  std::vector<std::pair<std::string, std::string>> settings, files, sheets;
  std::vector<std::string> without, defaults;
  std::string open;  // a part of the open question
};

Expected read_expected(const std::string& path) {
  Expected expected;
  const auto text = io::real_files().read_all(path);
  EXPECT_TRUE(text) << path;
  for (const std::string_view line : split(text ? *text : "", '\n')) {
    if (line.empty()) continue;
    const size_t equals = line.ends_with(" =") ? line.size() - 2 : line.find(" = ");
    const std::string name(line.substr(0, equals));
    const std::string value =
        equals == std::string_view::npos ? "" : std::string(line.substr(std::min(equals + 3, line.size())));
    if (name == "open")
      expected.open = value;
    else if (name.starts_with("without "))
      expected.without.push_back(name.substr(8));
    else if (name.starts_with("default "))
      expected.defaults.push_back(name.substr(8));
    else if (name.starts_with("file "))
      expected.files.emplace_back(name.substr(5), replaced(value, "⏎", "\n"));
    else if (name.starts_with("sheet "))
      expected.sheets.emplace_back(name.substr(6), value);
    else
      expected.settings.emplace_back(name, replaced(value, "FOLDER", kFolder));
  }
  return expected;
}

void check_sheets(const config::Settings& settings, const Expected& expected) {
  std::set<std::string> names;
  for (const auto& [path, value] : expected.sheets) {
    const size_t colon = path.find(": ");
    const std::string sheet_name = path.substr(0, colon), name = path.substr(colon + 2);
    names.insert(sheet_name);
    const auto sheet = std::ranges::find(settings.sheets, sheet_name, &settings::Sheet::name);
    if (sheet == settings.sheets.end())
      ADD_FAILURE() << "no sheet " << sheet_name;
    else
      EXPECT_EQ(sheet_value(*sheet, name), normal(name, value)) << path;
  }
  EXPECT_EQ(names.size(), settings.sheets.size());
}

// The beans, properties, entries and items that the XML states, counted without reading what they mean.
size_t count_items(const std::string& xml) {
  size_t count = 0;
  bool is_in_comment = false;
  for (size_t i = 0; i < xml.size(); ++i) {
    const std::string_view rest = std::string_view(xml).substr(i);
    if (rest.starts_with("<!--")) is_in_comment = true;
    if (rest.starts_with("-->")) is_in_comment = false;
    if (is_in_comment) continue;
    for (const std::string_view element : {"<bean ", "<property ", "<entry ", "<prop ", "<import "})
      if (rest.starts_with(element)) ++count;
  }
  return count;
}

class Profiles : public ::testing::TestWithParam<std::string> {};

TEST_P(Profiles, MeansWhatHeritrixMeans) {
  const std::string path = testing::source_path("tests/heritrix/" + GetParam());
  const Expected expected = read_expected(path.substr(0, path.rfind('.')) + ".expect");
  const Imported imported = import_file(path);
  EXPECT_EQ(imported.open_question.empty(), expected.open.empty()) << imported.open_question;
  EXPECT_THAT(imported.open_question, HasSubstr(expected.open));
  config::Settings settings;
  const auto loaded = config::load_settings(text_of(imported, "crawl.yaml"), "crawl.yaml", settings);
  ASSERT_TRUE(loaded) << loaded.error().message;
  ASSERT_TRUE(config::validate(settings)) << config::validate(settings).error().message;

  for (const auto& [name, value] : expected.settings) EXPECT_EQ(value_of(settings, name), normal(name, value)) << name;
  for (const auto& [name, text] : expected.files) EXPECT_EQ(text_of(imported, name), text) << name;
  check_sheets(settings, expected);
  // Nothing is set that is not expected.
  std::set<std::string> names;
  for (const auto& [name, value] : expected.settings) names.insert(name.substr(0, name.find('[')));
  names.insert("crawl.seed-files");
  for (const settings::ConstSection& section : config::sections_of(std::as_const(settings)))
    for (const settings::Field& field : section.schema->fields()) {
      const std::string name = fmt::format("{}.{}", section.schema->name(), field.name);
      EXPECT_TRUE(names.contains(name) || field.get(section.object) == field.default_value)
          << name << ": " << field.write(field.get(section.object));
    }

  std::vector<std::string> without;
  for (const ImportItem& item : imported.report.items())
    if (item.fate == Fate::without) without.push_back(item.path);
  EXPECT_THAT(without, UnorderedElementsAreArray(expected.without));
  if (!expected.defaults.empty()) {
    std::vector<std::string> defaults;
    for (const OtherDefault& one : imported.report.defaults()) {
      const auto fits = [&](const std::string& name) { return one.heritrix.starts_with(name); };
      EXPECT_TRUE(std::ranges::any_of(expected.defaults, fits)) << one.heritrix;
    }
    EXPECT_EQ(imported.report.defaults().size(), expected.defaults.size());
  }
}

TEST_P(Profiles, NothingIsLeftOut) {
  const std::string path = testing::source_path("tests/heritrix/" + GetParam());
  const Imported imported = import_file(path);
  const ImportReport& report = imported.report;
  EXPECT_EQ(report.count(Fate::untold), 0U);
  EXPECT_EQ(report.count(Fate::taken) + report.count(Fate::differently) + report.count(Fate::without),
            report.items().size());
  for (const ImportItem& item : report.items()) EXPECT_NE(item.said, "") << item.path;
  // Each is in the text once.
  const std::string& text = text_of(imported, "import.txt");
  for (const ImportItem& item : report.items())
    EXPECT_NE(text.find(fmt::format("\n  {}{}", item.path, item.value.empty() ? "" : " = " + item.value)),
              std::string::npos)
        << item.path;
  const std::string xml = *io::real_files().read_all(path);
  if (path.ends_with(".cxml")) EXPECT_GE(report.items().size(), count_items(xml));
  EXPECT_EQ(text.find("TOPSECRET"), std::string::npos);
}

std::vector<std::string> profiles() {
  std::vector<std::string> names;
  for (const auto& entry : *io::real_files().list(testing::source_path("tests/heritrix")))
    if (entry.name.ends_with(".cxml") || entry.name.ends_with("order.xml")) names.push_back(entry.name);
  std::ranges::sort(names);
  return names;
}

std::string case_name(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::ranges::replace_if(name, [](char c) { return !is_alnum(c); }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Heritrix, Profiles, ::testing::ValuesIn(profiles()), case_name);

TEST(PublicProfiles, AreImportedWhole) {
  CADDIS_TESTDATA_OR_SKIP(folder, "13-heritrix-profiles");
  size_t count = 0;
  for (const auto& entry : *io::real_files().list(folder)) {
    if (!entry.name.ends_with(".cxml") && !entry.name.ends_with(".xml")) continue;
    const Imported imported = import_file(io::join_path(folder, entry.name));
    EXPECT_THAT(imported.open_question, AnyOf("", HasSubstr("scope.rules does not keep out"))) << entry.name;
    EXPECT_EQ(imported.report.count(Fate::untold), 0U) << entry.name;
    ++count;
  }
  EXPECT_GE(count, 10U);
}

}  // namespace
}  // namespace caddis::heritrix
