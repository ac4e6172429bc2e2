// Chains of processors: which steps a visit takes, and which extractors there are.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "caddis/base/strings.h"
#include "caddis/config/pipeline_settings.h"
#include "caddis/heritrix/bean_kinds.h"
#include "caddis/heritrix/decide_rules.h"
#include "caddis/heritrix/expressions.h"
#include "caddis/heritrix/handlers.h"
#include "caddis/heritrix/java_pattern.h"

namespace caddis::heritrix {
namespace {

using Roles = std::set<std::string_view>;

// A mark of a template may switch it on.
bool is_on(const Bean& bean) { return to_lower(bean.text("enabled", "true")) != "false"; }

// The roles of the processors that are in a chain and switched on.
Roles roles_in(Import& import, const BeanProperty& chain) {
  Roles roles;
  const BeanValue* const list = import.tree().list(chain.value);
  if (list == nullptr) return roles;
  for (const BeanValue& item : list->items) {
    const Bean* const bean = import.tree().follow(item);
    const BeanKind* const kind = bean == nullptr ? nullptr : find_bean_kind(bean->kind());
    if (kind != nullptr && is_on(*bean)) roles.insert(kind->role);
  }
  return roles;
}

// Each processor is told of by itself.
void tell_references(Import& import, const BeanProperty& chain) {
  const BeanValue* const list = import.tree().list(chain.value);
  if (list == nullptr) return;
  for (const BeanValue& item : list->items) {
    if (item.bean) continue;
    if (import.tree().follow(item) != nullptr)
      import.report().taken(item.item, "the bean tells what it has become");
    else
      import.report().without(item.item, "there is no such bean: Heritrix would not start either");
  }
}

// The formats of binary documents that the extractors of a chain read.
std::vector<std::string> document_formats(const Roles& roles) {
  std::vector<std::string> formats;
  if (roles.contains("extractorPdf")) formats.emplace_back("pdf");
  if (roles.contains("extractorDoc")) formats.emplace_back("ole");
  if (roles.contains("extractorSwf")) formats.emplace_back("swf");
  return formats;
}

std::string listed(std::string_view text) { return std::string(trim(text)); }

}  // namespace

void import_fetch_chain(Import& import, const Bean& /*bean*/, const BeanProperty& property) {
  tell_references(import, property);
  const Roles roles = roles_in(import, property);
  const bool has_pages = roles.contains("extractorHtml") || roles.contains("extractorCss") ||
                         roles.contains("extractorSitemap") || roles.contains("extractorJs") ||
                         roles.contains("extractorXml") || has_optional_extractor(roles);
  const std::vector<std::string> formats = document_formats(roles);
  std::vector<std::string> steps = config::default_steps();
  if (!has_pages && formats.empty() && !roles.contains("extractorHttp"))
    std::erase_if(steps, [](const std::string& step) {
      return step == "decode" || step == "session" || step == "extract" || step == "documents" || step == "program" ||
             step == "feed" || step == "walls" || step == "directives" || step == "links";
    });
  import.set(property, "pipeline", "url", steps);
  import_extractors(import, property);
  if (roles.contains("trapSuppress")) import.set(property, "extract", "suppress-traps", {"true"});
  if (has_pages || !formats.empty())
    import.set(property, "documents", "formats", formats, Fate::differently,
               "the formats for which the chain has an extractor; Caddis could read others");
  if (has_pages && !roles.contains("extractorJs"))
    import.set(property, "extract", "javascript", {"false"}, Fate::differently,
               "the chain has no extractor of scripts");
  if (has_pages && !roles.contains("extractorHttp"))
    import.set(property, "extract", "favicon", {"false"}, Fate::differently,
               "the chain has no extractor of headers; redirects are followed nevertheless");
  if (roles.contains("extractorHtml") && !roles.contains("extractorCss"))
    import.report().differently(property.item, "style sheets are searched for links, too");
}

void import_writing_chain(Import& import, const Bean& /*bean*/, const BeanProperty& property) {
  tell_references(import, property);
  // NetarchiveSuite puts the writer into the chain.
  const bool is_filled_in = std::ranges::any_of(import.report().items(), [](const ImportItem& item) {
    return item.path.contains("rocessors") && item.value.contains("%{ARCHIVER_");
  });
  if (!is_filled_in && !roles_in(import, property).contains("warcWriter"))
    return import.tell(property, Fate::without, "the chain has no writer of WARC files; Caddis always writes them");
  import.tell(property, Fate::taken, "records, links, politeness: in the order of pipeline.url");
}

void import_step_rule(Import& import, const Bean& /*bean*/, const BeanProperty& property) {
  if (accepts_all(import.tree(), property.value) || property.value.kind == BeanValue::Kind::none)
    return import.tell_deep(property, Fate::taken, "it lets every URL through");
  import.tell_deep(property, Fate::without,
                   "a processor of its own is passed by for some URLs: write a guard of the step that it belongs to "
                   "(pipeline.guard)");
}

void import_switched_off(Import& import, const Bean& bean, const BeanProperty& property) {
  if (is_true(property.value.text)) return import.tell(property, Fate::taken, "it is in use");
  if (is_open(property.value.text)) return import.tell_open(property);
  const BeanKind* const kind = find_bean_kind(bean.kind());
  const std::string_view role = kind == nullptr ? "" : kind->role;
  if (role == "extractorJs") {
    import.set(property, "extract", "javascript", {"false"});
  } else if (role == "deDuplicator" || role == "fetchHistoryProcessor") {
    import.tell(property, Fate::taken, "dedup.strategy is off");
  } else if (role == "extractorHtml" || role == "extractorHttp" || role == "extractorCss") {
    import.tell(property, Fate::without,
                "write extract.extractors: [-html] or [-css] (docs/extractors.md); [-http] follows no redirects");
  } else {
    import.tell(property, Fate::differently, "it is switched off, and its other properties do not count in Heritrix");
  }
}

void import_preselector_regex(Import& import, const Bean& /*bean*/, const BeanProperty& property) {
  const std::string regex = listed(property.value.text);
  if (regex.empty()) return import.tell(property, Fate::taken, "nothing is blocked");
  const auto pattern = re2_search(regex);
  if (!pattern || is_open(regex))
    return import.tell(property, Fate::without, "write it into scope.exclude or scope.restrict-to in another way");
  const bool blocks = property.name.starts_with("block");
  import.set(property, "scope", blocks ? "exclude" : "restrict-to", {*pattern});
}

}  // namespace caddis::heritrix
