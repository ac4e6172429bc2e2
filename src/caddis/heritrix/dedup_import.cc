// Which payloads are stored once only: the DeDuplicator of NetarchiveSuite, and Heritrix's own histories.
#include <fmt/format.h>

#include <string>

#include "caddis/base/strings.h"
#include "caddis/heritrix/handlers.h"

namespace caddis::heritrix {
namespace {

// A mark of a template may switch it on.
bool is_on(const Bean& bean) { return to_lower(bean.text("enabled", "true")) != "false"; }

// "^text/.*" is "text/*"; other expressions are none that dedup.leave-out could have.
std::string type_pattern(std::string_view regex) {
  std::string type(trim(regex));
  if (type.starts_with('^')) type.erase(0, 1);
  if (type.ends_with('$')) type.pop_back();
  if (type.ends_with("/.*") || type.ends_with("/.+")) type.replace(type.size() - 2, 2, "*");
  const bool is_plain = type.find_first_of("^$.|()[]\\+?") == std::string::npos && type.contains('/');
  return is_plain ? type : "";
}

void import_filter(Import& import, const Bean& bean) {
  const BeanProperty* const filter = bean.find("mimeFilter");
  const BeanProperty* const mode = bean.find("filterMode");
  if (filter == nullptr) return;
  const std::string type = type_pattern(filter->value.text);
  const bool is_blacklist = mode == nullptr || to_lower(trim(mode->value.text)).starts_with("black");
  if (type.empty() || !is_blacklist) {
    constexpr std::string_view kWhy = "write the types that are stored each time into dedup.leave-out";
    import.tell(*filter, Fate::without, kWhy);
    if (mode != nullptr) import.tell(*mode, Fate::without, kWhy);
    return;
  }
  import.set(*filter, "dedup", "leave-out", {type});
  if (mode != nullptr) import.tell(*mode, Fate::taken, "dedup.leave-out");
}

}  // namespace

void import_deduplicator(Import& import, const Bean& bean) {
  const BeanProperty* const matching = bean.find("matchingMethod");
  const BeanProperty* const equivalent = bean.find("tryEquivalent");
  const bool by_url = matching == nullptr || to_lower(matching->value.text).contains("url");
  const bool tries_equivalent = equivalent != nullptr && is_true(equivalent->value.text);
  if (!is_on(bean)) {
    import.set(bean.item, "dedup", "strategy", {"off"});
    if (matching != nullptr) import.tell(*matching, Fate::taken, "it is switched off");
    if (equivalent != nullptr) import.tell(*equivalent, Fate::taken, "it is switched off");
  } else {
    import.set(bean.item, "dedup", "strategy", {!by_url ? "any" : tries_equivalent ? "canonical" : "url"});
    if (matching != nullptr) import.tell(*matching, Fate::taken, "dedup.strategy");
    if (equivalent != nullptr) import.tell(*equivalent, Fate::taken, "dedup.strategy");
  }
  import_filter(import, bean);
}

void import_history(Import& import, const Bean& bean) {
  if (!is_on(bean)) return import.report().taken(bean.item, "it is switched off");
  if (import.set(bean.item, "dedup", "conditional", {"true"}) && import.tree().find_kind("DeDuplicator") == nullptr &&
      import.tree().find_kind("ContentDigestHistoryLoader") == nullptr)
    import.set(bean.item, "dedup", "strategy", {"url"});
}

void import_digest_history(Import& import, const Bean& bean) {
  if (is_on(bean)) import.set(bean.item, "dedup", "strategy", {"url-preferred"}, Fate::taken, "payloads of any URL");
}

}  // namespace caddis::heritrix
