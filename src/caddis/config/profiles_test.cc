// The profiles that ship: each is sound, and the page about them tells what they set.
#include "caddis/config/profiles.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "caddis/config/settings_file.h"
#include "caddis/io/memory_files.h"
#include "caddis/settings/yaml_tree.h"
#include "support/testdata.h"

namespace caddis::config {
namespace {

using ::testing::HasSubstr;

// "| `scope.kind` | `any` |" of each value, in the order of the file.
std::vector<std::string> rows_of(std::string_view yaml) {
  std::vector<std::string> rows;
  const auto tree = settings::YamlTree::parse(yaml);
  if (!tree) return rows;
  for (size_t i = 0; i < tree->root().entries(); ++i) {
    const settings::YamlNode& section = tree->root().value(i);
    for (size_t j = 0; j < section.entries(); ++j) {
      const settings::YamlNode& value = section.value(j);
      std::string text = value.text();
      for (const settings::YamlNode* item : value.items())
        if (value.is_sequence()) text += (text.empty() ? "" : "`, `") + item->text();
      rows.push_back(fmt::format("| `{}.{}` | `{}` |", tree->root().name(i).text(), section.name(j).text(), text));
    }
  }
  return rows;
}

TEST(Profiles, EachIsSoundAlone) {
  for (const Profile& profile : profiles()) {
    io::MemoryFiles files;
    Settings settings;
    const auto loaded = load_settings_file(files, profile.name, "", settings);
    ASSERT_TRUE(loaded) << profile.name << ": " << loaded.error().message;
    const auto sound = validate(settings);
    EXPECT_TRUE(sound) << profile.name << ": " << sound.error().message;
    EXPECT_TRUE(profile.summary.ends_with('.')) << profile.summary;
    EXPECT_FALSE(
        settings::diff(sections_of(std::as_const(settings)), sections_of(std::as_const(*std::make_unique<Settings>())))
            .empty());
    // Whoever crawls has seeds and a contact of his own.
    EXPECT_TRUE(settings.crawl.seeds.empty() && settings.crawl.contact.empty()) << profile.name;
  }
}

TEST(Profiles, AllFilesOfTheFolderShip) {
  std::set<std::string> names, files;
  for (const Profile& profile : profiles()) names.insert(fmt::format("{}.yaml", profile.name));
  for (const auto& entry : std::filesystem::directory_iterator(testing::source_path("profiles")))
    files.insert(entry.path().filename().string());
  EXPECT_EQ(names, files);
}

// The section of a profile has a row for each value that it sets, in the same order, and no other.
TEST(Profiles, ThePageTellsTheirValues) {
  const std::string page = testing::read_file(testing::source_path("docs/profiles.md"));
  for (const Profile& profile : profiles()) {
    const size_t begin = page.find(fmt::format("\n## {}\n", profile.name));
    ASSERT_NE(begin, page.npos) << profile.name;
    std::string_view section = std::string_view(page).substr(begin + 1, page.find("\n## ", begin + 1) - begin - 1);
    const std::vector<std::string> rows = rows_of(profile.yaml);
    ASSERT_FALSE(rows.empty());
    size_t told = 0, at = 0;
    for (size_t line = section.find("\n| `"); line != section.npos; line = section.find("\n| `", line + 1)) ++told;
    EXPECT_EQ(told, rows.size()) << profile.name;
    for (const std::string& row : rows) {
      const size_t found = section.find(row, at);
      EXPECT_NE(found, section.npos) << profile.name << " lacks " << row;
      if (found != section.npos) at = found;
    }
  }
}

TEST(Profiles, AnUnknownOneIsToldWithThoseThereAre) {
  const auto found = find_profile("brod");
  ASSERT_FALSE(found);
  EXPECT_THAT(found.error().message, HasSubstr("did you mean 'broad'?"));
  EXPECT_THAT(find_profile("x").error().message,
              HasSubstr("one-site, focused, domain, broad, event, feeds, news, news-database"));
}

}  // namespace
}  // namespace caddis::config
