#include "caddis/scope/scope_settings.h"

#include "caddis/scope/pattern_list.h"
#include "caddis/scope/rules.h"

namespace caddis::scope {

std::vector<std::string> default_useless_paths() {
  return {
      R"(\?C=[NMSD](?:[;&]O=[AD])?$)",                                 // Apache, Jetty, Tomcat, nginx fancyindex
      R"(\?[NMSD]=[AD]$)",                                             // Apache before 2.0
      R"(\?sort=(?:name|namedirfirst|size|time)&order=(?:asc|desc))",  // Caddy
  };
}

}  // namespace caddis::scope

namespace caddis::settings {
namespace {

Result<void> scope_rule(std::string_view text) {
  TRY_VOID(single_line(text));
  return scope::check_rule(text);
}

Result<void> scope_pattern(std::string_view text) {
  TRY_VOID(single_line(text));
  return scope::check_pattern(text);
}

}  // namespace

template <>
const Schema& schema_of<scope::ScopeSettings>() {
  using S = scope::ScopeSettings;
  using scope::ScopeKind;
  static const Schema schema(
      "scope", "What belongs to the crawl.",
      {
          field<&S::rules>(
              "rules",
              "The rules of the scope in their order, such as 'reject hops > 5'; the last one that says "
              "something decides (docs/rules.md). Without any, the settings below stand for a list; the "
              "rule 'shorthand' is that list.",
              {.flags = kSheet | kLive, .check = scope_rule, .option = "--rule", .heritrix = "scope.rules"}),
          field<&S::kind>("kind", "What around the seeds belongs to the crawl.",
                          {.flags = kLive,
                           .choices = {choice("page", ScopeKind::page), choice("prefix", ScopeKind::prefix),
                                       choice("path", ScopeKind::prefix), choice("host", ScopeKind::host),
                                       choice("domain", ScopeKind::domain), choice("any", ScopeKind::any),
                                       choice("broad", ScopeKind::any)},
                           .option = "--scope"}),
          field<&S::include>("include",
                             "URLs in which one of these RE2 expressions is found belong to the crawl as well.",
                             {.flags = kSheet | kLive,
                              .check = scope_pattern,
                              .option = "--include",
                              .heritrix = "matchesListRegexDecideRule.regexList"}),
          field<&S::exclude>("exclude",
                             "URLs in which one of these RE2 expressions is found are not crawled, not even as seeds.",
                             {.flags = kSheet | kLive,
                              .check = scope_pattern,
                              .option = "--exclude",
                              .heritrix = "matchesListRegexDecideRule.regexList"}),
          field<&S::restrict_to>(
              "restrict-to",
              "Only URLs in which one of these RE2 expressions is found are crawled, seeds among them; empty: no "
              "restriction.",
              {.flags = kSheet | kLive, .check = scope_pattern, .option = "--restrict-to"}),
          field<&S::max_hops>("max-hops", "Follow at most this many hops from a seed.",
                              {.flags = kSheet | kLive,
                               .min = "0",
                               .option = "--max-hops",
                               .heritrix = "tooManyHopsDecideRule.maxHops"}),
          field<&S::max_redirects>(
              "max-redirects",
              "Follow at most this many redirects in a row (Location, and Refresh of header and page). Where a longer "
              "chain was left stands in crawl.log, with the status -4010.",
              {.flags = kSheet | kLive, .min = "0"}),
          field<&S::max_transitive_hops>(
              "max-transitive-hops",
              "Fetch what pages in scope embed from anywhere, through at most this many embeds (redirects not "
              "counted). A film in the frame of a player takes four: frame, two playlists, piece.",
              {.flags = kSheet | kLive, .min = "0", .heritrix = "transclusionDecideRule.maxTransHops"}),
          field<&S::max_speculative_hops>(
              "max-speculative-hops", "At most this many of the hops to an embed may be guesses, as from scripts.",
              {.flags = kSheet | kLive, .min = "0", .heritrix = "transclusionDecideRule.maxSpeculativeHops"}),
          field<&S::max_url_length>("max-url-length", "Longer URLs are not crawled.",
                                    {.flags = kSheet | kLive, .unit = "characters", .min = "1", .max = "1000000"}),
          field<&S::max_path_depth>(
              "max-path-depth", "URLs with more slashes in their path are taken for a trap.",
              {.flags = kSheet | kLive, .min = "1", .heritrix = "tooManyPathSegmentsDecideRule.maxPathDepth"}),
          field<&S::max_path_repetitions>(
              "max-path-repetitions",
              "URLs in whose path a segment, or a run of them, is repeated more often than this, one "
              "behind the other, are taken for a trap.",
              {.flags = kSheet | kLive, .min = "1", .heritrix = "pathologicalPathDecideRule.maxRepetitions"}),
          field<&S::useless_paths>(
              "useless-paths",
              "RE2 expressions of URLs that only repeat content, such as directory listings in another order.",
              {.flags = kSheet | kLive, .check = scope_pattern}),
          field<&S::seed_redirects>("seed-redirects", "Where a seed redirects to becomes a seed as well.",
                                    {.flags = kLive}),
          field<&S::max_seed_redirects>(
              "max-seed-redirects",
              "So many redirects in a row add where they lead to the seeds; what comes behind them is judged as any "
              "link is.",
              {.flags = kLive, .min = "0"}),
          field<&S::schemes>("schemes", "Only URLs of these schemes are crawled.",
                             {.flags = kSheet | kLive | kExpert, .heritrix = "schemeNotInSetDecideRule.schemes"}),
          field<&S::reread_files>(
              "reread-files",
              "How often a running crawl looks if files that rules and guards name have changed; 0: "
              "never. What changed in them counts as if the rules had been changed.",
              {.flags = kLive, .min = "0s", .max = "1d"}),
          field<&S::waiting>(
              "waiting",
              "When URLs that wait are asked anew, after rules have changed: each before its visit, or all at once, in "
              "the background. What is out of scope then is in crawl.log with -5000 and the rule.",
              {.flags = kLive,
               .choices = {choice("before-visit", scope::WaitingUrls::before_visit),
                           choice("at-once", scope::WaitingUrls::at_once)},
               .heritrix = "preselector.recheckScope"}),
      });
  return schema;
}

}  // namespace caddis::settings
