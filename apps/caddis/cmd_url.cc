// caddis url parse|canonicalize|surt|explain: URLs as Caddis reads and writes them.
// With URLs as operands one answer for each, otherwise an answer for each line of standard input (batch mode).
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "batch.h"
#include "caddis/base/json_text.h"
#include "caddis/base/strings.h"
#include "caddis/url/canonicalize.h"
#include "caddis/url/surt.h"
#include "commands.h"

namespace caddis::cli {
namespace {

struct UrlArguments {
  std::vector<std::string> urls;
  std::string base;
  std::string policy = "caddis";
  std::string at;  // when it was captured
  bool json = false;
};

// The code unit that "\uXXXX" at `at` stands for, 0 where there is none.
unsigned escaped_unit(std::string_view text, size_t at) {
  if (at + 6 > text.size() || text.substr(at, 2) != "\\u") return 0;
  unsigned unit = 0;
  for (const char c : text.substr(at + 2, 4)) {
    if (hex_value(c) < 0) return 0;
    unit = unit * 16 + static_cast<unsigned>(hex_value(c));
  }
  return unit;
}

// JSON may escape half a surrogate pair, which no UTF-8 can hold: it becomes U+FFFD, as in a browser's URL interface.
std::string with_whole_pairs(std::string_view json) {
  std::string out;
  for (size_t at = 0; at < json.size();) {
    const unsigned unit = escaped_unit(json, at);
    const unsigned next = escaped_unit(json, at + 6);
    const bool high = unit >= 0xD800 && unit <= 0xDBFF, low = unit >= 0xDC00 && unit <= 0xDFFF;
    const bool pair = high && next >= 0xDC00 && next <= 0xDFFF;
    const size_t length = pair ? 12 : high || low ? 6 : json[at] == '\\' ? 2 : 1;
    out += (high || low) && !pair ? "\\uFFFD" : json.substr(at, length);
    at += length;
  }
  return out;
}

struct Item {
  std::string url;
  std::optional<std::string> base;
};

// A URL, or {"url":…,"base":…}.
Result<Item> read_item(std::string_view line) {
  if (!trim(line).starts_with('{')) return Item{std::string(line), std::nullopt};
  auto object = nlohmann::json::parse(line, nullptr, false);
  if (object.is_discarded()) object = nlohmann::json::parse(with_whole_pairs(line), nullptr, false);
  if (!object.is_object()) return fail(ErrorCode::parse, "the line is neither a URL nor a JSON object");
  const auto url = object.find("url"), base = object.find("base");
  if (url == object.end() || !url->is_string()) return fail(ErrorCode::parse, "the object has no \"url\"");
  Item item{url->get<std::string>(), std::nullopt};
  if (base == object.end() || base->is_null()) return item;
  if (!base->is_string()) return fail(ErrorCode::parse, "\"base\" is no string");
  item.base = base->get<std::string>();
  return item;
}

std::string parts_json(const url::Url& url) {
  return JsonObject()
      .add("href", url.href())
      .add("protocol", url.protocol())
      .add("username", url.username())
      .add("password", url.password())
      .add("host", url.host())
      .add("hostname", url.hostname())
      .add("port", url.port())
      .add("pathname", url.pathname())
      .add("search", url.search())
      .add("hash", url.hash())
      .finish();
}

Result<std::string> parse_line(const UrlArguments& arguments, std::string_view line) {
  TRY(const Item item, read_item(line));
  const std::string base_text = item.base.value_or(arguments.base);
  std::optional<url::Url> base;
  if (item.base || !arguments.base.empty()) {
    auto parsed = url::Url::parse(base_text);
    if (!parsed) return pass(std::move(parsed).error(), "base");
    base = *std::move(parsed);
  }
  TRY(const url::Url url, url::Url::parse(item.url, base ? &*base : nullptr));
  return arguments.json ? parts_json(url) : std::string(url.href());
}

Result<std::string> key_line(const UrlArguments& arguments, const url::KeyPolicy& policy, std::string_view line) {
  TRY(std::string key, url::canonicalize(policy, line, arguments.at));
  return arguments.json ? JsonObject().add("in", line).add("key", key).finish() : std::move(key);
}

// Answers the operands, or standard input where there are none; gives the exit code.
int answer_all(const UrlArguments& arguments, const std::function<Result<std::string>(std::string_view)>& answer) {
  if (arguments.urls.empty()) {
    run_batch(arguments.json ? BadItem::json : BadItem::dash, answer);
    return 0;
  }
  const auto bad = [&](const Error& error) { return arguments.json ? error_line(error.message) : "-"; };
  int exit_code = 0;
  for (const std::string& text : arguments.urls) {
    const auto out = answer(text);
    fmt::print("{}\n", out ? *out : bad(out.error()));
    if (out) continue;
    fmt::print(stderr, "caddis url: {}: {}\n", text, out.error().message);
    exit_code = 1;
  }
  return exit_code;
}

std::string explanation_json(std::string_view url, const url::KeyPolicy& policy, const url::KeyExplanation& explained) {
  std::string steps = "[";
  for (const url::KeyChange& change : explained.changes) {
    if (steps.size() > 1) steps += ',';
    steps += JsonObject().add("step", change.step).add("before", change.before).add("after", change.after).finish();
  }
  return JsonObject()
      .add("in", url)
      .add("policy", policy.notation())
      .add("hash", policy.hash())
      .add_raw("steps", steps + "]")
      .add("key", explained.key)
      .finish();
}

// The URL, a line for each step that changed it, and its key.
Result<std::string> explain_line(const UrlArguments& arguments, const url::KeyPolicy& policy, std::string_view line) {
  TRY(const url::KeyExplanation explained, url::explain_key(policy, line, arguments.at));
  if (arguments.json) return explanation_json(line, policy, explained);
  size_t width = std::string_view("policy").size();
  for (const url::KeyChange& change : explained.changes) width = std::max(width, change.step.size());
  std::string out = fmt::format("{:{}}  {}\n", "policy", width, policy.notation());
  out += fmt::format("{:{}}  {}\n", "URL", width, line);
  for (const url::KeyChange& change : explained.changes)
    out += fmt::format("{:{}}  {}\n", change.step, width, change.after);
  return out + fmt::format("{:{}}  {}", "key", width, explained.key);
}

using AnswerByPolicy = Result<std::string> (*)(const UrlArguments&, const url::KeyPolicy&, std::string_view);

int run_with_policy(const UrlArguments& arguments, std::string_view command, AnswerByPolicy answer) {
  if (arguments.at.size() > 14 || !std::ranges::all_of(arguments.at, is_digit)) {
    fmt::print(stderr, "caddis url {}: --at {}: up to 14 digits are wanted, as in 20100630\n", command, arguments.at);
    return 2;
  }
  const auto policy = url::KeyPolicy::parse(arguments.policy);
  if (!policy) {
    fmt::print(stderr, "caddis url {}: {}\n", command, policy.error().message);
    return 2;
  }
  return answer_all(arguments, [&](std::string_view line) { return answer(arguments, *policy, line); });
}

void add_policy_options(CLI::App& command, UrlArguments& arguments) {
  command
      .add_option("--policy", arguments.policy,
                  "A key policy: its name (caddis, exact, heritrix, ia-surt, ssurt, owb-aggressive, semantic, "
                  "outback), with steps "
                  "switched off and on: 'caddis -strip-session-ids +strip-www'")
      ->type_name("NOTATION")
      ->capture_default_str();
  command.add_option("--at", arguments.at, "When it was captured (4 to 14 digits), for steps that hold for a period")
      ->type_name("TIMESTAMP");
}

CLI::App* add_command(CLI::App& url, const char* name, const char* what, UrlArguments& arguments) {
  CLI::App* command = url.add_subcommand(name, what);
  command->add_flag("--json", arguments.json, "JSON out, an object a line");
  command->add_option("urls", arguments.urls, "URLs; without any, a line of standard input each")->type_name("URL");
  return command;
}

}  // namespace

void add_url_commands(CLI::App& app, int& exit_code) {
  CLI::App* url = app.add_subcommand("url", "Parse and canonicalize URLs");
  url->require_subcommand(1);
  auto arguments = std::make_shared<UrlArguments>();

  CLI::App* parse = add_command(*url, "parse", "Parse URLs as browsers do (WHATWG URL Standard)", *arguments);
  parse->add_option("--base", arguments->base, "Resolve relative URLs against this one")->type_name("URL");
  parse->callback([arguments, &exit_code] {
    exit_code = answer_all(*arguments, [&](std::string_view line) { return parse_line(*arguments, line); });
  });

  CLI::App* canonicalize = add_command(*url, "canonicalize", "Print the canonical forms of URLs", *arguments);
  add_policy_options(*canonicalize, *arguments);
  canonicalize->callback(
      [arguments, &exit_code] { exit_code = run_with_policy(*arguments, "canonicalize", key_line); });

  CLI::App* explain =
      add_command(*url, "explain", "Show each step that changes URLs on the way to their keys", *arguments);
  add_policy_options(*explain, *arguments);
  explain->callback([arguments, &exit_code] {
    arguments->json = arguments->json || arguments->urls.empty();  // of a batch, a line for each
    exit_code = run_with_policy(*arguments, "explain", explain_line);
  });

  CLI::App* surt = add_command(*url, "surt", "Print the SURTs of URLs, as they stand in CDX files", *arguments);
  surt->callback([arguments, &exit_code] {
    exit_code = answer_all(
        *arguments, [&](std::string_view line) { return key_line(*arguments, url::KeyPolicy::ia_surt(), line); });
  });
}

}  // namespace caddis::cli
