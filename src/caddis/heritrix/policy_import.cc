// Policies of the frontier, of keys, and of quotas (docs/heritrix-policies.md).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/heritrix/handlers.h"

namespace caddis::heritrix {
namespace {

std::string positive(std::string_view text) {
  const auto number = parse_int(trim(text));
  return number && *number > 0 ? fmt::format("{}", *number) : "";
}

// Rules of keys and the steps that are the same.
constexpr auto kSteps = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"LowercaseRule", "lowercase"},
    {"StripUserinfoRule", "heritrix-strip-userinfo"},
    {"StripWWWNRule", "heritrix-strip-wwwn"},
    {"StripWWWRule", "heritrix-strip-www"},
    {"StripSessionIDs", "heritrix-strip-session-ids"},
    {"StripSessionCFIDs", "heritrix-strip-cfids"},
    {"FixupQueryString", "fixup-query"},
    {"FixupQueryStr", "fixup-query"},
});

}  // namespace

void import_policy_reference(Import& import, const Bean& /*bean*/, const BeanProperty& property) {
  if (import.tree().follow(property.value) == nullptr)
    return import.tell(property, Fate::without, "there is no such bean");
  import.tell(property, Fate::taken, "by the bean");
}

void import_queue_assignment(Import& import, const Bean& bean) {
  const std::string_view kind = bean.kind();
  const std::string labels = positive(bean.text("limit"));
  std::string_view why;
  Fate fate = Fate::taken;
  std::string together = "host";
  if (kind.ends_with("WithLimits") && !labels.empty()) {
    together = "labels";
    if (const BeanProperty* const limit = bean.find("limit")) import.set(*limit, "politeness", "labels", {labels});
  } else if (kind.starts_with("AssignmentLevel") || kind.starts_with("TopmostAssigned") ||
             kind == "DomainnameQueueAssignmentPolicy") {
    together = "domain";
  } else if (kind == "SeedUriDomainnameQueueAssignmentPolicy") {
    together = "domain";
    fate = Fate::differently;
    why = "by the domain of each URL, not of its seed";
  } else if (kind == "IPQueueAssignmentPolicy") {
    together = "address";
  } else if (kind == "BucketQueueAssignmentPolicy") {
    together = "bucket";
  }
  import.set(bean.item, "politeness", "together", {together}, fate, why);
  if (const BeanProperty* const limit = bean.find("limit"); limit != nullptr && labels.empty())
    import.tell(*limit, Fate::taken, "names count whole");
}

void import_cost(Import& import, const Bean& bean) {
  const std::string_view kind = bean.kind();
  const std::string_view cost = kind.starts_with("Zero")   ? "zero"
                                : kind.starts_with("Wag")  ? "wag"
                                : kind.starts_with("Anti") ? "anti-calendar"
                                                           : "unit";
  import.set(bean.item, "frontier", "cost", {std::string(cost)});
}

void import_uri_precedence(Import& import, const Bean& bean) {
  const std::string_view kind = bean.kind();
  if (kind.starts_with("Hops")) {
    import.set(bean.item, "frontier", "order", {"hops"});
  } else if (kind.starts_with("Cost")) {
    const Bean* const wag = import.tree().find_kind("WagCostAssignmentPolicy");
    const Bean* const calendar = import.tree().find_kind("AntiCalendarCostAssignmentPolicy");
    const bool costs_differ = wag != nullptr || calendar != nullptr;
    import.set(bean.item, "frontier", "order", {costs_differ ? "cost" : "found"}, Fate::taken,
               costs_differ ? "" : "all URLs cost the same");
  } else if (kind.starts_with("Preloaded")) {
    import.report().without(bean.item,
                            "write the URLs with their precedences into a file, and name it in frontier.precedences");
  } else {
    import.set(bean.item, "frontier", "order", {"found"});
  }
}

void import_queue_precedence(Import& import, const Bean& bean) {
  const std::string_view kind = bean.kind();
  const std::string_view queues = kind.starts_with("SuccessCounts") ? "successes"
                                  : kind.starts_with("HighestUri")  ? "highest-url"
                                                                    : "due";
  import.set(bean.item, "frontier", "queues", {std::string(queues)});
}

void import_key_rules(Import& import, const Bean& /*bean*/, const BeanProperty& property) {
  const BeanValue* const list = import.tree().list(property.value);
  if (list == nullptr)
    return import.tell(property, Fate::without, "write the steps of the key into canonicalization.crawl");
  std::string steps;
  bool is_whole = true;
  for (const BeanValue& item : list->items) {
    const Bean* const rule = import.tree().follow(item);
    const auto step = std::ranges::find(kSteps, rule == nullptr ? "" : rule->kind(),
                                        &std::pair<std::string_view, std::string_view>::first);
    if (rule != nullptr && rule->find("enabled") != nullptr && !is_true(rule->text("enabled"))) {
      import.tell_deep(*rule, Fate::taken, "it is switched off, so no step is written");
    } else if (step == kSteps.end()) {
      is_whole = false;
      if (rule != nullptr)
        import.tell_deep(*rule, Fate::without,
                         "Caddis has no such step ready; canonicalization.crawl may have 'regex' steps");
    } else {
      steps.append(" ").append(step->second);
      import.tell_deep(*rule, Fate::taken, fmt::format("the step {}", step->second));
    }
  }
  constexpr std::string_view kDefault =
      " lowercase heritrix-strip-userinfo heritrix-strip-wwwn heritrix-strip-session-ids heritrix-strip-cfids "
      "fixup-query";
  const std::string policy =
      steps == kDefault ? "heritrix/1" : "imported/1: whatwg-parse strip-fragment write-url" + steps;
  import.set(property, "canonicalization", "crawl", {policy}, is_whole ? Fate::taken : Fate::differently,
             is_whole ? "" : "without the rules that have no step");
}

void import_quota_action(Import& import, const Bean& /*bean*/, const BeanProperty& property) {
  import.set(property, "quota", "action", {is_true(property.value.text) ? "retire" : "drop"});
}

void import_force_retire(Import& import, const Bean& /*bean*/, const BeanProperty& property) {
  const bool retires = is_true(property.value.text);
  import.set(property, "frontier", "retire", {retires ? "true" : "false"}, retires ? Fate::differently : Fate::taken,
             retires ? "queues wait at once; in Heritrix after their next URL" : "");
}

void import_expiration(Import& import, const Bean& /*bean*/, const BeanProperty& property) {
  const std::string operation = to_lower(trim(property.value.text));
  const std::string_view what = operation.starts_with("pause")   ? "pause"
                                : operation.starts_with("block") ? "block"
                                                                 : "end";
  import.set(property, "limits", "at-limit", {std::string(what)}, Fate::taken, "it counts for the other limits, too");
}

}  // namespace caddis::heritrix
