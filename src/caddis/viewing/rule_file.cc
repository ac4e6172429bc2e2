// A file is read by one table of names and readers for the whole, and one for a rule. It is changed as text: lines of a
// rule are put in or taken out, and the result is parsed again and held against what was meant.
#include "caddis/viewing/rule_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include "caddis/base/json_text.h"
#include "caddis/base/strings.h"
#include "caddis/settings/yaml_tree.h"

namespace caddis::viewing {
namespace {

using settings::YamlNode;
using settings::YamlTree;

constexpr std::string_view kHead = "# Who may see which captures (docs/formats/access-rules.md).\nversion: 1\nrules:\n";
constexpr size_t kLongestText = 16 * 1024;
constexpr std::string_view kVersion = "1";
constexpr std::string_view kLine = "line-";  // begins the ids of rules that have none

struct Place {
  std::string_view file;
  const YamlNode& node;

  std::unexpected<Error> refuse(const std::string& reason) const {
    return fail(ErrorCode::config, fmt::format("{}:{}: {}", file, node.line(), reason));
  }
  Place at(const YamlNode& other) const { return {file, other}; }
};

Result<std::string> text_of(const Place& place) {
  if (place.node.is_null()) return std::string();
  if (!place.node.is_scalar()) return place.refuse("a text is wanted here");
  if (place.node.text().size() > kLongestText) return place.refuse("this text is too long");
  return place.node.text();
}

Result<void> read_text(const Place& place, std::string& into) {
  TRY(into, text_of(place));
  return {};
}

// A text, or a list of them.
Result<std::vector<std::string>> texts_of(const Place& place) {
  std::vector<std::string> texts;
  if (!place.node.is_sequence()) {
    TRY(texts.emplace_back(), text_of(place));
    return texts;
  }
  for (const YamlNode* const item : place.node.items()) {
    TRY(texts.emplace_back(), text_of(place.at(*item)));
  }
  return texts;
}

template <class T>
Result<void> read_list(const Place& place, std::vector<T>& into, Result<T> (*parse)(std::string_view)) {
  TRY(const auto texts, texts_of(place));
  for (const std::string& text : texts) {
    auto parsed = parse(text);
    if (!parsed) return place.refuse(parsed.error().message);
    into.push_back(*std::move(parsed));
  }
  return {};
}

Result<Network> parse_network(std::string_view text) {
  TRY(auto block, url::AddressBlock::parse(text));
  return Network{std::string(text), std::move(block)};
}

Result<void> read_period(const Place& place, std::optional<Period>& into) {
  TRY(const std::string text, text_of(place));
  const auto parsed = parse_period(text);
  if (!parsed) return place.refuse(parsed.error().message);
  into = *parsed;
  return {};
}

Result<void> read_verdict(const Place& place, Verdict& into) {
  TRY(const std::string text, text_of(place));
  const auto verdict = verdict_of(text);
  if (!verdict) return place.refuse(fmt::format("'{}' is no verdict: allow, block and exclude are", text));
  into = *verdict;
  return {};
}

Result<void> read_subjects(const Place& place, Subject::Kind kind, Rule& rule) {
  TRY(const auto texts, texts_of(place));
  for (const std::string& text : texts) {
    if (kind == Subject::Kind::all && text != "true") return place.refuse("'all' is either true or not there");
    if (trim(text).empty()) return place.refuse(fmt::format("an empty {}", to_string(kind)));
    rule.subjects.push_back({kind, text});
  }
  return {};
}

using RuleReader = std::function<Result<void>(const Place&, Rule&)>;

RuleReader text_into(std::string Rule::* member) {
  return [member](const Place& place, Rule& rule) { return read_text(place, rule.*member); };
}
RuleReader texts_into(std::vector<std::string> Rule::* member) {
  return [member](const Place& place, Rule& rule) -> Result<void> {
    TRY(rule.*member, texts_of(place));
    return {};
  };
}
RuleReader ranges_into(std::vector<TimeRange> Rule::* member) {
  return [member](const Place& place, Rule& rule) { return read_list(place, rule.*member, &parse_time_range); };
}
RuleReader period_into(std::optional<Period> Rule::* member) {
  return [member](const Place& place, Rule& rule) { return read_period(place, rule.*member); };
}
RuleReader subjects_of(Subject::Kind kind) {
  return [kind](const Place& place, Rule& rule) { return read_subjects(place, kind, rule); };
}

Result<void> read_priority(const Place& place, Rule& rule) {
  TRY(const std::string text, text_of(place));
  const auto number = parse_int(text);
  if (!number || *number < -1'000'000 || *number > 1'000'000)
    return place.refuse(fmt::format("'{}' is no priority: a whole number is", text));
  rule.priority = static_cast<int>(*number);
  return {};
}

const std::vector<std::pair<std::string, RuleReader>>& rule_readers() {
  static const std::vector<std::pair<std::string, RuleReader>> readers = {
      {"id", text_into(&Rule::id)},
      {"verdict", [](const Place& place, Rule& rule) { return read_verdict(place, rule.verdict); }},
      {"all", subjects_of(Subject::Kind::all)},
      {"url", subjects_of(Subject::Kind::url)},
      {"surt", subjects_of(Subject::Kind::prefix)},
      {"host", subjects_of(Subject::Kind::host)},
      {"domain", subjects_of(Subject::Kind::domain)},
      {"regex", subjects_of(Subject::Kind::regex)},
      {"priority", read_priority},
      {"captured", ranges_into(&Rule::captured)},
      {"accessed", ranges_into(&Rule::accessed)},
      {"newer", period_into(&Rule::newer)},
      {"older", period_into(&Rule::older)},
      {"users", texts_into(&Rule::users)},
      {"groups", texts_into(&Rule::groups)},
      {"networks", [](const Place& place, Rule& rule) { return read_list(place, rule.networks, &parse_network); }},
      {"message", text_into(&Rule::message)},
      {"comment", text_into(&Rule::comment)},
      {"reason", text_into(&Rule::reason)},
      {"by", [](const Place& place, Rule& rule) { return read_text(place, rule.made.by); }},
      {"when", [](const Place& place, Rule& rule) { return read_text(place, rule.made.when); }},
  };
  return readers;
}

// Calls `read` for each name of a map, each of which may stand there once.
Result<void> each_name(const Place& place,
                       const std::function<Result<void>(const std::string& name, const Place& value)>& read) {
  if (!place.node.is_map()) return place.refuse("names with values are wanted here");
  std::set<std::string, std::less<>> seen;
  for (size_t i = 0; i < place.node.entries(); ++i) {
    const Place name = place.at(place.node.name(i));
    TRY(const std::string text, text_of(name));
    if (!seen.insert(text).second) return name.refuse(fmt::format("'{}' stands here twice", text));
    TRY_VOID(read(text, place.at(place.node.value(i))));
  }
  return {};
}

std::unexpected<Error> unknown_name(const Place& place, const std::string& name,
                                    const std::vector<std::string>& known) {
  const std::string near = nearest_name(name, known);
  return place.refuse(fmt::format("'{}' is not known here{}", name, near.empty() ? "" : "; '" + near + "' is"));
}

Result<Rule> read_rule(const Place& place) {
  Rule rule;
  bool has_verdict = false;
  TRY_VOID(each_name(place, [&](const std::string& name, const Place& value) -> Result<void> {
    const auto& readers = rule_readers();
    const auto reader = std::ranges::find(readers, name, &std::pair<std::string, RuleReader>::first);
    if (reader == readers.end()) {
      std::vector<std::string> known;
      for (const auto& [one, unused] : readers) known.push_back(one);
      return unknown_name(value, name, known);
    }
    has_verdict = has_verdict || name == "verdict";
    return reader->second(value, rule);
  }));
  if (!has_verdict) return place.refuse("a rule without verdict: allow, block or exclude");
  if (rule.subjects.empty())
    return place.refuse("a rule about nothing: give url, surt, host, domain or regex, or 'all: true'");
  return rule;
}

// For a rule that names itself none. Several may stand in one line.
std::string id_of_line(int line, const std::set<std::string>& taken) {
  std::string id = fmt::format("{}{}", kLine, line);
  for (int further = 2; taken.contains(id); ++further) id = fmt::format("{}{}-{}", kLine, line, further);
  return id;
}

Result<void> read_rules(const Place& place, RuleList& list) {
  if (place.node.is_null()) return {};
  if (!place.node.is_sequence()) return place.refuse("'rules' is a list");
  if (place.node.items().size() > kMostRules)
    return place.refuse(fmt::format("more than {} rules in one file", kMostRules));
  std::set<std::string> ids;
  for (const YamlNode* const item : place.node.items()) {
    const Place at = place.at(*item);
    TRY(Rule rule, read_rule(at));
    if (rule.id.empty()) rule.id = id_of_line(item->line(), ids);
    if (!ids.insert(rule.id).second) return at.refuse(fmt::format("there is a rule '{}' already", rule.id));
    list.rules.push_back(std::move(rule));
  }
  return {};
}

Result<void> read_top(const std::string& name, const Place& value, RuleList& list) {
  if (name == "version") {
    TRY(const std::string version, text_of(value));
    return version == kVersion ? Result<void>() : value.refuse(fmt::format("version {} is not known; 1 is", version));
  }
  if (name == "default") return read_verdict(value, list.fallback);
  if (name == "message") {
    TRY(list.message, text_of(value));
    return {};
  }
  if (name == "rules") return read_rules(value, list);
  if (name != "groups") return unknown_name(value, name, {"version", "default", "message", "groups", "rules"});
  return each_name(value, [&](const std::string& group, const Place& users) -> Result<void> {
    TRY(list.groups[group], texts_of(users));
    return {};
  });
}

Result<YamlTree> tree_of(std::string_view text, std::string_view file_name) {
  if (text.size() > kLargestRuleFile) return fail(ErrorCode::limit, fmt::format("{}: larger than 64 MiB", file_name));
  auto tree = YamlTree::parse(text);
  if (!tree)
    return fail(ErrorCode::config, fmt::format("{}:{}: {}", file_name, tree.error().line, tree.error().reason));
  return *std::move(tree);
}

std::string quoted(std::string_view text) {
  std::string out;
  append_json_string(out, text);  // which is YAML, too
  return out;
}

template <class T, class Write>
void add_list(std::string& out, std::string_view name, const std::vector<T>& values, const Write& write) {
  if (values.empty()) return;
  out += fmt::format("    {}: ", name);
  if (values.size() > 1) out += '[';
  for (size_t i = 0; i < values.size(); ++i) out += (i > 0 ? ", " : "") + quoted(write(values[i]));
  out += values.size() > 1 ? "]\n" : "\n";
}

void add_text(std::string& out, std::string_view name, std::string_view text) {
  if (!text.empty()) out += fmt::format("    {}: {}\n", name, quoted(text));
}

size_t offset_of_line(std::string_view text, int line) {
  size_t offset = 0;
  for (int i = 1; i < line; ++i) {
    const size_t end = text.find('\n', offset);
    if (end == std::string_view::npos) return text.size();
    offset = end + 1;
  }
  return offset;
}

// The list `rules`: its line, and that of the next name, or 0.
struct ListLines {
  const YamlNode* rules = nullptr;
  int begin = 0, end = 0;

  bool has_items() const { return rules != nullptr && rules->is_sequence() && !rules->items().empty(); }
};

ListLines lines_of_rules(const YamlNode& root) {
  ListLines lines;
  for (size_t i = 0; i < root.entries(); ++i) {
    if (lines.rules != nullptr && lines.end == 0) lines.end = root.name(i).line();
    if (root.name(i).text() != "rules") continue;
    lines.rules = &root.value(i);
    lines.begin = root.name(i).line();
  }
  return lines;
}

// An item, indented as those are that stand in the text.
std::string indented_as(std::string_view text, const ListLines& lines, std::string_view item) {
  if (!lines.has_items()) return std::string(item);
  const size_t begin = offset_of_line(text, lines.rules->items().front()->line());
  const size_t blanks = text.substr(begin).find_first_not_of(' ');
  std::string out;
  for (std::string_view line : split(item, '\n')) {
    if (line.empty()) continue;
    out += std::string(std::min<size_t>(blanks, 40), ' ');
    out += line.substr(2);
    out += '\n';
  }
  return out;
}

bool same_rules(const RuleList& a, const RuleList& b) { return format_rules(a) == format_rules(b); }

// Puts items behind the last one.
void put_in(std::string& text, const ListLines& lines, std::string_view items) {
  const std::string item = indented_as(text, lines, items);
  const size_t end = lines.end == 0 ? text.size() : offset_of_line(text, lines.end);
  if (lines.has_items()) {
    text.insert(end, item);
    return;
  }
  // "rules: []"
  const size_t begin = offset_of_line(text, lines.begin);
  const size_t behind = std::min(text.find('\n', begin), text.size() - 1) + 1;
  text.replace(begin, behind - begin, "rules:\n" + item);
}

std::unexpected<Error> cannot_change(std::string_view file_name) {
  return fail(
      ErrorCode::config,
      fmt::format("{}: its rules are not written one below the other ('rules:', then lines with '  - '), so that "
                  "no rule can be put in or taken out; change it by hand",
                  file_name));
}

}  // namespace

bool is_id_of_line(std::string_view id) { return id.starts_with(kLine); }

Result<RuleList> parse_rules(std::string_view text, std::string_view file_name) {
  TRY(const YamlTree tree, tree_of(text, file_name));
  RuleList list;
  if (tree.root().is_null()) return list;
  TRY_VOID(each_name({file_name, tree.root()},
                     [&](const std::string& name, const Place& value) { return read_top(name, value, list); }));
  return list;
}

Result<Rule> parse_rule(std::string_view text, std::string_view source) {
  TRY(const YamlTree tree, tree_of(text, source));
  return read_rule({source, tree.root()});
}

std::string format_rule(const Rule& rule) {
  using Kind = Subject::Kind;
  const auto same = [](const std::string& text) { return text; };
  std::string out = fmt::format("  - id: {}\n    verdict: {}\n", quoted(rule.id), to_string(rule.verdict));
  for (const Kind kind : {Kind::url, Kind::prefix, Kind::host, Kind::domain, Kind::regex}) {
    std::vector<std::string> texts;
    for (const Subject& subject : rule.subjects)
      if (subject.kind == kind) texts.push_back(subject.text);
    add_list(out, to_string(kind), texts, same);
  }
  if (std::ranges::find(rule.subjects, Kind::all, &Subject::kind) != rule.subjects.end()) out += "    all: true\n";
  if (rule.priority != 0) out += fmt::format("    priority: {}\n", rule.priority);
  const auto range_text = [](const TimeRange& range) { return to_string(range); };
  add_list(out, "captured", rule.captured, range_text);
  add_list(out, "accessed", rule.accessed, range_text);
  if (rule.newer) add_text(out, "newer", to_string(*rule.newer));
  if (rule.older) add_text(out, "older", to_string(*rule.older));
  add_list(out, "users", rule.users, same);
  add_list(out, "groups", rule.groups, same);
  add_list(out, "networks", rule.networks, [](const Network& network) { return network.text; });
  add_text(out, "message", rule.message);
  add_text(out, "reason", rule.reason);
  add_text(out, "comment", rule.comment);
  add_text(out, "by", rule.made.by);
  add_text(out, "when", rule.made.when);
  return out;
}

std::string format_rules(const RuleList& list) {
  std::string out = "version: 1\n";
  if (list.fallback != Verdict::allow) out += fmt::format("default: {}\n", to_string(list.fallback));
  if (!list.message.empty()) out += "message: " + quoted(list.message) + '\n';
  if (!list.groups.empty()) out += "groups:\n";
  for (const auto& [group, users] : list.groups) {
    out += "  " + quoted(group) + ": [";
    for (size_t i = 0; i < users.size(); ++i) out += (i > 0 ? ", " : "") + quoted(users[i]);
    out += "]\n";
  }
  out += list.rules.empty() ? "rules: []\n" : "rules:\n";
  for (const Rule& rule : list.rules) out += format_rule(rule);
  return out;
}

Result<std::string> with_rules(std::string_view text, std::string_view file_name, const std::vector<Rule>& rules) {
  TRY(RuleList meant, parse_rules(text, file_name));
  std::set<std::string, std::less<>> ids;
  for (const Rule& rule : meant.rules) ids.insert(rule.id);
  std::string items;
  for (const Rule& rule : rules) {
    if (!ids.insert(rule.id).second)
      return fail(ErrorCode::conflict, fmt::format("{}: there is a rule '{}' already", file_name, rule.id));
    items += format_rule(rule);
    meant.rules.push_back(rule);
  }
  TRY(const YamlTree tree, tree_of(text, file_name));
  std::string changed(text);
  if (!changed.empty() && !changed.ends_with('\n')) changed += '\n';
  const ListLines lines = tree.root().is_map() ? lines_of_rules(tree.root()) : ListLines();
  if (tree.root().is_null())
    changed += std::string(kHead) + items;
  else if (lines.rules == nullptr)
    changed += "rules:\n" + items;
  else
    put_in(changed, lines, items);
  const auto read = parse_rules(changed, file_name);
  if (!read || !same_rules(*read, meant)) return cannot_change(file_name);
  return changed;
}

Result<std::string> without_rule(std::string_view text, std::string_view file_name, std::string_view id) {
  TRY(RuleList meant, parse_rules(text, file_name));
  const auto rule = std::ranges::find(meant.rules, id, &Rule::id);
  if (rule == meant.rules.end())
    return fail(ErrorCode::not_found, fmt::format("{}: there is no rule '{}'", file_name, id));
  const size_t place = static_cast<size_t>(rule - meant.rules.begin());
  TRY(const YamlTree tree, tree_of(text, file_name));
  const ListLines lines = lines_of_rules(tree.root());
  const auto& items = lines.rules->items();
  const size_t begin = offset_of_line(text, items[place]->line());
  size_t end = text.size();
  if (place + 1 < items.size())
    end = offset_of_line(text, items[place + 1]->line());
  else if (lines.end != 0)
    end = offset_of_line(text, lines.end);
  std::string changed(text);
  changed.erase(begin, std::max(begin, end) - begin);
  meant.rules.erase(rule);
  const auto read = parse_rules(changed, file_name);
  // Rules without an id are called by their line, which may be another one now.
  if (!read || read->rules.size() != meant.rules.size()) return cannot_change(file_name);
  for (size_t i = 0; i < meant.rules.size(); ++i) {
    Rule is = read->rules[i], was = meant.rules[i];
    if (is_id_of_line(is.id)) is.id = was.id;
    if (format_rule(is) != format_rule(was)) return cannot_change(file_name);
  }
  return changed;
}

}  // namespace caddis::viewing
