// Extractors of a chain, and the properties that only some of them have: expressions, and what is made of their finds.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "caddis/base/strings.h"
#include "caddis/heritrix/bean_kinds.h"
#include "caddis/heritrix/handlers.h"
#include "caddis/heritrix/java_pattern.h"

namespace caddis::heritrix {
namespace {

constexpr std::string_view kInOthers = "extract.implied-uris has it, with its expression";

// The extractors of Caddis that are off unless a chain has them.
constexpr auto kOptional =
    std::to_array<std::pair<std::string_view, std::string_view>>({{"extractorUniversal", "universal"},
                                                                  {"extractorMultipleRegex", "multiple-regex"},
                                                                  {"extractorUri", "uri-in-uri"},
                                                                  {"extractorImpliedUri", "implied-uris"}});
constexpr std::pair<std::string_view, std::string_view> kOwners = {"fetchWhois", "whois"};

// The texts of a property that is a list; one text alone is a list, too.
std::vector<std::string> texts_of(const Import& import, const BeanProperty& property) {
  std::vector<std::string> texts;
  if (property.value.is_text() && !trim(property.value.text).empty()) texts.emplace_back(trim(property.value.text));
  if (const BeanValue* const list = import.tree().list(property.value))
    for (const BeanValue& item : list->items)
      if (item.is_text()) texts.emplace_back(trim(item.text));
  return texts;
}

// "regex -> format" of a bean; nothing if it has no expression that RE2 can have.
std::optional<std::string> implied_line(const Bean& bean) {
  const std::string regex = bean.text("regex"), format = bean.text("format");
  if (regex.empty() || format.empty() || to_lower(bean.text("enabled", "true")) == "false") return std::nullopt;
  const auto pattern = re2_syntax(regex);
  if (!pattern) return std::nullopt;
  return fmt::format("{} -> {}", *pattern, format);
}

bool is_implied(const Bean& bean) {
  const BeanKind* const kind = find_bean_kind(bean.kind());
  return kind != nullptr && kind->role == "extractorImpliedUri";
}

}  // namespace

bool has_optional_extractor(const std::set<std::string_view>& roles) {
  return std::ranges::any_of(kOptional, [&](const auto& one) { return roles.contains(one.first); });
}

void import_extractors(Import& import, const BeanProperty& chain) {
  const BeanValue* const list = import.tree().list(chain.value);
  if (list == nullptr) return;
  std::vector<std::string> changes;
  for (const BeanValue& item : list->items) {
    const Bean* const bean = import.tree().follow(item);
    const BeanKind* const kind = bean == nullptr ? nullptr : find_bean_kind(bean->kind());
    if (kind == nullptr || to_lower(bean->text("enabled", "true")) == "false") continue;
    const auto* const found = std::ranges::find(kOptional, kind->role, &decltype(kOptional)::value_type::first);
    const bool looks_up = kind->role == kOwners.first;
    if (found == kOptional.end() && !looks_up) continue;
    std::string change = fmt::format("+{}", looks_up ? kOwners.second : found->second);
    if (std::ranges::find(changes, change) == changes.end()) changes.push_back(std::move(change));
  }
  if (!changes.empty()) import.set(chain, "extract", "extractors", changes);
}

void import_script_patterns(Import& import, const Bean& /*bean*/, const BeanProperty& property) {
  std::vector<std::string> patterns;
  for (const std::string& text : texts_of(import, property)) {
    const auto pattern = re2_search(text);
    if (!pattern)
      return import.tell(property, Fate::without, fmt::format("{}: write it in another way", pattern.error().message));
    patterns.push_back(fmt::format("(?i){}", *pattern));
  }
  const std::string_view name = property.name.starts_with("forceStrict")      ? "script-strict-in"
                                : property.name.starts_with("rejectRelative") ? "script-reject-relative"
                                                                              : "script-reject-attributes";
  import.set(property, "extract", name, patterns);
}

void import_candidate_length(Import& import, const Bean& /*bean*/, const BeanProperty& property) {
  const auto length = parse_int(trim(property.value.text));
  if (!length) return import.tell(property, Fate::without, "it is no number: set extract.script-max-length");
  import.set(property, "extract", "script-max-length", {fmt::format("{}", std::max<int64_t>(0, *length))});
}

void import_ignored_strings(Import& import, const Bean& /*bean*/, const BeanProperty& property) {
  import.set(property, "extract", "script-reject-strings", texts_of(import, property));
}

// All beans of the kind make one list: the first one sets it.
void import_implied_uri(Import& import, const Bean& bean, const BeanProperty& property) {
  const auto own = implied_line(bean);
  if (!own)
    return import.tell(property, Fate::without,
                       "RE2 cannot have this expression, or it has no format: write it into extract.implied-uris");
  std::vector<std::string> lines;
  const Bean* first = nullptr;
  import.tree().each([&](const Bean& other) {
    if (!is_implied(other)) return;
    auto line = implied_line(other);
    if (!line) return;
    if (first == nullptr) first = &other;
    lines.push_back(*std::move(line));
  });
  if (first == &bean)
    import.set(property, "extract", "implied-uris", lines);
  else
    import.tell(property, Fate::taken, "extract.implied-uris, with those of the others");
}

void import_implied_format(Import& import, const Bean& /*bean*/, const BeanProperty& property) {
  import.tell(property, Fate::taken, kInOthers);
}

// Both properties make one list.
void import_inferred_paths(Import& import, const Bean& bean, const BeanProperty& property) {
  const bool is_root = property.name == "inferRootPage", infers_root = is_true(bean.text("inferRootPage", "false"));
  if (is_root && !infers_root) return import.tell(property, Fate::taken, "no such page is asked for");
  if (is_root && bean.find("inferPaths") != nullptr)
    return import.tell(property, Fate::taken, "extract.site-paths, with those of inferPaths");
  std::vector<std::string> paths;
  if (infers_root) paths.emplace_back("/");
  if (!is_root)
    for (const std::string& path : texts_of(import, property)) paths.push_back(path);
  std::string left_out;
  std::erase_if(paths, [&](const std::string& path) {
    const bool is_of_root = path.starts_with('/') && !path.starts_with("//") && !path.contains('#');
    if (!is_of_root) left_out += (left_out.empty() ? "" : ", ") + path;
    return !is_of_root;
  });
  if (left_out.empty()) {
    import.set(property, "extract", "site-paths", paths);
    return;
  }
  const std::string why =
      fmt::format("{}: a path of extract.site-paths begins at the root of its site: write it with a slash", left_out);
  if (paths.empty()) return import.tell(property, Fate::without, why);
  import.set(property, "extract", "site-paths", paths, Fate::differently, why);
}

void import_sitemap_urls(Import& import, const Bean& /*bean*/, const BeanProperty& property) {
  const auto pattern = re2_search(trim(property.value.text));
  if (!pattern)
    return import.tell(property, Fate::without, fmt::format("{}: write it in another way", pattern.error().message));
  import.set(property, "extract", "sitemap-urls", {*pattern});
}

void import_multiple_url(Import& import, const Bean& /*bean*/, const BeanProperty& property) {
  const auto pattern = re2_syntax(trim(property.value.text));
  if (!pattern)
    return import.tell(property, Fate::without, fmt::format("{}: write it in another way", pattern.error().message));
  import.set(property, "extract", "multiple-regex-url", {*pattern});
}

void import_multiple_parts(Import& import, const Bean& /*bean*/, const BeanProperty& property) {
  std::vector<std::string> parts;
  for (size_t i = 0; i < property.value.items.size() && i < property.value.keys.size(); ++i) {
    const auto pattern = re2_syntax(trim(property.value.items[i].text));
    if (!pattern)
      return import.tell(property, Fate::without, fmt::format("{}: write it in another way", pattern.error().message));
    parts.push_back(fmt::format("{}: {}", property.value.keys[i], *pattern));
  }
  import.set(property, "extract", "multiple-regex-parts", parts);
}

}  // namespace caddis::heritrix
