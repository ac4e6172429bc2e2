// Rules, ready to be asked: about captures by the thousand in a list, or about one with all reasons.
//
// One of the rules that hold for a capture decides: that of the highest priority; then the one that names the URL most
// exactly (url, regex, the longest SURT prefix, all); then the one that names the viewer most exactly (users, groups,
// networks, everybody); then one that speaks of times of captures; then the one that stands last.
//
// Immutable, any thread. Looking up a key costs a halving search, whatever the number of rules; patterns cost each.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/viewing/captured_url.h"
#include "caddis/viewing/rule.h"
#include "caddis/viewing/rule_counts.h"

namespace re2 {
class RE2;
}

namespace caddis::viewing {

// A file of rules, as it is read.
struct RuleList {
  Verdict fallback = Verdict::allow;                                    // of captures that no rule is about
  std::string message;                                                  // of verdicts without one of their own
  std::map<std::string, std::vector<std::string>, std::less<>> groups;  // name -> users
  std::vector<Rule> rules;
  std::vector<std::shared_ptr<RuleCount>> counts = {};  // of each rule; empty: nobody counts
};

struct Decision {
  Verdict verdict = Verdict::allow;
  const Rule* rule = nullptr;  // null: none is about it; of the set that was asked
  std::string_view message;    // for people
  RuleCount* count = nullptr;  // of the rule; null: nobody counts
};

// The decision about one URL for one viewer at one moment, but for the time of a capture. It belongs to the set.
class UrlDecision {
 public:
  Decision at(std::string_view timestamp) const;
  // Whether some capture of the URL may not be seen, at whatever time it was made.
  bool hides_anything() const;

 private:
  friend class RuleSet;
  struct Candidate {
    const Rule* rule;
    std::string newer, older;  // captures after, and up to that time; empty: no matter
    RuleCount* count = nullptr;
  };
  std::vector<Candidate> candidates_;  // the first that holds decides
  Decision fallback_;
};

// A rule that is about a URL, and why it holds or does not.
struct Finding {
  const Rule* rule = nullptr;
  const Subject* subject = nullptr;
  std::string why_not;  // empty: it holds
};

class RuleSet {
 public:
  // ErrorCode::config for a pattern that is none, or a URL or host that has no key; it names the rule.
  static Result<std::shared_ptr<const RuleSet>> make(RuleList list);
  ~RuleSet();

  const RuleList& list() const { return list_; }
  // Whether everything may be seen by everybody.
  bool is_empty() const { return list_.rules.empty() && list_.fallback == Verdict::allow; }

  UrlDecision about(const CapturedUrl& url, const Viewer& viewer, WallTime now) const;
  // All rules about the URL in the order in which they are asked, and the decision: the first that holds.
  std::vector<Finding> explain(std::string_view url, std::string_view timestamp, const Viewer& viewer,
                               WallTime now) const;

 private:
  struct Entry {
    const Rule* rule;
    const Subject* subject;
    size_t place;       // of the rule in the list
    int exactness;      // of the kind of subject
    size_t length = 0;  // of a prefix
  };
  struct Prefix {
    std::string text;
    std::ptrdiff_t shorter = -1;  // the longest other that it begins with
    std::vector<Entry> entries;
  };
  struct Pattern {
    std::shared_ptr<const re2::RE2> regex;
    Entry entry;
  };

  explicit RuleSet(RuleList list) : list_(std::move(list)) {}
  Result<void> add(const Rule& rule, size_t place);
  Result<void> add(const Entry& entry);
  void link_prefixes();
  // The entries of all rules about it, in the order in which they are asked.
  std::vector<Entry> entries_about(const CapturedUrl& url) const;
  void add_of_key(std::string_view key, std::vector<Entry>& entries) const;
  void add_of_post(std::string_view key, std::vector<Entry>& entries) const;
  bool is_in_group(const Viewer& viewer, const std::string& group) const;
  // Why the rule does not hold for the viewer at that moment; empty: it does.
  std::string why_not(const Rule& rule, const Viewer& viewer, std::string_view now) const;

  const RuleList list_;
  std::unordered_map<std::string, std::vector<Entry>> urls_;  // by key
  // By key without query, for captures of POSTs: their keys have what was posted among the query of the URL.
  std::unordered_map<std::string, std::vector<std::pair<std::string, Entry>>> posts_;
  std::vector<Prefix> prefixes_;  // sorted
  std::vector<Pattern> patterns_;
  std::vector<Entry> of_all_;
};

// The key by which rules know a URL.
std::string rule_key(std::string_view url);

}  // namespace caddis::viewing
