// Rules as OutbackCDX takes them. There the rule with the longest pattern decides, of equal patterns the one with the highest
// number, and it decides for all access points. So rules are numbered in the reverse of the order in which they are asked here.
//
// What is written never shows more than the rules do. A condition of a rule that allows has to be said, or the rule is left out.
// A rule that blocks may lose one, since it blocks more then. A rule that allows is left out, too, if its pattern is longer than
// that of a rule which blocks and is asked before it here. What blocks and cannot be said at all is told.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/cdx/url_captures.h"
#include "caddis/viewing/foreign_rules.h"
#include "caddis/viewing/outback_names.h"
#include "caddis/viewing/rule_order.h"

namespace caddis::viewing {
namespace {

using nlohmann::json;
using Points = std::set<std::string>;

// A subject, as it is said there.
struct Said {
  std::string pattern;
  std::string prefix = {};   // of keys: of two patterns that fit a URL, the one with the longer prefix decides
  bool is_wider = false;     // the pattern fits more than the subject does
  bool is_narrower = false;  // … or less
  int exactness = 0;         // how it is ranked here
  size_t length = 0;
};

// "com,example:8080" as URLs have it.
std::string host_text(std::string_view key) {
  size_t port = key.rfind(':');
  if (port == std::string_view::npos || key.find(']', port) != std::string_view::npos) port = key.size();
  std::string host;
  for (const std::string_view label : split(key.substr(0, port), ','))
    if (!label.empty()) host = std::string(label) + (host.empty() ? "" : "." + host);
  return host + std::string(key.substr(port));
}

// The prefix of a key "com,example)/a/": the host, then the path without the slash at its end, which does not count there.
std::string prefix_of_key(std::string_view key) {
  const size_t close = key.find(')');
  if (close == std::string_view::npos) return std::string(key);
  std::string_view path = key.substr(close + 1);
  if (path.ends_with('/')) path.remove_suffix(1);
  return fmt::format("{},//{}", key.substr(0, close), path);
}

// A prefix of keys "com,example)/a", or "com,example," for all hosts below one.
std::optional<Said> said_of_prefix(const std::string& surt) {
  const size_t close = surt.find(')');
  if (surt.find("//") < close) return std::nullopt;
  Said said;
  said.length = surt.size();
  if (close == std::string::npos) {
    if (!surt.ends_with(',') || surt.find(':') != std::string::npos) return std::nullopt;
    said.pattern = "*." + host_text(surt);
    said.prefix = surt;
    said.is_wider = true;  // it fits the host itself
    return said;
  }
  const std::string path = surt.substr(close + 1);
  said.pattern = fmt::format("http://{}{}*", host_text(surt.substr(0, close)), path.empty() ? "/" : path);
  said.prefix = prefix_of_key(surt);
  said.is_wider = path.size() > 1 && (path.ends_with('/') || path.ends_with('?'));
  return said;
}

std::optional<Said> said_of(const Subject& subject) {
  Said said;
  if (subject.kind == Subject::Kind::regex) return std::nullopt;
  if (subject.kind == Subject::Kind::all) {
    said.pattern = '*';
  } else if (subject.kind == Subject::Kind::url) {
    said.pattern = cdx::asked_url(subject.text);
    said.prefix = prefix_of_key(rule_key(subject.text)) + ' ';
    said.is_wider = said.pattern.ends_with('*');
  } else {
    const auto prefixes = prefixes_of(subject);
    if (!prefixes || prefixes->empty()) return std::nullopt;
    const std::string& first = prefixes->front();
    auto of_prefix = said_of_prefix(first);
    if (!of_prefix) return std::nullopt;
    said = *std::move(of_prefix);
    const std::string host = first.substr(0, first.find(')'));
    const bool has_port = host_text(host).find(':') != std::string::npos && !host.ends_with(']');
    if (subject.kind == Subject::Kind::domain && has_port) return std::nullopt;
    if (subject.kind == Subject::Kind::domain) {
      said.pattern = "*." + host_text(host);
      said.prefix = host + ',';
    } else if (subject.kind == Subject::Kind::host) {
      said.pattern = fmt::format("http://{}/*", host_text(host));
      said.is_narrower = !has_port;
    }
  }
  said.exactness = exactness_of(subject.kind);
  return said;
}

// A rule that is said, or two: one that blocks for everybody, and one that allows for groups what it blocks.
struct Statement {
  const Rule* rule = nullptr;
  size_t place = 0;              // of the rule
  const Rule* allows = nullptr;  // for groups
  size_t allows_place = 0;
  std::vector<Said> subjects = {};
  Points points = {};

  bool blocks() const { return rule->verdict != Verdict::allow; }
};

std::string text_of(const Rule& rule) {
  std::string text = std::to_string(rule.priority);
  for (const Subject& subject : rule.subjects) text += fmt::format("\n{} {}", to_string(subject.kind), subject.text);
  for (const TimeRange& range : rule.captured) text += "\ncaptured " + to_string(range);
  for (const TimeRange& range : rule.accessed) text += "\naccessed " + to_string(range);
  if (rule.newer) text += "\nnewer " + to_string(*rule.newer);
  return text;
}

// Whether the second rule allows for groups what the first one blocks for everybody, and nothing else.
bool are_partners(const Rule& blocks, const Rule& allows) {
  return blocks.verdict != Verdict::allow && blocks.is_for_everybody() && allows.verdict == Verdict::allow &&
         !allows.groups.empty() && !blocks.older && !allows.older && text_of(blocks) == text_of(allows);
}

class Statements {
 public:
  explicit Statements(const RuleList& list) : list_(list) {
    for (const Rule& rule : list.rules) everybody_.insert(rule.groups.begin(), rule.groups.end());
    join_partners();
    for (size_t place = 0; place < list.rules.size(); ++place)
      if (!joined_.contains(place)) add(place);
    std::ranges::sort(statements_, {}, [](const Statement& one) {
      return std::tuple(one.rule->priority, exactness_of_viewer(*one.rule), !one.rule->is_for_all_times(), one.place);
    });
    leave_out_what_would_show_more();
  }

  const std::vector<Statement>& all() const { return statements_; }
  std::vector<std::string> remarks() { return std::move(remarks_); }

 private:
  void remark(const Rule& rule, std::string_view text) { remarks_.push_back(fmt::format("{}: {}", rule.id, text)); }

  void join_partners() {
    std::unordered_map<std::string_view, size_t> places;
    for (size_t place = 0; place < list_.rules.size(); ++place) places.emplace(list_.rules[place].id, place);
    for (size_t place = 0; place < list_.rules.size(); ++place) {
      std::string_view id = list_.rules[place].id;
      if (!id.ends_with(kForGroups)) continue;
      id.remove_suffix(kForGroups.size());
      const auto found = places.find(id);
      if (found == places.end() || !are_partners(list_.rules[found->second], list_.rules[place])) continue;
      partners_.emplace(found->second, place);
      joined_.insert(place);
    }
  }

  // Whether a rule that allows can be said; what is wrong is told.
  bool can_be_allowed(const Rule& rule) {
    const bool has_others = !rule.users.empty() || !rule.networks.empty();
    if (rule.older || (has_others && rule.groups.empty())) {
      remark(rule, "users, networks and older cannot be said; this rule, which allows, is left out");
      return false;
    }
    if (has_others) remark(rule, "users and networks cannot be said; it allows for its groups alone");
    return true;
  }

  void tell_what_is_lost(const Rule& rule) {
    if (!rule.is_for_everybody()) remark(rule, "that it blocks for some alone cannot be said; it blocks for all");
    if (rule.older) remark(rule, "older cannot be said; it blocks captures of any age");
  }

  void add(size_t place) {
    const Rule& rule = list_.rules[place];
    Statement one{&rule, place};
    if (!one.blocks() && !can_be_allowed(rule)) return;
    if (one.blocks()) tell_what_is_lost(rule);
    if (rule.priority != 0) remark(rule, "priority cannot be said; the longest pattern decides");
    if (const auto partner = partners_.find(place); partner != partners_.end()) {
      one.allows = &list_.rules[partner->second];
      one.allows_place = partner->second;
      if (!one.allows->users.empty() || !one.allows->networks.empty()) can_be_allowed(*one.allows);
      one.points.insert(one.allows->groups.begin(), one.allows->groups.end());
    } else if (!one.blocks()) {
      one.points = rule.groups.empty() ? everybody_ : Points(rule.groups.begin(), rule.groups.end());
    }
    add_subjects(one);
    if (!one.subjects.empty()) statements_.push_back(std::move(one));
  }

  void add_subjects(Statement& one) {
    const Rule& rule = *one.rule;
    for (const Subject& subject : rule.subjects) {
      auto said = said_of(subject);
      const std::string about = fmt::format("{} '{}'", to_string(subject.kind), subject.text);
      if (!said) {
        remark(rule, fmt::format("{} cannot be said, and is left out{}", about,
                                 one.blocks() ? ": OutbackCDX shows what it hides" : ""));
        continue;
      }
      if (said->is_narrower && one.blocks())
        remark(rule, about + " is said with the ports of http and https alone: OutbackCDX shows what has others");
      one.subjects.push_back(*std::move(said));
    }
  }

  using Ranks = std::unordered_map<std::string, RuleRank>;  // of rules that block, by prefix; the first one asked
  static void note(Ranks& ranks, const Statement& one) {
    for (const Said& said : one.subjects) {
      const RuleRank rank = rank_of(*one.rule, said.exactness, said.length, one.place);
      const auto [known, is_new] = ranks.emplace(said.prefix, rank);
      if (!is_new) known->second = std::min(known->second, rank);
    }
  }

  // Whether a rule that allows and is of that rank would show there what another one blocks here. `former` are the rules that
  // block and have lower numbers, `all_` all of them.
  bool shows_more(const Said& said, const RuleRank& rank, const Ranks& former) const {
    if (said.is_wider && list_.fallback != Verdict::allow) return true;
    const auto is_in_the_way = [&](const Ranks& ranks, const std::string& prefix) {
      const auto found = ranks.find(prefix);
      return found != ranks.end() && (said.is_wider || found->second < rank);
    };
    if (is_in_the_way(former, said.prefix)) return true;
    return std::ranges::any_of(lengths_, [&](size_t length) {
      return length < said.prefix.size() && is_in_the_way(all_, said.prefix.substr(0, length));
    });
  }

  void leave_out_what_would_show_more() {
    for (const Statement& one : statements_) {
      if (one.blocks()) note(all_, one);
      for (const Said& said : one.subjects) lengths_.insert(said.prefix.size());
    }
    Ranks former;
    for (Statement& one : statements_) {
      const Rule& rule = one.allows == nullptr ? *one.rule : *one.allows;
      const size_t place = one.allows == nullptr ? one.place : one.allows_place;
      const auto is_wrong = [&](const Said& said) {
        const bool is_more = shows_more(said, rank_of(rule, said.exactness, said.length, place), former);
        if (is_more) remark(rule, said.pattern + " would show what another rule hides; it is left out");
        return is_more;
      };
      if (!one.blocks())
        std::erase_if(one.subjects, is_wrong);
      else if (!one.points.empty() && std::ranges::any_of(one.subjects, is_wrong))
        one.points.clear();
      if (one.blocks()) note(former, one);
    }
    std::erase_if(statements_, [](const Statement& one) { return one.subjects.empty(); });
  }

  const RuleList& list_;
  Points everybody_ = {std::string(kPublicPoint), "staff"};
  std::unordered_map<size_t, size_t> partners_;  // by place of what blocks, that of what allows
  std::set<size_t> joined_;                      // places of what is said with a partner
  std::vector<Statement> statements_;
  Ranks all_;                 // of all rules that block
  std::set<size_t> lengths_;  // of prefixes
  std::vector<std::string> remarks_;
};

json time_json(const std::string& digits, bool is_end) {
  if (digits.empty()) return nullptr;
  const auto time = is_end ? parse_timestamp_end(digits) : parse_timestamp(digits);
  if (!time) return nullptr;
  // Both ends are outside there.
  using std::chrono::milliseconds;
  return rfc3339_millis(is_end ? floor<std::chrono::seconds>(*time) + milliseconds(999) : *time - milliseconds(1));
}

// The ranges, each by itself; null, once, if there are none.
std::vector<json> ranges_json(const std::vector<TimeRange>& ranges) {
  std::vector<json> all;
  for (const TimeRange& range : ranges)
    all.push_back({{"start", time_json(range.from, false)}, {"end", time_json(range.to, true)}});
  if (all.empty()) all.emplace_back(nullptr);
  return all;
}

// Rules and policies, with numbers. The policies with which an index begins have the numbers that they have there.
class OutbackWriter {
 public:
  void add(json rule, const Points& points) {
    rule["id"] = rules_.size() + 1;
    rule["policyId"] = policy(points);
    rule["pinned"] = false;
    rules_.push_back(std::move(rule));
  }
  std::string rules() const { return text_of(rules_); }
  std::string policies() const { return text_of(policies_); }

 private:
  static std::string text_of(const json& value) {
    return value.dump(2, ' ', false, json::error_handler_t::replace) + '\n';
  }

  int policy(const Points& points) {
    const auto known = ids_.find(points);
    if (known != ids_.end()) return known->second;
    int id = next_id_;
    std::string name;
    for (const std::string& point : points) name += (name.empty() ? "" : ", ") + point;
    if (points == Points{std::string(kPublicPoint), "staff"}) std::tie(id, name) = std::pair(0, "Public");
    if (points == Points{"staff"}) std::tie(id, name) = std::pair(1, "Staff Only");
    if (points.empty()) std::tie(id, name) = std::pair(2, "No Access");
    if (id == next_id_) ++next_id_;
    policies_.push_back({{"id", id}, {"name", name}, {"accessPoints", points}});
    return ids_[points] = id;
  }

  std::map<Points, int> ids_;
  int next_id_ = 3;
  json rules_ = json::array(), policies_ = json::array();
};

}  // namespace

OutbackTexts export_outback(const RuleList& list) {
  OutbackWriter writer;
  // It is the first one, so that all others of the same pattern decide before it.
  if (list.fallback != Verdict::allow) writer.add({{"urlPatterns", {"*"}}, {"publicMessage", list.message}}, {});
  Statements statements(list);
  for (const Statement& one : statements.all()) {
    const Rule& rule = *one.rule;
    json patterns = json::array();
    for (const Said& said : one.subjects) patterns.push_back(said.pattern);
    json said = {{"urlPatterns", patterns},
                 {"publicMessage", rule.message.empty() && one.blocks() ? list.message : rule.message},
                 {"privateComment", rule.comment},
                 {"reason", rule.reason},
                 {"creator", rule.made.by}};
    if (rule.newer)
      said["period"] = {{"years", rule.newer->years}, {"months", rule.newer->months}, {"days", rule.newer->days}};
    for (const json& captured : ranges_json(rule.captured)) {
      for (const json& accessed : ranges_json(rule.accessed)) {
        said["captured"] = captured;
        said["accessed"] = accessed;
        writer.add(said, one.points);
      }
    }
  }
  return {writer.rules(), writer.policies(), statements.remarks()};
}

}  // namespace caddis::viewing
