#include "caddis/pages/theme.h"

#include <algorithm>
#include <string_view>

#include <nlohmann/json.hpp>

#include "caddis/base/strings.h"
#include "caddis/pages/assets.h"

namespace caddis::pages {
namespace {

constexpr size_t kLargestFile = 1 << 20;
// The colours that style.css takes from variables.
constexpr std::string_view kColours[] = {"ink", "soft", "line", "accent", "on-accent", "paper", "tint"};

bool is_colour(std::string_view text) {
  return !text.empty() && text.size() <= 60 &&
         std::ranges::all_of(text, [](char c) { return is_alnum(c) || std::string_view("#(),.%/- ").contains(c); });
}

// "--accent: #22577a;" for each.
Result<std::string> variables(const nlohmann::json& colours, const std::string& where) {
  std::string css;
  if (!colours.is_object()) return fail(ErrorCode::config, where + " is an object: a colour for each name");
  for (const auto& [name, value] : colours.items()) {
    if (std::ranges::find(kColours, name) == std::end(kColours))
      return fail(ErrorCode::config, where + ": there is no colour '" + name +
                                         "'; there are ink, soft, line, accent, on-accent, paper and tint");
    if (!value.is_string() || !is_colour(value.get_ref<const std::string&>()))
      return fail(ErrorCode::config, where + ": '" + name + "' is no colour of CSS");
    css += "--" + name + ": " + value.get<std::string>() + "; ";
  }
  return css;
}

Result<void> read_settings(const std::string& text, const std::string& path, Theme& theme) {
  const auto root = nlohmann::json::parse(text, nullptr, false);
  if (!root.is_object()) return fail(ErrorCode::parse, path + ": a theme is a JSON object");
  for (const auto& [key, value] : root.items()) {
    if (key == "name") {
      if (!value.is_string() || value.get_ref<const std::string&>().empty())
        return fail(ErrorCode::config, path + ": 'name' is a text");
      theme.name = value.get<std::string>();
    } else if (key == "colours") {
      TRY(const std::string css, variables(value, path + ": 'colours'"));
      theme.style += ":root { " + css + "}\n";
    } else if (key == "dark") {
      TRY(const std::string css, variables(value, path + ": 'dark'"));
      theme.style += "@media (prefers-color-scheme: dark) { :root { " + css + "} }\n";
    } else {
      return fail(ErrorCode::config, path + ": there is no '" + key + "'; there are name, colours and dark");
    }
  }
  return {};
}

}  // namespace

Result<Theme> read_theme(io::Files& files, const std::string& folder) {
  if (!files.is_directory(folder)) return fail(ErrorCode::config, folder + ": no such folder; --theme wants one");
  Theme theme;
  TRY(const auto entries, files.list(folder));
  std::string own_rules;
  for (const auto& entry : entries) {
    if (entry.is_directory) continue;
    const std::string path = io::join_path(folder, entry.name);
    const std::string_view name = entry.name;
    std::string* into = name == "header.html"   ? &theme.header
                        : name == "footer.html" ? &theme.footer
                        : name == "style.css"   ? &own_rules
                                                : nullptr;
    if (name == "logo.svg" || name == "logo.png") {
      into = &theme.logo;
      theme.logo_type = name == "logo.svg" ? "image/svg+xml" : "image/png";
    } else if (into == nullptr && name.ends_with(".html")) {
      if (find_asset(name).empty()) return fail(ErrorCode::config, path + ": there is no such template");
      into = &theme.templates[std::string(name.substr(0, name.size() - 5))];
    }
    if (into == nullptr && name != "theme.json") continue;
    TRY(std::string text, files.read_all(path, kLargestFile));
    if (into == nullptr)
      TRY_VOID(read_settings(text, path, theme));
    else
      *into = std::move(text);
  }
  theme.style += own_rules;
  return theme;
}

}  // namespace caddis::pages
