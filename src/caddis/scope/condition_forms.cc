#include "caddis/scope/condition_forms.h"

#include "caddis/scope/site.h"
#include "caddis/url/surt.h"

namespace caddis::scope {
namespace {

class Comparison final : public Condition {
 public:
  Comparison(NumberSet numbers, Measure measure, std::string_view unit)
      : numbers_(std::move(numbers)), measure_(measure), unit_(unit) {}
  std::optional<std::string_view> match(const Candidate& candidate, const SeedBook& /*seeds*/) const override {
    const auto number = measure_(candidate);
    if (!number || !numbers_.contains(*number)) return {};
    return std::string_view();
  }
  std::string explain(const Candidate& candidate, std::optional<std::string_view> found) const override {
    std::string sentence = fmt::format("{} {}", measure_(candidate).value_or(0), unit_);
    if (found && numbers_.is_greater_than()) sentence += fmt::format(", {} are allowed", numbers_.bound());
    return sentence;
  }
  std::optional<GreaterThan> greater_than() const override {
    if (!numbers_.is_greater_than()) return {};
    return GreaterThan{measure_, numbers_.bound()};
  }

 private:
  NumberSet numbers_;
  Measure measure_;
  std::string_view unit_;
};

class Search final : public Condition {
 public:
  Search(PatternList patterns, TextOf text_of, std::string_view what)
      : patterns_(std::move(patterns)), text_of_(text_of), what_(what) {}
  std::optional<std::string_view> match(const Candidate& candidate, const SeedBook& /*seeds*/) const override {
    const auto text = text_of_(candidate);
    if (!text) return {};
    const std::string_view found = patterns_.find(*text);
    if (found.empty()) return {};
    return found;
  }
  std::string explain(const Candidate& /*candidate*/, std::optional<std::string_view> found) const override {
    return found ? fmt::format("'{}' is found in {}", *found, what_) : fmt::format("nothing is found in {}", what_);
  }

 private:
  PatternList patterns_;
  TextOf text_of_;
  std::string_view what_;
};

class SurtPrefixes final : public Condition {
 public:
  SurtPrefixes(url::SurtPrefixSet prefixes, SurtOf surt_of, std::string_view what)
      : prefixes_(std::move(prefixes)), surt_of_(surt_of), what_(what) {}
  std::optional<std::string_view> match(const Candidate& candidate, const SeedBook& /*seeds*/) const override {
    const auto surt = surt_of_(candidate);
    if (!surt) return {};
    const std::string_view found = prefixes_.find(*surt);
    if (found.empty()) return {};
    return found;
  }
  std::string explain(const Candidate& candidate, std::optional<std::string_view> found) const override {
    return found ? fmt::format("{} begins with {}", what_, *found)
                 : fmt::format("{} begins like none of them", surt_of_(candidate).value_or("no page"));
  }

 private:
  url::SurtPrefixSet prefixes_;
  SurtOf surt_of_;
  std::string_view what_;
};

class Flag final : public Condition {
 public:
  Flag(Test test, std::string_view sentence, std::string_view unlike)
      : test_(test), sentence_(sentence), unlike_(unlike) {}
  std::optional<std::string_view> match(const Candidate& candidate, const SeedBook& /*seeds*/) const override {
    if (!test_(candidate)) return {};
    return std::string_view();
  }
  std::string explain(const Candidate& /*candidate*/, std::optional<std::string_view> found) const override {
    return std::string(found ? sentence_ : unlike_);
  }

 private:
  Test test_;
  std::string_view sentence_, unlike_;
};

}  // namespace

MadeCondition compare(const Arguments& arguments, Measure measure, std::string_view unit) {
  TRY(NumberSet numbers, NumberSet::parse(arguments.text));
  return std::make_unique<Comparison>(std::move(numbers), measure, unit);
}

MadeCondition search(const Arguments& arguments, TextOf text_of, std::string_view what) {
  TRY(const auto patterns, arguments.patterns());
  TRY(PatternList list, PatternList::create("expression", patterns));
  return std::make_unique<Search>(std::move(list), text_of, what);
}

MadeCondition begin_with(const std::vector<std::string>& sites, SurtOf surt_of, std::string_view what) {
  url::SurtPrefixSet prefixes;
  for (const std::string& site : sites) {
    auto found = site_prefixes(site);
    if (!found) return pass(std::move(found).error(), fmt::format("'{}'", site));
    for (const std::string& prefix : *found) prefixes.add(prefix);
  }
  return std::make_unique<SurtPrefixes>(std::move(prefixes), surt_of, what);
}

MadeCondition test(const Arguments& arguments, Test test, std::string_view sentence, std::string_view unlike) {
  if (!arguments.text.empty())
    return fail(ErrorCode::config, fmt::format("nothing may follow it, '{}' does", arguments.text));
  return std::make_unique<Flag>(test, sentence, unlike);
}

}  // namespace caddis::scope
