// The scope: the sequence of rules that links are held against.
#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "caddis/base/strings.h"

#include "caddis/heritrix/decide_rules.h"
#include "caddis/heritrix/expressions.h"
#include "caddis/heritrix/handlers.h"
#include "caddis/heritrix/java_pattern.h"
#include "caddis/scope/rules.h"

namespace caddis::heritrix {
namespace {

const Bean* scope_of(const BeanTree& tree) {
  if (const Bean* const scoper = tree.find_kind("CandidateScoper")) {
    const BeanProperty* const scope = scoper->find("scope");
    if (scope != nullptr && tree.follow(scope->value) != nullptr) return tree.follow(scope->value);
  }
  return tree.find("scope");
}

// Expressions that the preselector holds every URL against: the last rules, since they outrank all.
void add_preselector(Import& import, const Bean& preselector, std::vector<std::string>& rules) {
  for (const BeanProperty& property : preselector.properties) {
    const bool blocks = property.name == "blockByRegex";
    const std::string_view regex = trim(property.value.text);
    if ((!blocks && property.name != "allowByRegex") || regex.empty() || is_open(regex)) continue;
    const auto pattern = re2_search(regex);
    std::string rule = fmt::format("reject {}url {}", blocks ? "" : "not ", pattern ? *pattern : "");
    if (const auto sound = scope::check_rule(rule); !pattern || !sound) {
      import.tell(property, Fate::without, "write it as a rule of scope.rules in another way");
      import.lacks_rejection(property.item);
      continue;
    }
    import.tell(property, Fate::taken, "scope.rules: " + rule);
    rules.push_back(std::move(rule));
  }
}

}  // namespace

void import_scope(Import& import) {
  const Bean* const scope = scope_of(import.tree());
  if (scope == nullptr) return;
  std::vector<RuleLine> lines = sequence_lines(import, *scope, RuleUse::scope);
  if (!import.excluded_surts.empty()) {
    // No rule has taken the lines of the seeds that narrow the scope, and neither does Heritrix then.
    import.report().differently(
        scope->item,
        fmt::format("{} lines of the seeds begin with -, and no rule rejects by them", import.excluded_surts.size()));
  }
  std::vector<std::string> texts;
  for (const RuleLine& line : lines) texts.push_back(line.text());
  if (const Bean* const preselector = import.tree().find_kind("Preselector"))
    add_preselector(import, *preselector, texts);
  if (texts.empty())
    return import.report().without(scope->item,
                                   "no rule of it can be taken over: choose scope.kind, or write scope.rules");
  const bool is_set = import.set(scope->item, "scope", "rules", texts, Fate::taken,
                                 "seeds' paths tell upper case from lower case here");
  if (!is_set && import.open_question.empty())
    import.open_question = "scope.rules could not be set: import.txt says why; write the rules";
}

}  // namespace caddis::heritrix
