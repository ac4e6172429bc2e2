#include "caddis/scope/predicate.h"

#include <fmt/format.h>

#include <algorithm>

#include "caddis/base/strings.h"
#include "caddis/base/visible.h"

namespace caddis::scope {
namespace {

constexpr std::string_view kAnd = " and ";

std::vector<std::string> kind_names() {
  std::vector<std::string> names;
  for (const RuleKind& kind : rule_kinds()) names.emplace_back(kind.name);
  return names;
}

// The place where the next condition begins, behind " and ": an expression may hold that word, too.
size_t end_of_term(std::string_view text) {
  for (size_t at = text.find(kAnd); at != text.npos; at = text.find(kAnd, at + 1)) {
    std::string_view rest = trim(text.substr(at + kAnd.size()));
    std::string_view word = cut_word(rest);
    if (word == "not") word = cut_word(rest);
    if (find_rule_kind(word) != nullptr) return at;
    // A name that is mistyped: its own error tells.
    if (word.size() > 2 && !nearest_name(word, kind_names()).empty()) return at;
  }
  return text.npos;
}

bool is_known(Needs needed, const Answer* answer) {
  if (answer == nullptr) return false;
  return answer->has_come || (needed == Needs::address && !answer->address.empty());
}

}  // namespace

std::string_view cut_word(std::string_view& rest) {
  const size_t blank = std::min(rest.find(' '), rest.size());
  const std::string_view word = rest.substr(0, blank);
  rest = trim(rest.substr(blank));
  return word;
}

Result<Predicate::Term> Predicate::parse_term(std::string_view text, Verdict verdict, const ReadFile& read) {
  Term term;
  std::string_view rest = trim(text);
  std::string_view name = cut_word(rest);
  if (name == "not") {
    term.is_negated = true;
    name = cut_word(rest);
  }
  term.kind = find_rule_kind(name);
  if (term.kind == nullptr) {
    for (const RuleKind& kind : rule_kinds())
      if (name.size() > 6 && kind.heritrix.contains(name))
        return fail(ErrorCode::config, fmt::format("Heritrix's {} is '{}' here{}{}", name, kind.name,
                                                   kind.arguments.empty() ? "" : " ", kind.arguments));
    const std::string near = nearest_name(name, kind_names());
    return fail(ErrorCode::config,
                fmt::format("there is no condition '{}'{}; docs/rules.md has them all (caddis schema --rules)",
                            visible(name, kQuoted), near.empty() ? "" : fmt::format("; did you mean '{}'?", near)));
  }
  auto made = term.kind->make({rest, verdict, read});
  if (!made) return pass(std::move(made).error(), std::string(name));
  term.condition = *std::move(made);
  return term;
}

Result<Predicate> Predicate::parse(std::string_view text, Verdict verdict, const ReadFile& read) {
  Predicate predicate;
  for (bool is_last = false; !is_last;) {
    const size_t end = end_of_term(text);
    is_last = end == text.npos;
    TRY(Term term, parse_term(text.substr(0, end), verdict, read));
    predicate.terms_.push_back(std::move(term));
    if (!is_last) text.remove_prefix(end + kAnd.size());
  }
  return predicate;
}

Predicate::Predicate(const RuleKind& kind, std::unique_ptr<const Condition> condition, bool is_negated)
    : terms_{{is_negated, &kind, std::move(condition)}} {}

std::optional<std::string_view> Predicate::match(const Candidate& candidate, const SeedBook& seeds) const {
  std::string_view detail;
  for (const Term& term : terms_) {
    if (term.kind->needs != Needs::link && !is_known(term.kind->needs, candidate.answer)) return {};
    const auto found = term.condition->match(candidate, seeds);
    if (found.has_value() == term.is_negated) return {};
    if (found && !found->empty()) detail = *found;
  }
  return detail;
}

std::string Predicate::explain(const Candidate& candidate, const SeedBook& seeds) const {
  std::string sentence;
  for (const Term& term : terms_) {
    if (!sentence.empty()) sentence += "; ";
    const auto found = term.condition->match(candidate, seeds);
    sentence += term.condition->explain(candidate, found);
  }
  return sentence;
}

std::optional<Predicate::Single> Predicate::single() const {
  if (terms_.size() != 1 || terms_.front().kind->needs != Needs::link) return {};
  return Single{terms_.front().condition.get(), terms_.front().is_negated};
}

std::vector<const RuleKind*> Predicate::kinds() const {
  std::vector<const RuleKind*> kinds;
  for (const Term& term : terms_) kinds.push_back(term.kind);
  return kinds;
}

bool Predicate::needs_answer() const {
  return std::ranges::any_of(terms_, [](const Term& term) { return term.kind->needs == Needs::answer; });
}

bool Predicate::needs_address() const {
  return std::ranges::any_of(terms_, [](const Term& term) { return term.kind->needs == Needs::address; });
}

bool Predicate::is_costly() const {
  return std::ranges::any_of(terms_, [](const Term& term) { return term.kind->is_costly; });
}

std::vector<ScopeKind> Predicate::seed_kinds() const {
  std::vector<ScopeKind> kinds;
  for (const Term& term : terms_)
    if (const auto kind = term.condition->seed_kind()) kinds.push_back(*kind);
  return kinds;
}

}  // namespace caddis::scope
