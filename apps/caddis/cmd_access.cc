// caddis access: the rules about who may see which captures, and what they say of a URL.
#include <fmt/format.h>
#include <pwd.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/cdx/url_captures.h"
#include "caddis/io/digest.h"
#include "caddis/io/files.h"
#include "caddis/replay/collection.h"
#include "caddis/replay/served_rules.h"
#include "caddis/url/address_block.h"
#include "caddis/url/url.h"
#include "caddis/viewing/foreign_rules.h"
#include "caddis/viewing/group_names.h"
#include "caddis/viewing/rule_file.h"
#include "caddis/viewing/rule_json.h"
#include "caddis/viewing/rule_store.h"
#include "commands.h"
#include "tell.h"

namespace caddis::cli {
namespace {

using viewing::Rule;
using viewing::Subject;

// A rule, as options say it.
struct RuleArguments {
  std::string id, verdict = "block", message, reason, comment, newer, older;
  std::vector<std::string> urls, surts, hosts, domains, patterns, captured, accessed, users, groups, networks;
  int priority = 0;
};

struct AccessArguments {
  std::string file, collection = ".";
  RuleArguments rule;
  std::string url, time, user, role, from;  // of a question
  bool json = false;
  std::string input, policies, format;  // of files of others
};

// The file that is named, or that of the collection.
Result<std::string> file_of(const AccessArguments& arguments) {
  if (!arguments.file.empty()) return arguments.file;
  if (!replay::is_collection(io::real_files(), arguments.collection))
    return fail(ErrorCode::config,
                fmt::format("{} is no collection: say whose rules are meant (--collection FOLDER), or in which file "
                            "they stand (--file FILE)",
                            arguments.collection));
  return io::join_path(arguments.collection, replay::kRulesFile);
}

std::string who_types() {
  const passwd* const user = ::getpwuid(::geteuid());
  return user == nullptr ? std::to_string(::geteuid()) : std::string(user->pw_name);
}

Result<void> change(const AccessArguments& arguments, const std::string& what,
                    const std::function<Result<std::string>(const std::string& text, const std::string& file)>& edit) {
  TRY(const std::string file, file_of(arguments));
  viewing::RuleStore store(io::real_files(), system_clock(), file);
  return store.change({.who = who_types(), .from = {}, .how = "command line", .what = what},
                      [&](const std::string& text) { return edit(text, file); });
}

void add_subjects(Rule& rule, Subject::Kind kind, const std::vector<std::string>& texts) {
  for (const std::string& text : texts) rule.subjects.push_back({kind, text});
}

Result<Rule> rule_of(const RuleArguments& arguments) {
  Rule rule;
  rule.id = arguments.id;
  const auto verdict = viewing::verdict_of(arguments.verdict);
  if (!verdict)
    return fail(ErrorCode::config, fmt::format("'{}' is no verdict: allow, block and exclude are", arguments.verdict));
  rule.verdict = *verdict;
  add_subjects(rule, Subject::Kind::url, arguments.urls);
  add_subjects(rule, Subject::Kind::prefix, arguments.surts);
  add_subjects(rule, Subject::Kind::host, arguments.hosts);
  add_subjects(rule, Subject::Kind::domain, arguments.domains);
  add_subjects(rule, Subject::Kind::regex, arguments.patterns);
  if (rule.subjects.empty())
    return fail(ErrorCode::config, "what is it about? Give a URL, --surt, --host, --domain or --regex");
  for (const std::string& text : arguments.captured) {
    TRY(rule.captured.emplace_back(), viewing::parse_time_range(text));
  }
  for (const std::string& text : arguments.accessed) {
    TRY(rule.accessed.emplace_back(), viewing::parse_time_range(text));
  }
  if (!arguments.newer.empty()) {
    TRY(rule.newer, viewing::parse_period(arguments.newer));
  }
  if (!arguments.older.empty()) {
    TRY(rule.older, viewing::parse_period(arguments.older));
  }
  for (const std::string& text : arguments.networks) {
    TRY(const auto block, url::AddressBlock::parse(text));
    rule.networks.push_back({text, block});
  }
  rule.users = arguments.users;
  rule.groups = arguments.groups;
  rule.priority = arguments.priority;
  rule.message = arguments.message;
  rule.reason = arguments.reason;
  rule.comment = arguments.comment;
  rule.made.by = who_types();
  rule.made.when = rfc3339(system_clock().wall());
  return rule;
}

// "takedown-3f0a9c1e": of what it is about, and when.
std::string new_id(std::string_view kind, const Rule& rule) {
  std::string text = rule.made.when + std::to_string(::getpid());
  for (const Subject& subject : rule.subjects) text += '\n' + subject.text;
  return fmt::format("{}-{}", kind, to_hex(io::sha256(text)).substr(0, 8));
}

// A group may get its users later: it is told, not refused.
void tell_unknown_groups(const std::string& text, const std::string& file, const Rule& rule) {
  viewing::RuleList list;
  if (!trim(text).empty()) {
    auto known = viewing::parse_rules(text, file);
    if (!known) return;  // the rule will not be added
    list.groups = std::move(known->groups);
  }
  list.rules = {rule};
  for (const std::string& group : viewing::groups_of_nobody(list, [](const std::string&) { return true; }))
    tell(
        fmt::format("caddis access: {} names no users of the group '{}', and no role has this name (viewer, curator, "
                    "operator and admin are roles): the rule holds for nobody in it\n",
                    file, group));
}

Result<void> add_rule(const AccessArguments& arguments, std::string_view kind) {
  TRY(Rule rule, rule_of(arguments.rule));
  if (rule.id.empty()) rule.id = new_id(kind, rule);
  std::string about;
  for (const Subject& subject : rule.subjects)
    about += fmt::format(" {} {}", viewing::to_string(subject.kind), subject.text);
  TRY_VOID(change(arguments, fmt::format("{} {} {}:{}", kind, rule.id, viewing::to_string(rule.verdict), about),
                  [&](const std::string& text, const std::string& file) {
                    tell_unknown_groups(text, file, rule);
                    return viewing::with_rules(text, file, {rule});
                  }));
  fmt::print("{}\n", rule.id);
  return {};
}

Result<void> add(const AccessArguments& arguments) { return add_rule(arguments, "rule"); }

Result<void> take_down(const AccessArguments& arguments) {
  if (trim(arguments.rule.reason).empty())
    return fail(ErrorCode::config, "--reason: a takedown is on record with its reason");
  return add_rule(arguments, "takedown");
}

Result<void> remove(const AccessArguments& arguments) {
  const std::string& id = arguments.rule.id;
  return change(arguments, "removed " + id, [&](const std::string& text, const std::string& file) {
    return viewing::without_rule(text, file, id);
  });
}

Result<std::shared_ptr<const viewing::RuleSet>> read(const std::string& file) {
  if (!io::real_files().exists(file)) return fail(ErrorCode::not_found, fmt::format("there is no file {}", file));
  viewing::RuleStore store(io::real_files(), system_clock(), file);
  TRY_VOID(store.refresh());
  return store.rules();
}

Result<void> list(const AccessArguments& arguments) {
  TRY(const std::string file, file_of(arguments));
  TRY(const auto rules, read(file));
  viewing::RuleList list = rules->list();
  list.counts.clear();  // a server counts
  std::string text = arguments.json ? viewing::rules_json(list) + '\n' : viewing::format_rules(list);
  std::fwrite(text.data(), 1, text.size(), stdout);
  return {};
}

Result<viewing::Viewer> viewer_of(const AccessArguments& arguments) {
  if (auto known = viewing::check_viewer_role(arguments.role); !known) return pass(std::move(known).error(), "--role");
  viewing::Viewer viewer{arguments.user, arguments.user.empty() ? std::string() : arguments.role};
  if (arguments.from.empty()) return viewer;
  viewer.address = url::parse_address(arguments.from);
  if (!viewer.address) return fail(ErrorCode::config, fmt::format("--from {}: no IP address", arguments.from));
  return viewer;
}

Result<void> check(const AccessArguments& arguments) {
  TRY(const auto viewer, viewer_of(arguments));
  TRY_VOID(file_of(arguments));
  if (const std::string asked = cdx::asked_url(arguments.url); asked.starts_with("http") && !url::Url::parse(asked))
    return fail(ErrorCode::config, fmt::format("{}: no URL", arguments.url));
  std::vector<std::string> files;
  if (!arguments.file.empty()) files.push_back(arguments.file);
  const std::string own = io::join_path(arguments.collection, replay::kRulesFile);
  if (io::real_files().exists(own)) files.push_back(own);
  const WallTime now = system_clock().wall();
  std::string time = timestamp14(now);
  if (!arguments.time.empty()) {
    TRY(const auto range, viewing::parse_time_range(arguments.time));
    TRY(const WallTime moment, parse_timestamp(range.from));
    time = timestamp14(moment);
  }
  viewing::Verdict verdict = viewing::Verdict::allow;
  std::string text;
  for (const std::string& file : files) {
    TRY(const auto rules, read(file));
    viewing::Explanation explanation{file, rules->explain(arguments.url, time, viewer, now), {}};
    explanation.decision = viewing::decision_of(*rules, explanation.findings);
    verdict = std::max(verdict, explanation.decision.verdict);
    text += arguments.json ? viewing::explanation_json(explanation) + '\n' : viewing::explanation_text(explanation);
  }
  if (!arguments.json)
    text = fmt::format("{}: {} as captured at {}{}\n", viewing::to_string(verdict), arguments.url, time,
                       files.empty() ? ", for there are no rules" : "") +
           text;
  std::fwrite(text.data(), 1, text.size(), stdout);
  return {};
}

Result<viewing::ImportedRules> imported(const AccessArguments& arguments) {
  TRY(const std::string text, io::real_files().read_all(arguments.input, viewing::kLargestRuleFile));
  if (arguments.format == "pywb") return viewing::import_aclj(text);
  if (arguments.policies.empty())
    return fail(ErrorCode::config,
                "--policies FILE: rules of OutbackCDX name policies, which GET /<collection>/access/policies answers");
  TRY(const std::string policies, io::real_files().read_all(arguments.policies, viewing::kLargestRuleFile));
  return viewing::import_outback(text, policies);
}

void tell_remarks(const std::vector<std::string>& remarks) {
  for (const std::string& remark : remarks) tell(fmt::format("caddis access: {}\n", remark));
}

Result<void> import(const AccessArguments& arguments) {
  auto rules = imported(arguments);
  if (!rules) return pass(std::move(rules).error(), arguments.input);
  TRY_VOID(change(arguments, fmt::format("imported {}", arguments.input),
                  [&](const std::string& text, const std::string& file) -> Result<std::string> {
                    if (trim(text).empty()) return viewing::format_rules(rules->list);
                    return viewing::with_rules(text, file, rules->list.rules);
                  }));
  tell_remarks(rules->remarks);
  fmt::print("{} rules\n", rules->list.rules.size());
  return {};
}

Result<void> export_rules(const AccessArguments& arguments) {
  TRY(const std::string file, file_of(arguments));
  TRY(const auto rules, read(file));
  if (arguments.format == "pywb") {
    const auto lines = viewing::export_aclj(rules->list());
    tell_remarks(lines.remarks);
    std::fwrite(lines.text.data(), 1, lines.text.size(), stdout);
    return {};
  }
  if (arguments.policies.empty())
    return fail(ErrorCode::config, "--policies FILE: where the policies go that the rules of OutbackCDX name");
  const auto texts = viewing::export_outback(rules->list());
  tell_remarks(texts.remarks);
  TRY_VOID(io::real_files().write_atomically(arguments.policies, texts.policies));
  std::fwrite(texts.rules.data(), 1, texts.rules.size(), stdout);
  return {};
}

using Action = Result<void> (*)(const AccessArguments&);

CLI::App* add_action(CLI::App& parent, const std::string& name, const std::string& help,
                     const std::shared_ptr<AccessArguments>& arguments, Action action, int& exit_code) {
  CLI::App* command = parent.add_subcommand(name, help);
  command->add_option("--collection", arguments->collection, "The collection whose rules are meant (its access.yaml)")
      ->option_text("FOLDER")
      ->capture_default_str();
  command->add_option("--file", arguments->file, "The file of rules, as 'caddis serve --access-rules' takes it")
      ->option_text("FILE");
  command->callback([arguments, action, name, &exit_code] {
    if (const auto done = action(*arguments); !done) {
      tell(fmt::format("caddis access {}: {}\n", name, done.error().message));
      exit_code = done.error().code == ErrorCode::config || done.error().code == ErrorCode::not_found ? 2 : 1;
    }
  });
  return command;
}

void add_rule_options(CLI::App& command, RuleArguments& arguments) {
  command.add_option("url", arguments.urls, "URLs that it is about");
  command.add_option("--surt", arguments.surts, "It is about keys that begin so: com,example)/private");
  command.add_option("--host", arguments.hosts, "It is about a host, with any port");
  command.add_option("--domain", arguments.domains, "It is about a domain and all hosts below it");
  command.add_option("--regex", arguments.patterns, "It is about URLs in which this pattern (RE2) is found");
  command.add_option("--captured", arguments.captured, "It is about captures of these times: 2010..2012-06");
  command.add_option("--id", arguments.id, "How the rule is called; without it, a name is made");
  command.add_option("--message", arguments.message, "For those who may not see it");
  command.add_option("--reason", arguments.reason, "Why there is this rule, for the record");
  command.add_option("--comment", arguments.comment, "For operators alone");
}

void add_change_commands(CLI::App& access, int& exit_code) {
  auto arguments = std::make_shared<AccessArguments>();
  CLI::App* command = add_action(access, "add", "Add a rule", arguments, add, exit_code);
  command->add_option("verdict", arguments->rule.verdict, "allow, block (451) or exclude (404)")->required();
  add_rule_options(*command, arguments->rule);
  command->add_option("--accessed", arguments->rule.accessed, "It holds while it is these times: ..2027-01");
  command->add_option("--newer", arguments->rule.newer, "It is about captures that are not so old: 2y6mo");
  command->add_option("--older", arguments->rule.older, "It is about captures that are older");
  command->add_option("--user", arguments->rule.users, "It is for this user (repeatable)");
  command->add_option("--group", arguments->rule.groups, "It is for this group of the file, or role (repeatable)");
  command->add_option("--network", arguments->rule.networks, "It is for these addresses: 10.0.0.0/8 (repeatable)");
  command->add_option("--priority", arguments->rule.priority, "Rules of higher ones decide first")
      ->capture_default_str();

  arguments = std::make_shared<AccessArguments>();
  command = add_action(access, "takedown", "Let a URL be shown no more, on record", arguments, take_down, exit_code);
  add_rule_options(*command, arguments->rule);
  command->add_option("--verdict", arguments->rule.verdict, "block (451), or exclude (404)")->capture_default_str();

  arguments = std::make_shared<AccessArguments>();
  command = add_action(access, "remove", "Remove a rule", arguments, remove, exit_code);
  command->add_option("id", arguments->rule.id, "As 'caddis access list' shows it")->required();
}

void add_file_commands(CLI::App& access, int& exit_code) {
  auto arguments = std::make_shared<AccessArguments>();
  CLI::App* command =
      add_action(access, "import", "Take over the rules of OutbackCDX or pywb", arguments, import, exit_code);
  command->add_option("input", arguments->input, "A file of rules: JSON of OutbackCDX, or .aclj of pywb")->required();
  const auto add_format = [](CLI::App& to, AccessArguments& into) {
    to.add_option("--format", into.format, "outbackcdx or pywb")
        ->required()
        ->check(CLI::IsMember({"outbackcdx", "pywb"}));
    to.add_option("--policies", into.policies, "The file of policies (outbackcdx)")->option_text("FILE");
  };
  add_format(*command, *arguments);

  arguments = std::make_shared<AccessArguments>();
  command =
      add_action(access, "export", "Write rules as OutbackCDX or pywb take them", arguments, export_rules, exit_code);
  add_format(*command, *arguments);

  arguments = std::make_shared<AccessArguments>();
  command = add_action(access, "list", "Show the rules", arguments, list, exit_code);
  command->add_flag("--json", arguments->json, "As JSON");
}

}  // namespace

void add_access_commands(CLI::App& app, int& exit_code) {
  CLI::App& access = *app.add_subcommand("access", "Who may see which captures")->require_subcommand(1);
  access.footer("A server that runs sees a change within a second. docs/access-rules.md tells how rules decide.");
  auto arguments = std::make_shared<AccessArguments>();
  CLI::App* command =
      add_action(access, "check", "Say what the rules decide about a URL, and why", arguments, check, exit_code);
  command->add_option("url", arguments->url)->required();
  command->add_option("--time", arguments->time, "When it was captured; without it, now");
  command->add_option("--user", arguments->user, "Who asks; without it, somebody who is not known");
  command->add_option("--role", arguments->role, "The user's role: viewer, curator, operator or admin");
  command->add_option("--from", arguments->from, "The address from which is asked")->option_text("ADDRESS");
  command->add_flag("--json", arguments->json, "A line of JSON for each file of rules");
  add_change_commands(access, exit_code);
  add_file_commands(access, exit_code);
}

}  // namespace caddis::cli
