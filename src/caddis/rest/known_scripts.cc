// A script is written in a normal form, which the tables below hold: words with one blank between two names, no
// semicolons and parentheses, "$" for each text and number, and `f` for a closure that the script defines. Where it is
// none of them, it is taken apart into statements at the outmost level, each of which has to be known by itself.
#include "caddis/rest/known_scripts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "caddis/rest/script_tokens.h"

namespace caddis::rest {
namespace {

using Kind = ScriptToken::Kind;
using Verb = ScriptVerb;
using Tokens = std::span<const ScriptToken>;

struct KnownForm {
  std::string_view text;
  Verb verb;
  std::string_view argument = {};  // where the form has none of its own
};

constexpr auto kForms = std::to_array<KnownForm>({
    // NetarchiveSuite's controller
    {"rawOut.println crawlController.pauseAtStart", Verb::pause_at_start},
    {"rawOut.println job.crawlController.pauseAtStart", Verb::pause_at_start},
    {"rawOut.print crawlController.pauseAtStart", Verb::pause_at_start},
    {"job.crawlController.frontier.allQueuesReportTo rawOut", Verb::all_queues},
    {"crawlController.frontier.allQueuesReportTo rawOut", Verb::all_queues},
    {"job.crawlController.frontier.allNonemptyReportTo rawOut", Verb::all_queues},
    {"appCtx.getBean $.allQueuesReportTo rawOut", Verb::all_queues},
    // heritrix3
    {"rawOut.println appCtx.getCurrentLaunchId", Verb::launch_id},
    {"rawOut.println appCtx.currentLaunchId", Verb::launch_id},
    {"rawOut.print appCtx.getCurrentLaunchId", Verb::launch_id},
    {"def f f={it.eachDir f it.eachFile{rawOut.println it}rawOut.println it}f job.jobDir", Verb::list_recursively,
     "both"},
    {"def f f={it.eachDir f it.eachFile{rawOut.println it}}f job.jobDir", Verb::list_recursively, "files"},
    {"def f f={it.eachDir f rawOut.println it}f job.jobDir", Verb::list_recursively, "folders"},
    {"warcDir=new File job.jobDir,$ warcDir.eachFile{rawOut.println it}", Verb::list_folder},
    {"new File job.jobDir,$.eachFile{rawOut.println it}", Verb::list_folder},
    {"job.jobDir.eachFile{rawOut.println it}", Verb::list_folder, "."},
    // heritrix3, hapy
    {"def f f={it.eachDir f it.eachFile{it.delete}it.delete}f job.jobDir", Verb::delete_job},
    {"job.jobDir.deleteDir", Verb::delete_job},
    {"job.crawlController.frontier.deleteURIs $,$", Verb::delete_urls},
    {"crawlController.frontier.deleteURIs $,$", Verb::delete_urls},
    {"rawOut.println job.crawlController.frontier.deleteURIs $,$", Verb::delete_urls},
    {"count=job.crawlController.frontier.deleteURIs $,$ rawOut.println count", Verb::delete_urls},
    // the wiki's, and what people type
    {"job.crawlController.requestCrawlPause", Verb::pause_crawl},
    {"job.crawlController.requestCrawlResume", Verb::resume_crawl},
    {"job.crawlController.requestCrawlStop", Verb::stop_crawl},
    {"job.terminate", Verb::stop_crawl},
    {"job.crawlController.requestCrawlCheckpoint", Verb::take_checkpoint},
    {"appCtx.getBean $.requestCrawlCheckpoint", Verb::take_checkpoint},
    {"rawOut.println job.crawlController.state", Verb::state_of_crawl},
    {"rawOut.println job.crawlController.getState", Verb::state_of_crawl},
    {"rawOut.println job.crawlController.frontier.queuedUriCount", Verb::url_count},
    {"rawOut.println job.crawlController.frontier.getQueuedUriCount", Verb::url_count},
    {"appCtx.getBean $.seeds.addSeed new CrawlURI UURIFactory.getInstance $", Verb::add_seed},
    {"rawOut.println $", Verb::print_text},
    {"rawOut.print $", Verb::print_text},
    {"println $", Verb::print_text},
});

struct NasFunction {
  std::string_view name;
  Verb verb;
  size_t least, most;  // arguments
};

constexpr auto kNasFunctions = std::to_array<NasFunction>({
    {"getNumberOfUrlsInFrontier", Verb::nas_urls_in_frontier, 0, 0},
    {"getNumberOfMatchedUrlsInFrontier", Verb::nas_matched_urls, 1, 1},
    {"listFrontier", Verb::nas_list_frontier, 1, 3},
    {"deleteFromFrontier", Verb::nas_delete, 1, 1},
    {"printCrawlLog", Verb::nas_crawl_log, 1, 3},
    {"showModBudgets", Verb::nas_mod_budgets, 0, 0},
    {"changeBudget", Verb::nas_change_budget, 2, 2},
    {"getQueueTotalBudget", Verb::nas_queue_total_budget, 0, 0},
    {"getGroupMaxAllKb", Verb::nas_group_max_kb, 0, 0},
    {"showFilters", Verb::nas_show_filters, 0, 0},
    {"addFilter", Verb::nas_add_filter, 1, 1},
    {"removeFilters", Verb::nas_remove_filters, 1, 1},
    {"killToeThread", Verb::nas_kill_thread, 1, 1},
});

bool is_sign(const ScriptToken& token, std::string_view sign) {
  return token.kind == Kind::sign && token.value == sign;
}

bool is_literal(const ScriptToken& token) { return token.kind == Kind::text || token.kind == Kind::number; }

// The closure that the script defines first: `def f`.
std::string_view closure_of(Tokens tokens) {
  const bool defines =
      tokens.size() > 2 && tokens[0].kind == Kind::name && tokens[0].value == "def" && tokens[1].kind == Kind::name;
  return defines ? std::string_view(tokens[1].value) : std::string_view();
}

struct NormalForm {
  std::string text;
  std::vector<std::string> literals;
};

// `closure`: the name that becomes `f`.
NormalForm normal_form(Tokens tokens, std::string_view closure) {
  NormalForm form;
  bool after_word = false;
  for (const ScriptToken& token : tokens) {
    if (is_sign(token, ";") || is_sign(token, "(") || is_sign(token, ")")) continue;
    const bool is_word = token.kind == Kind::name || is_literal(token);
    if (is_word && after_word) form.text += ' ';
    if (is_literal(token)) {
      form.text += '$';
      form.literals.push_back(token.value);
    } else {
      form.text += token.kind == Kind::name && token.value == closure ? "f" : token.value;
    }
    after_word = is_word;
  }
  return form;
}

std::optional<ScriptCall> known_form(Tokens tokens, std::string_view closure) {
  NormalForm form = normal_form(tokens, closure);
  const auto found = std::ranges::find(kForms, std::string_view(form.text), &KnownForm::text);
  if (found == kForms.end()) return std::nullopt;
  if (!found->argument.empty()) form.literals.emplace_back(found->argument);
  return ScriptCall{found->verb, std::move(form.literals)};
}

// Behind the statement that begins at `at`: it ends with its line or a semicolon outside of braces and parentheses.
size_t end_of_statement(Tokens tokens, size_t at) {
  const size_t depth = tokens[at].depth;
  int parentheses = 0;
  for (size_t end = at; end < tokens.size(); ++end) {
    const ScriptToken& token = tokens[end];
    const bool is_outside = token.depth == depth && parentheses <= 0;
    if (end > at && is_outside && token.begins_line && !is_sign(token, "{")) return end;
    if (is_sign(token, "(")) ++parentheses;
    if (is_sign(token, ")")) --parentheses;
    if (is_outside && is_sign(token, ";")) return end + 1;
  }
  return tokens.size();
}

// A literal, with its sign.
std::optional<std::vector<std::string>> arguments_of(Tokens tokens) {
  std::vector<std::string> arguments;
  bool is_negative = false;
  for (const ScriptToken& token : tokens) {
    if (is_literal(token)) {
      arguments.push_back((is_negative ? "-" : "") + token.value);
      is_negative = false;
    } else if (is_sign(token, "-")) {
      is_negative = true;
    } else if (token.kind == Kind::name || !std::string_view("(),;").contains(token.value)) {
      return std::nullopt;
    }
  }
  return arguments;
}

Result<ScriptCall> nas_call(const NasFunction& function, Tokens arguments) {
  auto given = arguments_of(arguments);
  if (!given || given->size() < function.least || given->size() > function.most)
    return fail(ErrorCode::unsupported,
                fmt::format("{} takes {} texts or numbers", function.name,
                            function.least == function.most ? fmt::format("{}", function.most)
                                                            : fmt::format("{} to {}", function.least, function.most)));
  return ScriptCall{function.verb, *std::move(given)};
}

// `initials = "abc"`: for the log of a function that is done natively.
bool is_assignment(Tokens statement) {
  return statement.size() >= 3 && statement.size() <= 4 && statement[0].kind == Kind::name &&
         is_sign(statement[1], "=") && is_literal(statement[2]) &&
         (statement.size() == 3 || is_sign(statement[3], ";"));
}

// Definitions of functions and imports, which do nothing by themselves.
bool is_definition(Tokens statement) {
  if (statement[0].kind == Kind::name && (statement[0].value == "import" || statement[0].value == "class")) return true;
  const bool has_body = is_sign(statement.back(), "}");
  return has_body && statement.size() > 4 && statement[0].kind == Kind::name &&
         std::ranges::any_of(statement.first(4), [](const ScriptToken& one) { return is_sign(one, "("); }) &&
         statement[1].kind == Kind::name;
}

std::vector<Tokens> statements_of(Tokens tokens) {
  std::vector<Tokens> statements;
  for (size_t at = 0; at < tokens.size();) {
    const size_t end = end_of_statement(tokens, at);
    if (!is_sign(tokens[at], ";")) statements.push_back(tokens.subspan(at, end - at));
    at = end;
  }
  return statements;
}

// Behind the last function that NetarchiveSuite defines, if the script has its source: up to there it may say anything.
size_t end_of_nas_source(const std::vector<Tokens>& statements) {
  size_t end = 0;
  for (size_t i = 0; i < statements.size(); ++i) {
    const Tokens statement = statements[i];
    const bool is_known =
        std::ranges::any_of(statement.first(std::min<size_t>(statement.size(), 3)), [](const auto& one) {
          return one.kind == Kind::name &&
                 std::ranges::find(kNasFunctions, one.value, &NasFunction::name) != kNasFunctions.end();
        });
    if (is_known && is_definition(statement)) end = i + 1;
  }
  return end;
}

std::string in_words(Tokens statement) {
  std::string words;
  for (const ScriptToken& token : statement.first(std::min<size_t>(statement.size(), 12))) {
    if (!words.empty() && token.kind == Kind::name && words.back() != '.') words += ' ';
    words += token.kind == Kind::text ? "'" + token.value + "'" : token.value;
  }
  return words.substr(0, 200);
}

}  // namespace

Result<std::vector<ScriptCall>> recognise_script(std::string_view script) {
  const std::vector<ScriptToken> all = script_tokens(script);
  const Tokens tokens(all);
  if (tokens.empty()) return std::vector<ScriptCall>();
  if (auto call = known_form(tokens, closure_of(tokens))) return std::vector<ScriptCall>{*std::move(call)};

  std::vector<ScriptCall> calls;
  const std::vector<Tokens> statements = statements_of(tokens);
  const size_t sources_end = end_of_nas_source(statements);
  for (size_t i = 0; i < statements.size(); ++i) {
    const Tokens statement = statements[i];
    const bool is_of_nas = i < sources_end;
    const auto function = std::ranges::find(kNasFunctions, statement[0].value, &NasFunction::name);
    if (statement[0].kind == Kind::name && function != kNasFunctions.end()) {
      TRY(auto call, nas_call(*function, statement.subspan(1)));
      calls.push_back(std::move(call));
    } else if (auto call = known_form(statement, {})) {
      calls.push_back(*std::move(call));
    } else if (!is_of_nas && !is_definition(statement) && !is_assignment(statement)) {
      return fail(ErrorCode::unsupported, in_words(statement));
    }
  }
  if (calls.empty()) return fail(ErrorCode::unsupported, in_words(tokens));
  return calls;
}

}  // namespace caddis::rest
