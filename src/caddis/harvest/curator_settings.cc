#include "caddis/harvest/curator_settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "caddis/settings/yaml_tree.h"

namespace caddis::harvest {
namespace {

using settings::YamlNode;

constexpr std::array<std::string_view, 4> kOpen = {"scope", "robots", "politeness", "limits"};
// Settings of these sections that harm other jobs of the harvester.
constexpr std::array<std::string_view, 2> kClosed = {"limits.min-free-space", "politeness.bandwidth"};

Result<void> refuse(std::string_view setting) {
  return fail(ErrorCode::denied,
              fmt::format("the setting {} of a configuration needs the role operator; a curator sets those of {}",
                          setting, fmt::join(kOpen, ", ")));
}

Result<void> check_section(const std::string& section, const YamlNode& values) {
  const bool is_open = std::ranges::find(kOpen, section) != kOpen.end();
  if (!is_open && (!values.is_map() || values.entries() == 0)) return refuse(section);
  for (size_t i = 0; i < values.entries(); ++i) {
    const std::string setting = section + "." + values.name(i).text();
    if (!is_open || std::ranges::find(kClosed, setting) != kClosed.end()) return refuse(setting);
  }
  return {};
}

Result<void> check_sheets(const YamlNode& sheets) {
  for (size_t i = 0; i < sheets.entries(); ++i) {
    const YamlNode& sheet = sheets.value(i);
    for (size_t k = 0; k < sheet.entries(); ++k) {
      if (sheet.name(k).text() != "settings") continue;
      const YamlNode& sections = sheet.value(k);
      for (size_t s = 0; s < sections.entries(); ++s)
        TRY_VOID(check_section(sections.name(s).text(), sections.value(s)));
    }
  }
  return {};
}

// Rules read files of the harvester: `url @/whole/path`.
Result<void> check_texts(const YamlNode& root) {
  std::vector<const YamlNode*> left = {&root};
  while (!left.empty()) {
    const YamlNode& node = *left.back();
    left.pop_back();
    if (node.text().contains("@/"))
      return fail(ErrorCode::denied, "rules that name a file of the harvester (@/…) need the role operator");
    left.insert(left.end(), node.items().begin(), node.items().end());
  }
  return {};
}

}  // namespace

Result<void> check_settings_of_curators(std::string_view yaml) {
  const auto tree = settings::YamlTree::parse(yaml);
  if (!tree) return fail(ErrorCode::config, fmt::format("line {}: {}", tree.error().line, tree.error().reason));
  const YamlNode& root = tree->root();
  if (root.is_null()) return {};
  if (!root.is_map()) return fail(ErrorCode::config, "settings are written as sections: scope: {max-hops: 3}");
  for (size_t i = 0; i < root.entries(); ++i) {
    const std::string& section = root.name(i).text();
    if (section == "sheets")
      TRY_VOID(check_sheets(root.value(i)));
    else
      TRY_VOID(check_section(section, root.value(i)));
  }
  return check_texts(root);
}

}  // namespace caddis::harvest
