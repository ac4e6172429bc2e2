#include "caddis/scope/rule_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include "caddis/base/strings.h"

namespace caddis::scope {

Result<RuleList> RuleList::from_file(std::string_view path, const ReadFile& read) {
  // A file that names itself would be read for ever: each is read with a reader that refuses the files above it.
  const ReadFile read_below = [&](const std::string& other) -> Result<std::string> {
    if (other == path)
      return fail(ErrorCode::config, fmt::format("{}: the rules of this file name the file itself", path));
    return read(other);
  };
  TRY(const std::string text, read(std::string(path)));
  std::vector<std::shared_ptr<const Rule>> rules;
  size_t number = 0;
  for (std::string_view line : split(text, '\n')) {
    ++number;
    line = trim(line);
    if (line.empty() || line.starts_with('#')) continue;
    auto rule = Rule::parse(line, read_below);
    if (!rule) return pass(std::move(rule).error(), fmt::format("{}:{}: '{}'", path, number, line));
    rules.push_back(std::make_shared<const Rule>(*std::move(rule)));
  }
  return RuleList(std::move(rules));
}

Ruling RuleList::ask(const Candidate& candidate, const SeedBook& seeds) const {
  Ruling ruling;
  auto rule = rules_.rbegin();
  bool any_waits = false;
  for (; rule != rules_.rend() && ruling.verdict == Verdict::none; ++rule) {
    if ((*rule)->can_wait())
      any_waits = true;
    else
      ruling = (*rule)->ask(candidate, seeds);
  }
  if (!any_waits || ruling.verdict == Verdict::reject) return ruling;
  for (const auto& waiting : std::ranges::subrange(rules_.rbegin(), rule)) {
    if (!waiting->can_wait()) continue;
    if (const Ruling other = waiting->ask(candidate, seeds); other.verdict != Verdict::none) return other;
  }
  return ruling;
}

bool RuleList::needs_answer() const {
  return std::ranges::any_of(rules_, [](const auto& rule) { return rule->needs_answer(); });
}

std::vector<ScopeKind> RuleList::seed_kinds() const {
  std::vector<ScopeKind> kinds;
  for (const auto& rule : rules_)
    for (const ScopeKind kind : rule->seed_kinds())
      if (std::ranges::find(kinds, kind) == kinds.end()) kinds.push_back(kind);
  return kinds;
}

}  // namespace caddis::scope
