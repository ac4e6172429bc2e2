#include "caddis/viewing/rule_json.h"

#include <fmt/format.h>

#include "caddis/base/json_text.h"

namespace caddis::viewing {
namespace {

void add_texts(JsonObject& out, std::string_view name, const std::vector<std::string>& texts) {
  if (texts.empty()) return;
  std::string array = "[";
  for (const std::string& text : texts) {
    if (array.size() > 1) array += ',';
    append_json_string(array, text);
  }
  out.add_raw(name, array + ']');
}

void add_text(JsonObject& out, std::string_view name, const std::string& text) {
  if (!text.empty()) out.add(name, text);
}

std::vector<std::string> texts_of(const std::vector<TimeRange>& ranges) {
  std::vector<std::string> texts;
  for (const TimeRange& range : ranges) texts.push_back(to_string(range));
  return texts;
}

// "surt com,example)/ [block, priority 5, for groups staff]"
std::string rule_words(const Finding& finding) {
  const Rule& rule = *finding.rule;
  std::string words = fmt::format("{}: {} {}{}", rule.id, to_string(rule.verdict), to_string(finding.subject->kind),
                                  finding.subject->kind == Subject::Kind::all ? "" : " " + finding.subject->text);
  if (rule.priority != 0) words += fmt::format(", priority {}", rule.priority);
  if (!rule.users.empty()) words += fmt::format(", for users {}", fmt::join(rule.users, " "));
  if (!rule.groups.empty()) words += fmt::format(", for groups {}", fmt::join(rule.groups, " "));
  for (const Network& network : rule.networks) words += ", from " + network.text;
  for (const TimeRange& range : rule.captured) words += ", captured " + to_string(range);
  for (const TimeRange& range : rule.accessed) words += ", accessed " + to_string(range);
  if (rule.newer) words += ", newer than " + to_string(*rule.newer);
  if (rule.older) words += ", older than " + to_string(*rule.older);
  return words;
}

}  // namespace

std::string rule_json(const Rule& rule) {
  JsonObject out;
  out.add("id", rule.id).add("verdict", to_string(rule.verdict));
  for (const auto kind :
       {Subject::Kind::url, Subject::Kind::prefix, Subject::Kind::host, Subject::Kind::domain, Subject::Kind::regex}) {
    std::vector<std::string> texts;
    for (const Subject& subject : rule.subjects)
      if (subject.kind == kind) texts.push_back(subject.text);
    add_texts(out, to_string(kind), texts);
  }
  for (const Subject& subject : rule.subjects)
    if (subject.kind == Subject::Kind::all) {
      out.add("all", true);
      break;
    }
  if (rule.priority != 0) out.add("priority", rule.priority);
  add_texts(out, "captured", texts_of(rule.captured));
  add_texts(out, "accessed", texts_of(rule.accessed));
  if (rule.newer) out.add("newer", to_string(*rule.newer));
  if (rule.older) out.add("older", to_string(*rule.older));
  add_texts(out, "users", rule.users);
  add_texts(out, "groups", rule.groups);
  std::vector<std::string> networks;
  for (const Network& network : rule.networks) networks.push_back(network.text);
  add_texts(out, "networks", networks);
  add_text(out, "message", rule.message);
  add_text(out, "reason", rule.reason);
  add_text(out, "comment", rule.comment);
  add_text(out, "by", rule.made.by);
  add_text(out, "when", rule.made.when);
  return out.finish();
}

std::string rules_json(const RuleList& list) {
  std::string rules = "[";
  for (const Rule& rule : list.rules) rules += (rules.size() > 1 ? ",\n" : "\n") + rule_json(rule);
  JsonObject out;
  out.add("default", to_string(list.fallback));
  add_text(out, "message", list.message);
  out.add_raw("rules", rules + ']');
  if (list.counts.empty()) return out.finish();
  JsonObject decided;
  for (size_t i = 0; i < list.counts.size(); ++i)
    decided.add(list.rules[i].id, list.counts[i]->load(std::memory_order_relaxed));
  out.add_raw("decided", decided.finish());
  return out.finish();
}

Decision decision_of(const RuleSet& rules, const std::vector<Finding>& findings) {
  for (const Finding& finding : findings) {
    if (!finding.why_not.empty()) continue;
    const Rule& rule = *finding.rule;
    return {rule.verdict, &rule, rule.message.empty() ? rules.list().message : rule.message};
  }
  return {rules.list().fallback, nullptr, rules.list().message};
}

std::string explanation_text(const Explanation& explanation) {
  std::string text = explanation.file + ":\n";
  bool is_decided = false;
  for (const Finding& finding : explanation.findings) {
    std::string why = finding.why_not;
    if (why.empty()) why = is_decided ? "holds, but one before it decides" : "decides";
    is_decided = is_decided || finding.why_not.empty();
    text += fmt::format("  {}: {}\n", rule_words(finding), why);
  }
  if (!is_decided)
    text += fmt::format("  {}, so the default decides: {}\n",
                        explanation.findings.empty() ? "no rule is about it" : "no rule holds for it",
                        to_string(explanation.decision.verdict));
  return text;
}

std::string explanation_json(const Explanation& explanation) {
  std::string findings = "[";
  for (const Finding& finding : explanation.findings) {
    JsonObject one;
    one.add("id", finding.rule->id)
        .add("verdict", to_string(finding.rule->verdict))
        .add("about", to_string(finding.subject->kind))
        .add("text", finding.subject->text)
        .add("holds", finding.why_not.empty());
    if (!finding.why_not.empty()) one.add("why_not", finding.why_not);
    findings += (findings.size() > 1 ? "," : "") + one.finish();
  }
  JsonObject out;
  out.add("file", explanation.file).add("verdict", to_string(explanation.decision.verdict));
  if (explanation.decision.rule != nullptr) out.add("rule", explanation.decision.rule->id);
  out.add_raw("rules", findings + ']');
  return out.finish();
}

}  // namespace caddis::viewing
