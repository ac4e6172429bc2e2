#include "caddis/scope/shorthand.h"

#include <fmt/format.h>

#include <algorithm>

#include "caddis/base/check.h"
#include "caddis/scope/condition_makers.h"

namespace caddis::scope {
namespace {

std::string kind_name(ScopeKind kind) {
  return settings::schema_of<ScopeSettings>().find("kind")->write(static_cast<int64_t>(kind));
}

class Shorthand {
 public:
  explicit Shorthand(PatternsLike& known) : known_(known) {}

  // `condition` is one that its maker takes: its arguments are numbers and names from checked settings.
  void add(Verdict verdict, std::string_view name, std::string_view condition, std::string_view arguments,
           bool is_negated = false) {
    const RuleKind* kind = find_rule_kind(condition);
    CADDIS_CHECK(kind != nullptr);
    const ReadFile none = [](const std::string&) -> Result<std::string> { return ""; };
    auto made = kind->make({arguments, verdict, none});
    CADDIS_CHECK(made.has_value());
    std::string line = fmt::format("{}{} {}", word(verdict), is_negated ? " not" : "", condition);
    if (!arguments.empty()) line.append(" ").append(arguments);
    rules_.push_back(std::make_shared<const Rule>(verdict, name, std::vector{std::move(line)},
                                                  Predicate(*kind, *std::move(made), is_negated)));
  }

  Result<void> add_patterns(Verdict verdict, std::string_view name, const std::vector<std::string>& patterns,
                            bool is_negated = false) {
    if (patterns.empty()) return {};
    auto known = std::ranges::find(known_, patterns, &PatternsLike::value_type::first);
    if (known == known_.end()) {
      TRY(PatternList made, PatternList::create(name, patterns));
      known_.emplace_back(patterns, std::make_shared<const PatternList>(std::move(made)));
      known = std::prev(known_.end());
    }
    std::vector<std::string> lines;
    if (is_negated)
      lines.push_back(fmt::format("{} not url {}", word(verdict), fmt::join(patterns, "|")));
    else
      for (const std::string& pattern : patterns) lines.push_back(fmt::format("{} url {}", word(verdict), pattern));
    Predicate predicate(*find_rule_kind("url"), condition_of(known->second), is_negated);
    rules_.push_back(std::make_shared<const Rule>(verdict, name, std::move(lines), std::move(predicate)));
    return {};
  }

  std::vector<std::shared_ptr<const Rule>> take() { return std::move(rules_); }

 private:
  static std::string_view word(Verdict verdict) { return verdict == Verdict::accept ? "accept" : "reject"; }

  PatternsLike& known_;
  std::vector<std::shared_ptr<const Rule>> rules_;
};

std::string more_than(int64_t bound) { return fmt::format("> {}", bound); }

}  // namespace

std::shared_ptr<const Rule> minus_lines_rule() {
  PatternsLike none;
  Shorthand list(none);
  list.add(Verdict::reject, kMinusLines, kMinusLines, "");
  return list.take().front();
}

Result<std::vector<std::shared_ptr<const Rule>>> shorthand_rules(const ScopeSettings& settings, PatternsLike& known) {
  using enum Verdict;
  Shorthand list(known);
  list.add(reject, "out-of-scope", "all", "");
  // These two name a reason: without them such URLs would be out of scope as well.
  list.add(reject, "max-transitive-hops", "transitive-hops", more_than(settings.max_transitive_hops));
  list.add(reject, "max-speculative-hops", "speculative-hops", more_than(settings.max_speculative_hops));
  TRY_VOID(list.add_patterns(accept, "include", settings.include));
  list.add(accept, kind_name(settings.kind), "seeds", kind_name(settings.kind));
  list.add(reject, "max-hops", "hops", more_than(settings.max_hops));
  list.add(accept, "embed", "embed", fmt::format("{} {}", settings.max_transitive_hops, settings.max_speculative_hops));
  TRY_VOID(list.add_patterns(reject, "useless-paths", settings.useless_paths));
  list.add(reject, "max-path-repetitions", "path-repetitions", more_than(settings.max_path_repetitions));
  list.add(reject, "max-path-depth", "path-depth", more_than(settings.max_path_depth));
  list.add(accept, "seed", "seed", "");
  TRY_VOID(list.add_patterns(reject, "exclude", settings.exclude));
  TRY_VOID(list.add_patterns(reject, "restrict-to", settings.restrict_to, true));
  list.add(reject, "max-redirects", "redirects", more_than(settings.max_redirects));
  list.add(reject, "max-url-length", "url-length", more_than(settings.max_url_length));
  list.add(reject, "schemes", "scheme", fmt::format("{}", fmt::join(settings.schemes, " ")), true);
  list.add(reject, kMinusLines, kMinusLines, "");
  return list.take();
}

}  // namespace caddis::scope
