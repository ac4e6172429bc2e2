#include "caddis/scope/rule_docs.h"

#include <fmt/format.h>

#include <algorithm>

#include "caddis/base/strings.h"
#include "caddis/scope/rule_cases.h"
#include "caddis/scope/rule_kinds.h"
#include "caddis/scope/rules.h"

namespace caddis::scope {
namespace {

constexpr std::string_view kIntroduction = R"(# Rules

Written by `caddis schema --rules` from the tables in the sources; change it there.

A rule accepts or rejects URLs for which its condition holds. `scope.rules` has the rules of a crawl in their order, and **the
last rule that says something decides**, as in Heritrix's sequences. A URL of which no rule says anything is rejected.

```yaml
scope:
  rules:
    - reject all
    - accept seeds domain
    - accept surt @/home/me/more-sites.txt
    - reject hops > 20
    - accept embed 2 1
    - reject url \.(iso|dmg)(\?|$)
    - reject domain shop.example.org and path-depth > 3
```

* `reject CONDITION`, `accept CONDITION`: what is said of URLs for which the condition holds.
* `not` in front of a condition: for which it does not hold.
* `CONDITION and CONDITION`: for which both hold.
* `@/whole/path` in place of values: those in a file, one a line. Blank lines and lines that begin with `#` are left out. Expressions
  of a file are asked together, whatever their number. A running crawl reads a file again when it has changed (`scope.reread-files`); if
  it cannot be used, the rules stay as they were.
* `rules @/whole/path`: a list of its own in a file, a rule a line. Among its rules, too, the last one that says something decides.
* `shorthand`: the rules that the other settings of `scope` stand for, beside rules of one's own. Without this rule those settings would
  do nothing, so they are refused.
* Expressions are RE2, and are found anywhere in the text: `^` and `$` tie them to its ends. One goes to the end of the rule, or to `and`
  with a condition. In YAML they are best written between single quotes.
* Numbers are compared by `> N`, `>= N`, `< N`, `<= N` and `= N`. `404` is that number alone, `500..599` is a range, and several may stand
  one after the other. Sizes may be written `20MB`.

Prerequisites (DNS, robots.txt) of URLs that are in scope are fetched whatever rules say. `caddis crawl --rule` gives rules on the
command line, and `caddis scope explain URL` shows what each of them says about a URL.
`--config crawl.yaml` gives it a configuration, `--collection FOLDER` that of a crawl with its lists of seeds, and `--seeds FILE` a list.
It knows the `+` and `-` lines of lists, not those of action files.

Conditions about the server's answer are for guards of steps (`pipeline.guard`): a scope is asked before there is one.

`address` and `country` may stand in a scope. They say nothing when a link is found, negated or not, and the scope is asked again right
before the visit, when the name of the host was looked up (and its robots.txt was fetched): `reject not country AT` behind rules that
accept. What is out of scope then is in crawl.log with -5000 and the rule. `accept country AT` alone lets no link in: one that no other
rule accepts is not asked about again. Behind a proxy the address of the site
is not known, so they say nothing: `WARC-IP-Address` and the `address` of `http.jsonl` are then those of the proxy.

## What is asked if there are no rules

These are the rules that the settings of `scope` stand for by default (`caddis scope rules`). The outcome is that of Heritrix's default
sequence, but for embeds: it takes two, and loses what players load.

)";

std::string cell(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '|') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string described(const RuleCase& example) {
  std::string text = fmt::format("`{}`", cell(example.url));
  const auto add = [&](std::string_view what, const std::string& value) {
    if (!value.empty()) text += fmt::format(", {} `{}`", what, cell(value));
  };
  if (example.is_seed) text += ", a seed";
  if (example.hops != "L") add("hops", std::string(example.hops));
  add("found on", std::string(example.via));
  add("from the seed", std::string(example.source_seed));
  if (example.status != 0) add("status", std::to_string(example.status));
  add("type", std::string(example.mime));
  if (example.length >= 0) add("bytes", std::to_string(example.length));
  add("address", std::string(example.address));
  add("at", std::string(example.at));
  if (example.is_identical) text += ", the same digest";
  return text;
}

bool is_about(const RuleCase& example, const RuleKind& kind) {
  std::string_view text = example.condition;
  if (text.starts_with("not ")) text.remove_prefix(4);
  return text.substr(0, text.find(' ')) == kind.name;
}

std::string_view known_since(Needs needs) {
  switch (needs) {
    case Needs::link:
      return "";
    case Needs::address:
      return " Known once the host's name was looked up: a scope that asks for it is asked again before the visit.";
    case Needs::answer:
      return " Known once the server has answered.";
  }
  return "";
}

}  // namespace

std::string rules_markdown() {
  std::string page(kIntroduction);
  page += "```\n";
  const auto usual = SiteRules::create({});
  if (usual)
    for (const auto& rule : usual->list->rules())
      for (const std::string& line : rule->lines()) page += line + "\n";
  page += "```\n\n## Conditions\n\n| condition | it holds if | Heritrix |\n|---|---|---|\n";
  for (const RuleKind& kind : rule_kinds())
    page += fmt::format("| `{}{}{}` | {}{} | {} |\n", kind.name, kind.arguments.empty() ? "" : " ",
                        cell(kind.arguments), kind.doc, known_since(kind.needs), kind.heritrix);
  page += fmt::format(
      "\n## Cases\n\nThe seed is `{}`, and a line of its list `-{}`.\nHops are `L` if nothing is said.\n"
      "The addresses 192.0.2.0/24 are in Austria (AT), 198.51.100.0/24 in Germany (DE).\n\n"
      "| condition | URL | holds |\n|---|---|---|\n",
      kSeedOfCases, kMinusLineOfCases);
  for (const RuleKind& kind : rule_kinds())
    for (const RuleCase& example : rule_cases())
      if (is_about(example, kind))
        page += fmt::format("| `{}` | {} | {} |\n", cell(example.condition), described(example),
                            example.holds ? "yes" : "no");
  return page;
}

}  // namespace caddis::scope
