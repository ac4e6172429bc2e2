// A rule of Heritrix is a class with properties. A table has a maker for each class; a maker says which conditions the rule
// asks (`terms`), and asks for the properties that it has understood, so that the others can be told as not understood.
#include "caddis/heritrix/decide_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <set>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/heritrix/expressions.h"
#include "caddis/heritrix/java_pattern.h"
#include "caddis/scope/rule_kinds.h"
#include "caddis/scope/rules.h"
#include "caddis/url/surt.h"

namespace caddis::heritrix {
namespace {

constexpr size_t kMostInline = 6;  // values that stand in the rule itself; more go into a file
constexpr int kMostNested = 10;    // sequences in sequences

// One rule on its way.
class Rule {
 public:
  Rule(Import& import, const Bean& bean, RuleUse use, int depth)
      : import_(import), bean_(bean), use_(use), depth_(depth) {}

  Import& import() { return import_; }
  const Bean& bean() const { return bean_; }
  int depth() const { return depth_; }
  RuleUse use() const { return use_; }

  // The text of a property that is understood.
  std::string text(std::string_view name, std::string_view otherwise = {}) {
    understood_.emplace(name);
    return bean_.text(name, otherwise);
  }
  bool flag(std::string_view name, bool otherwise) {
    understood_.emplace(name);
    const BeanProperty* const found = bean_.find(name);
    return found == nullptr ? otherwise : is_true(found->value.text);
  }
  // The texts of a list, or of several lines.
  std::vector<std::string> texts(std::string_view name) {
    understood_.emplace(name);
    std::vector<std::string> found;
    const BeanProperty* const property = bean_.find(name);
    if (property == nullptr) return found;
    const BeanValue* const list = import_.tree().list(property->value);
    if (list == nullptr && property->value.is_text()) {
      for (const std::string_view line : split(property->value.text, '\n'))
        if (!trim(line).empty()) found.emplace_back(trim(line));
      return found;
    }
    if (list != nullptr)
      for (const BeanValue& item : list->items)
        if (item.is_text()) found.emplace_back(trim(item.text));
    return found;
  }
  const BeanProperty* property(std::string_view name) {
    understood_.emplace(name);
    return bean_.find(name);
  }

  void add(std::string term) { terms_.push_back(std::move(term)); }
  // Another line of the same rule.
  void next_line() { lines_.push_back(std::exchange(terms_, {})); }
  void differs(std::string_view why) { tell(Fate::differently, why); }
  void has_none(std::string_view why) { tell(Fate::without, why); }
  bool is_done_without_lines() const { return is_silent_; }
  void be_silent() { is_silent_ = true; }

  std::vector<std::vector<std::string>> take_lines() {
    if (!terms_.empty()) next_line();
    return std::move(lines_);
  }
  const std::set<std::string, std::less<>>& understood() const { return understood_; }
  Fate fate() const { return fate_; }
  const std::string& why() const { return why_; }

  // A list as the arguments of a condition: "a b c", or "@file" if there are many.
  std::string arguments(const std::vector<std::string>& values, std::string_view file) {
    if (values.size() <= kMostInline) return fmt::format("{}", fmt::join(values, " "));
    return "@" + import_.add_file(file, fmt::format("{}\n", fmt::join(values, "\n")));
  }

 private:
  void tell(Fate fate, std::string_view why) {
    fate_ = std::max(fate_, fate);
    why_.append(why_.empty() ? "" : "; ").append(why);
  }

  Import& import_;
  const Bean& bean_;
  RuleUse use_;
  int depth_;
  std::set<std::string, std::less<>> understood_;
  std::vector<std::string> terms_;
  std::vector<std::vector<std::string>> lines_;
  Fate fate_ = Fate::taken;
  std::string why_;
  bool is_silent_ = false;
};

std::string sign_of(bool is_negated) { return is_negated ? "not " : ""; }

// "url x" from "url" and the expression. An error says why there is no such term.
Result<std::string> pattern_term(std::string_view condition, std::string_view java) {
  if (is_open(java)) return fail(ErrorCode::unsupported, std::string(kTemplateMark));
  TRY(const std::string pattern, re2_search(java));
  // "@" would be a file, and "#" a comment in one.
  const bool is_taken_for_other = pattern.empty() || pattern.starts_with('@') || pattern.starts_with('#');
  std::string term = fmt::format("{} {}", condition, is_taken_for_other ? "(?:" + pattern + ")" : pattern);
  // Conditions about answers are no rules of a scope, so the expression is asked for as one of URLs.
  TRY_VOID(scope::check_rule("reject url " + term.substr(condition.size() + 1)));
  return term;
}

constexpr std::string_view kOtherWay = "write it in another way";

void make_regex(Rule& rule, std::string_view condition, bool is_negated) {
  const std::string regex = rule.text("regex", ".");
  if (regex.empty()) return rule.be_silent();
  const auto term = pattern_term(condition, regex);
  if (!term) return rule.has_none(fmt::format("{}: {}", term.error().message, kOtherWay));
  rule.add(sign_of(is_negated) + *term);
}

// The terms of a list of expressions; of those that have none, that is told by themselves. If all of the expressions `must`
// have terms and one has none, there are no terms.
std::vector<std::string> pattern_terms(Rule& rule, bool must) {
  std::vector<std::string> terms;
  const BeanProperty* const property = rule.property("regexList");
  const BeanValue* const list = property == nullptr ? nullptr : rule.import().tree().list(property->value);
  if (list == nullptr) {
    for (const std::string& regex : rule.texts("regexList")) {
      auto term = pattern_term("url", regex);
      if (term)
        terms.push_back(*std::move(term));
      else
        rule.has_none(fmt::format("'{}': {}: {}", regex, term.error().message, kOtherWay));
    }
    if (must && rule.fate() == Fate::without) terms.clear();
    return terms;
  }
  std::vector<std::pair<ItemId, std::string>> taken;
  for (const BeanValue& item : list->items) {
    auto term = pattern_term("url", trim(item.text));
    if (term)
      taken.emplace_back(item.item, *std::move(term));
    else
      rule.import().report().without(item.item, fmt::format("{}: {}", term.error().message, kOtherWay));
  }
  const size_t left_out = list->items.size() - taken.size();
  const bool is_lost = left_out > 0 && (must || taken.empty());
  for (auto& [item, term] : taken) {
    if (is_lost) {
      rule.import().report().without(item,
                                     "it holds with the other expressions alone, and one of them has no equivalent");
    } else {
      rule.import().report().taken(item, term);
      terms.push_back(std::move(term));
    }
  }
  rule.import().left_out_of_rules += left_out;
  const std::string words = fmt::format("{} of its {} expressions have no equivalent", left_out, list->items.size());
  if (is_lost)
    rule.has_none(fmt::format("{}, and it is nothing without them: {}", words, kOtherWay));
  else if (left_out > 0)
    rule.differs(words);
  return terms;
}

// Many expressions go into a file, and are asked together.
void make_regex_list(Rule& rule, bool is_negated) {
  rule.text("timeoutPerRegexSeconds");
  const bool is_or = rule.flag("listLogicalOr", true);
  // None of them, or each of them: with a part of them, it would hold for more URLs.
  const std::vector<std::string> terms = pattern_terms(rule, is_or == is_negated);
  if (terms.empty()) return rule.be_silent();
  if (terms.size() > kMostInline && is_or) {
    std::vector<std::string> patterns;
    for (const std::string& term : terms) patterns.push_back(term.substr(std::string_view("url ").size()));
    return rule.add(sign_of(is_negated) + "url " + rule.arguments(patterns, "url-patterns.txt"));
  }
  for (const std::string& term : terms) {
    rule.add(sign_of(is_negated) + term);
    // One of several is enough: a line for each. None of them may be found: all in one line.
    if (is_or != is_negated) rule.next_line();
  }
}

// Rules about an address may stand in a scope here, but say nothing when a link is found, where Heritrix looks the name up.
bool needs_answer(std::string_view condition) {
  const scope::RuleKind* const kind = scope::find_rule_kind(condition);
  return kind != nullptr && kind->needs != scope::Needs::link;
}

// Takes away what the condition cannot ask for, and tells of it: whoever reads a list from its file takes all or nothing.
void keep_sound(Rule& rule, std::string_view condition, std::vector<std::string>& items) {
  if (needs_answer(condition)) return;
  std::string first;
  const size_t all = items.size();
  std::erase_if(items, [&](const std::string& item) {
    const auto sound = scope::check_rule(fmt::format("reject {} {}", condition, item));
    if (!sound && first.empty()) first = sound.error().message;
    return !sound;
  });
  if (items.size() < all) rule.has_none(fmt::format("{} of its {} items left out: {}", all - items.size(), all, first));
}

// SURT prefixes as they are; of URLs and hosts the prefixes that Heritrix has for them, which end with the last slash.
void make_prefixes(Rule& rule, std::vector<std::string>& surts) {
  std::vector<std::string> prefixes;
  for (const std::string& line : surts) {
    const std::string_view word = std::string_view(line).substr(0, line.find_first_of(" \t"));
    if (word.contains('(')) {
      prefixes.emplace_back(word);
    } else if (auto prefix = url::surt_prefix_from_text(word)) {
      prefixes.push_back(*std::move(prefix));
    } else {
      rule.has_none(fmt::format("'{}': {}", word, prefix.error().message));
    }
  }
  surts = std::move(prefixes);
}

// The lines of a list of SURT prefixes, in the file itself or beside it.
std::vector<std::string> surts_of(Rule& rule, bool rejects) {
  std::vector<std::string> surts = rule.texts("surtsSource");
  std::string file = rule.text("surtsSourceFile");
  if (const BeanProperty* const source = rule.property("surtsSource")) {
    if (const Bean* const bean = rule.import().tree().follow(source->value)) {
      for (const std::string_view line : split(bean->text("value"), '\n')) surts.emplace_back(trim(line));
      if (bean->kind() == "ConfigFile") file = bean->text("path");
      rule.import().tell_deep(*bean, Fate::taken, "its lines are in the rule");
    }
  }
  if (!file.empty()) {
    const auto text = rule.import().read(file);
    if (!text)
      rule.has_none(fmt::format("{}: write 'surt @FILE' with the prefixes into scope.rules", text.error().message));
    for (const std::string_view line : split(text ? *text : "", '\n')) surts.emplace_back(trim(line));
  }
  // A line with + is one for rules that accept, one with - for those that reject.
  const char other = rejects ? '+' : '-';
  std::erase_if(
      surts, [&](const std::string& line) { return line.empty() || line.starts_with('#') || line.starts_with(other); });
  for (std::string& line : surts)
    if (line.starts_with('+') || line.starts_with('-')) line.erase(0, 1);
  return surts;
}

void make_surts(Rule& rule, std::string_view seeds, std::string_view condition, bool is_negated) {
  const bool rejects = to_lower(rule.text("decision", "ACCEPT")) == "reject";
  rule.text("surtsDumpFile");
  rule.flag("rebuildOnReconfig", true);
  const bool of_seeds = rule.flag("seedsAsSurtPrefixes", true);
  std::vector<std::string> surts = surts_of(rule, rejects);
  std::vector<std::string>& excluded = rule.import().excluded_surts;
  if (rejects && !is_negated && rule.use() == RuleUse::scope)
    std::ranges::move(std::exchange(excluded, {}), std::back_inserter(surts));
  make_prefixes(rule, surts);
  keep_sound(rule, "surt", surts);
  if (rule.flag("alsoCheckVia", false) && of_seeds)
    rule.has_none(
        "alsoCheckVia: no condition asks if the page that led to a URL belongs to a seed; 'via-surt' asks for "
        "prefixes");
  else if (rule.flag("alsoCheckVia", false) && !surts.empty() && !is_negated) {
    rule.add("via-surt " + rule.arguments(surts, "surts.txt"));
    rule.next_line();
  }
  if (seeds != "prefix" && !surts.empty()) rule.differs("prefixes count as they are written, not as the hosts in them");
  if (of_seeds) {
    rule.add(fmt::format("{}seeds {}", sign_of(is_negated), seeds));
    if (!is_negated) rule.next_line();
  }
  if (!surts.empty())
    rule.add(fmt::format("{}{} {}", sign_of(is_negated), condition, rule.arguments(surts, "surts.txt")));
  if (!of_seeds && surts.empty()) rule.be_silent();
}

// NetarchiveSuite's: seeds count without "www.", with all hosts of their domain.
void make_domain_surts(Rule& rule) {
  for (const std::string_view name : {"removeW3xSubDomain", "addBeforeRemovingW3xSubDomain", "addW3SubDomain",
                                      "addBeforeAddingW3SubDomain", "allowSubDomainsRewrite"})
    rule.text(name);
  rule.differs("hosts with and without www, and below them, are those of the registrable domain");
  make_surts(rule, "domain", "surt", false);
}

void make_number(Rule& rule, std::string_view condition, std::string_view property, std::string_view otherwise) {
  const std::string number = rule.text(property, otherwise);
  if (!parse_int(number))
    return rule.has_none(fmt::format("'{}' is no number: write '{} > N' into scope.rules", number, condition));
  rule.add(fmt::format("{} > {}", condition, number));
}

void make_embed(Rule& rule) {
  const auto hops = parse_int(rule.text("maxTransHops", "2"));
  const auto guesses = parse_int(rule.text("maxSpeculativeHops", "1"));
  if (!hops || !guesses || *hops < 0 || *guesses < 0)
    return rule.has_none("its numbers are none: write 'accept embed HOPS GUESSES' into scope.rules");
  rule.add(fmt::format("embed {} {}", *hops, *guesses));
}

// A scheme, and the class that fetches it: without it there Heritrix has nobody who does.
struct FetchedScheme {
  std::string_view scheme, kind;
};
constexpr auto kFetchedSchemes = std::to_array<FetchedScheme>(
    {{"http", ""}, {"https", ""}, {"ftp", "FetchFTP"}, {"sftp", "FetchSFTP"}, {"whois", "FetchWhois"}});

void make_schemes(Rule& rule) {
  std::vector<std::string> named = rule.texts("schemes"), schemes;
  // Look-ups of names are no matter of scope.
  std::erase(named, "dns");
  const bool is_usual = named.empty();
  for (const auto& [scheme, kind] : kFetchedSchemes) {
    const bool is_named = is_usual || std::ranges::find(named, scheme) != named.end();
    if (is_named && (kind.empty() || rule.import().tree().find_kind(kind) != nullptr)) schemes.emplace_back(scheme);
  }
  if (!is_usual && schemes.size() < named.size()) rule.differs("nothing here fetches its other schemes");
  if (schemes.empty()) return rule.has_none("none of its schemes can be crawled");
  rule.add(fmt::format("not scheme {}", fmt::join(schemes, " ")));
}

// CrawlRSS: the path from a feed decides by itself, and the scope takes all of it for seeds.
void make_feeds(Rule& rule) {
  if (const BeanProperty* const path = rule.property("hoppathAllowed"); path != nullptr && path->value.is_text()) {
    if (const auto pattern = re2_syntax(trim(path->value.text)))
      rule.import().set(*path, "feeds", "hop-path", {*pattern});
    else
      rule.import().tell(*path, Fate::without, "write it into feeds.hop-path in another way");
  }
  rule.add("seed");
  rule.differs("feeds.hop-path says how far captures go from a feed, and the scope takes all of that for seeds");
}

void make_file(Rule& rule, bool is_negated) {
  const std::string preset = to_lower(rule.text("usePreset", rule.text("usePresetPattern", "all")));
  if (preset == "custom") return make_regex(rule, "url", is_negated);
  rule.property("regex");
  rule.property("regexp");
  if (preset == "all")
    rule.add(sign_of(is_negated) + "file images audio video misc");
  else if (preset == "images" || preset == "audio" || preset == "video" || preset == "misc")
    rule.add(fmt::format("{}file {}", sign_of(is_negated), preset));
  else
    rule.has_none("Caddis has no such set of files: write 'reject url \\.(EXTENSION|…)$'");
}

void make_words(Rule& rule, std::string_view condition, std::string_view property, std::string_view file,
                bool is_negated) {
  std::vector<std::string> words = rule.texts(property);
  keep_sound(rule, condition, words);
  if (words.empty()) return rule.be_silent();
  rule.add(fmt::format("{}{} {}", sign_of(is_negated), condition, rule.arguments(words, file)));
}

void make_range(Rule& rule, std::string_view condition, bool is_negated) {
  const std::string lower = rule.text("lowerBound", "0"), upper = rule.text("upperBound", "600");
  if (condition == "status") return rule.add(fmt::format("{}status {}..{}", sign_of(is_negated), lower, upper));
  rule.add(fmt::format("length >= {}", lower));
  if (rule.bean().find("upperBound") != nullptr) rule.add(fmt::format("length <= {}", upper));
}

void make_length(Rule& rule, std::string_view comparison) {
  rule.text("useHeaderLength");
  const std::string threshold = rule.text("contentLengthThreshold", "-1");
  if (!parse_int(threshold) || *parse_int(threshold) < 0) return rule.be_silent();
  rule.add(fmt::format("length {} {}", comparison, threshold));
}

void make_nested(Rule& rule) {
  rule.text("logToFile");
  rule.text("logExtraInfo");
  const BeanProperty* const rules = rule.property("rules");
  if (rules == nullptr) return rule.be_silent();
  if (rule.depth() >= kMostNested) return rule.has_none("sequences are nested too deep");
  std::string text;
  for (const RuleLine& line : sequence_lines(rule.import(), rule.bean(), rule.use())) text += line.text() + "\n";
  if (text.empty()) return rule.be_silent();
  rule.add("@" + rule.import().add_file("rules.txt", std::move(text)));
}

using Make = std::function<void(Rule&)>;

struct Maker {
  std::string_view kind;
  Make make;
  bool rejects = false;  // if it does not say what it decides
};

Make regex(std::string_view condition, bool is_negated = false) {
  return [=](Rule& rule) { make_regex(rule, condition, is_negated); };
}
Make plain(std::string_view term) {
  return [=](Rule& rule) { rule.add(std::string(term)); };
}

const std::vector<Maker>& makers() {
  static const std::vector<Maker> kMakers = {
      {"AcceptDecideRule", plain("all")},
      {"RejectDecideRule", plain("all"), true},
      {"SeedAcceptDecideRule", plain("seed")},
      {"SurtPrefixedDecideRule", [](Rule& rule) { make_surts(rule, "prefix", "surt", false); }},
      {"WatchedFileSurtPrefixedDecideRule",
       [](Rule& rule) {
         rule.text("sourceCheckInterval");
         make_surts(rule, "prefix", "surt", false);
       }},
      {"NASSurtPrefixedDecideRule", make_domain_surts},
      {"OnNSDomainsDecideRule", make_domain_surts},
      {"NotSurtPrefixedDecideRule", [](Rule& rule) { make_surts(rule, "prefix", "surt", true); }},
      {"OnHostsDecideRule", [](Rule& rule) { make_surts(rule, "host", "surt", false); }},
      {"NotOnHostsDecideRule", [](Rule& rule) { make_surts(rule, "host", "surt", true); }},
      {"OnDomainsDecideRule", [](Rule& rule) { make_surts(rule, "domain", "surt", false); }},
      {"NotOnDomainsDecideRule", [](Rule& rule) { make_surts(rule, "domain", "surt", true); }},
      {"TooManyHopsDecideRule", [](Rule& rule) { make_number(rule, "hops", "maxHops", "20"); }, true},
      {"TransclusionDecideRule", make_embed},
      {"PathologicalPathDecideRule", [](Rule& rule) { make_number(rule, "path-repetitions", "maxRepetitions", "2"); },
       true},
      {"TooManyPathSegmentsDecideRule", [](Rule& rule) { make_number(rule, "path-depth", "maxPathDepth", "20"); },
       true},
      {"PrerequisiteAcceptDecideRule", plain("prerequisite")},
      {"RssInScopeDecideRule", make_feeds},
      {"SchemeNotInSetDecideRule", make_schemes, true},
      {"MatchesRegexDecideRule", regex("url")},
      {"MatchesRegExpDecideRule", regex("url")},
      {"NotMatchesRegexDecideRule", regex("url", true)},
      {"NotMatchesRegExpDecideRule", regex("url", true)},
      {"MatchesListRegexDecideRule", [](Rule& rule) { make_regex_list(rule, false); }},
      {"MatchesListRegExpDecideRule", [](Rule& rule) { make_regex_list(rule, false); }},
      {"NotMatchesListRegexDecideRule", [](Rule& rule) { make_regex_list(rule, true); }},
      {"NotMatchesListRegExpDecideRule", [](Rule& rule) { make_regex_list(rule, true); }},
      {"MatchesFilePatternDecideRule", [](Rule& rule) { make_file(rule, false); }},
      {"NotMatchesFilePatternDecideRule", [](Rule& rule) { make_file(rule, true); }},
      {"HopsPathMatchesRegexDecideRule", regex("hop-path")},
      {"HopsPathMatchesRegExpDecideRule", regex("hop-path")},
      {"ClassKeyMatchesRegexDecideRule", regex("class-key")},
      {"HasViaDecideRule", plain("has-via")},
      {"HopCrossesAssignmentLevelDomainDecideRule", plain("crosses-domain")},
      {"AddRedirectFromRootServerToScope", plain("redirect-from-root")},
      {"ViaSurtPrefixedDecideRule",
       [](Rule& rule) { make_words(rule, "via-surt", "surtPrefixes", "via-surts.txt", false); }},
      {"SourceSeedDecideRule",
       [](Rule& rule) { make_words(rule, "source-seed", "sourceSeeds", "source-seeds.txt", false); }},
      {"ContentTypeMatchesRegexDecideRule", regex("mime")},
      {"ContentTypeMatchesRegExpDecideRule", regex("mime")},
      {"ContentTypeNotMatchesRegexDecideRule", regex("mime", true)},
      {"ContentTypeNotMatchesRegExpDecideRule", regex("mime", true)},
      {"FetchStatusDecideRule", [](Rule& rule) { make_words(rule, "status", "statusCodes", "statuses.txt", false); }},
      {"MatchesStatusCodeDecideRule", [](Rule& rule) { make_range(rule, "status", false); }},
      {"NotMatchesStatusCodeDecideRule", [](Rule& rule) { make_range(rule, "status", true); }},
      {"ResponseContentLengthDecideRule", [](Rule& rule) { make_range(rule, "length", false); }},
      {"ResourceLongerThanDecideRule", [](Rule& rule) { make_length(rule, ">"); }},
      {"ResourceNoLongerThanDecideRule", [](Rule& rule) { make_length(rule, "<="); }},
      {"ContentLengthDecideRule", [](Rule& rule) { make_length(rule, ">="); }, true},
      {"IdenticalDigestDecideRule", plain("identical-digest")},
      {"IpAddressSetDecideRule",
       [](Rule& rule) { make_words(rule, "address", "ipAddresses", "addresses.txt", false); }},
      {"ExternalGeoLocationDecideRule",
       [](Rule& rule) {
         rule.text("lookupEveryUri");
         rule.property("lookup");
         make_words(rule, "country", "countryCodes", "countries.txt", false);
       }},
      {"DecideRuleSequence", make_nested},
      {"AccountableDecideRuleSequence", make_nested},
  };
  return kMakers;
}

// The name of the condition that a term asks.
std::string_view condition_name(std::string_view term) {
  if (term.starts_with("not ")) term.remove_prefix(4);
  return term.substr(0, term.find(' '));
}

bool may_stand(std::string_view term, RuleUse use) {
  constexpr std::array<std::string_view, 11> kOfUrls = {"all",        "scheme",           "host", "domain",
                                                        "surt",       "class-key",        "url",  "url-length",
                                                        "path-depth", "path-repetitions", "file"};
  const std::string_view name = condition_name(term);
  if (use == RuleUse::sheet) return std::ranges::find(kOfUrls, name) != kOfUrls.end();
  return use == RuleUse::guard || !needs_answer(name);
}

// Rules that ask for answers are checked where they stand.
Result<void> check_line(const RuleLine& line) {
  for (const std::string& term : line.terms)
    if (needs_answer(condition_name(term))) return {};
  return scope::check_rule(line.text());
}

std::string_view place_words(RuleUse use) {
  return use == RuleUse::sheet
             ? "conditions of sheets ask for the URL alone"
             : "the server's answer is not known yet when the scope is asked: write a guard of a step (pipeline.guard)";
}

// Tells of the rule and its properties what has become of them.
void tell(Rule& rule, const std::vector<RuleLine>& lines) {
  Import& import = rule.import();
  const Bean& bean = rule.bean();
  std::string said;
  for (const RuleLine& line : lines) said.append(said.empty() ? "" : "; ").append(line.text());
  if (said.empty() && rule.fate() != Fate::without) said = "it says nothing as it stands, so no rule is written";
  if (!rule.why().empty()) said.append(said.empty() ? "" : "; ").append(rule.why());
  if (!import.is_told(bean.item)) import.report().tell(bean.item, rule.fate(), said);
  for (const BeanProperty& property : bean.properties) {
    if (import.is_told(property.item)) continue;
    if (property.name == "decision" || property.name == "enabled" || property.name == "comment" ||
        rule.understood().contains(property.name))
      import.tell_deep(property, rule.fate(), said);
    else if (property.name == "beanName" || property.name.ends_with("DumpFile"))
      import.tell_deep(property, Fate::differently,
                       "no file is written for looking at: caddis scope rules shows the rules");
  }
}

}  // namespace

std::string RuleLine::text() const {
  if (terms.size() == 1 && terms.front().starts_with('@')) return "rules " + terms.front();
  return fmt::format("{} {}", rejects ? "reject" : "accept", fmt::join(terms, " and "));
}

std::vector<RuleLine> rule_lines(Import& import, const Bean& bean, RuleUse use) {
  const auto found = std::ranges::find(makers(), bean.kind(), &Maker::kind);
  if (found == makers().end()) {
    import.tell_deep(
        bean, Fate::without,
        "Caddis has no such rule, and the others are asked without it: a module can have one (docs/extending.md)");
    ++import.left_out_of_rules;
    if (use == RuleUse::scope && to_lower(bean.text("decision")) == "reject") import.lacks_rejection(bean.item);
    return {};
  }
  if (to_lower(bean.text("enabled", "true")) == "false") {
    import.tell_deep(bean, Fate::taken, "it is switched off, so no rule is written");
    return {};
  }
  Rule rule(import, bean, use, import.nested_sequences);
  ++import.nested_sequences;
  found->make(rule);
  --import.nested_sequences;
  const std::string decision = to_lower(rule.text("decision", found->rejects ? "reject" : "accept"));
  std::vector<RuleLine> lines;
  for (std::vector<std::string>& terms : rule.take_lines()) {
    if (terms.empty()) continue;
    if (!std::ranges::all_of(terms, [&](const std::string& term) { return may_stand(term, use); })) {
      rule.has_none(place_words(use));
      continue;
    }
    RuleLine line{decision == "reject", std::move(terms)};
    if (const auto sound = check_line(line))
      lines.push_back(std::move(line));
    else
      rule.has_none(fmt::format("{}: {}", sound.error().message, kOtherWay));
  }
  tell(rule, lines);
  if (rule.fate() == Fate::without) {
    ++import.left_out_of_rules;
    if (use == RuleUse::scope && decision == "reject") import.lacks_rejection(bean.item);
  }
  return lines;
}

std::vector<RuleLine> sequence_lines(Import& import, const Bean& sequence, RuleUse use) {
  const BeanProperty* const rules = sequence.find("rules");
  const BeanValue* const list = rules == nullptr ? nullptr : import.tree().list(rules->value);
  std::vector<RuleLine> lines;
  if (list == nullptr) return lines;
  for (const BeanValue& item : list->items) {
    const Bean* const rule = import.tree().follow(item);
    if (rule == nullptr) {
      import.report().without(item.item, "there is no such bean: Heritrix would not start either");
      ++import.left_out_of_rules;
      continue;
    }
    for (RuleLine& line : rule_lines(import, *rule, use)) lines.push_back(std::move(line));
  }
  import.tell(*rules, Fate::taken, "rules, each by itself");
  return lines;
}

bool accepts_all(const BeanTree& tree, const BeanValue& value) {
  const Bean* const bean = tree.follow(value);
  if (bean == nullptr) return false;
  if (bean->kind() == "AcceptDecideRule") return true;
  const BeanProperty* const rules = bean->find("rules");
  const BeanValue* const list = rules == nullptr ? nullptr : tree.list(rules->value);
  if (!bean->kind().ends_with("DecideRuleSequence")) return false;
  return list == nullptr || std::ranges::all_of(list->items, [&](const BeanValue& item) {
           const Bean* const rule = tree.follow(item);
           return rule != nullptr && rule->kind() == "AcceptDecideRule";
         });
}

}  // namespace caddis::heritrix
