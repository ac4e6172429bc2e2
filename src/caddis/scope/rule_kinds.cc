#include "caddis/scope/rule_kinds.h"

#include <algorithm>

#include "caddis/scope/condition_makers.h"

namespace caddis::scope {
namespace {

constexpr Needs kAnswer = Needs::answer, kAddress = Needs::address, kLink = Needs::link;
constexpr bool kCostly = true;

const RuleKind kKinds[] = {
    {"all", "", "Holds for every URL.", "AcceptDecideRule, RejectDecideRule", make_all},
    {"seed", "", "The URL is a seed.", "SeedAcceptDecideRule", make_seed},
    {"seeds", "[page|prefix|host|domain|any]",
     "The URL belongs to a seed: it is its page, begins like it, or is on its host (which is meant if nothing is said) "
     "or in its domain.",
     "SurtPrefixedDecideRule with seedsAsSurtPrefixes", make_seeds},
    {"minus-lines", "",
     "A line with - in a list of seeds leaves it out, such as -http://(org,example,)/private/. Rules that do not ask "
     "for "
     "it end with reject minus-lines.",
     "SurtPrefixedDecideRule that rejects", make_minus_lines},
    {"source-seed", "SEED… or @FILE", "The links that led here began at one of these seeds.", "SourceSeedDecideRule",
     make_source_seed},
    {"hops", "> N", "So many hops lead from the seed to it.", "TooManyHopsDecideRule", make_hops},
    {"hop-path", "REGEX", "The expression is found in its hop path, such as LLER.", "HopsPathMatchesRegexDecideRule",
     make_hop_path},
    {"embed", "HOPS GUESSES",
     "A page needs it. At most so many embeds lead from that page to it (redirects are not counted), and at most so "
     "many of these are guesses. Without numbers: 2 and 1.",
     "TransclusionDecideRule", make_embed},
    {"transitive-hops", "> N", "So many embeds lead from the last page to it; redirects are not counted.", "",
     make_transitive_hops},
    {"speculative-hops", "> N", "So many of the hops from the last page are guesses.", "", make_speculative_hops},
    {"redirects", "> N", "So many redirects in a row lead to it.", "", make_redirects},
    {"prerequisite", "", "It is asked for by another URL: robots.txt, a look-up.", "PrerequisiteAcceptDecideRule",
     make_prerequisite},
    {"has-via", "", "A page led to it.", "HasViaDecideRule", make_has_via},
    {"via", "REGEX or @FILE", "The expression is found in the URL of the page that led to it.", "", make_via},
    {"via-surt", "PREFIX… or @FILE", "The page that led to it begins with one of these SURT prefixes.",
     "ViaSurtPrefixedDecideRule", make_via_surt},
    {"crosses-domain", "", "It is in another registrable domain than the page that led to it.",
     "HopCrossesAssignmentLevelDomainDecideRule", make_crosses_domain},
    {"redirect-from-root", "", "The front page of the same host, with or without www, redirects to it.",
     "AddRedirectFromRootServerToScope", make_redirect_from_root},
    {"scheme", "NAME…", "Its scheme is one of these.", "SchemeNotInSetDecideRule", make_scheme},
    {"host", "NAME… or @FILE", "It is on one of these hosts; with a port on that host and port alone.",
     "OnHostsDecideRule, NotOnHostsDecideRule", make_host},
    {"domain", "NAME… or @FILE", "It is on one of these hosts or on one of their sub-domains.",
     "OnDomainsDecideRule, NotOnDomainsDecideRule", make_domain},
    {"surt", "PREFIX… or @FILE",
     "It begins with one of these SURT prefixes, URL prefixes or hosts. In a file, lines with + count only in "
     "rules that accept, lines with - only in rules that reject, others in both.",
     "SurtPrefixedDecideRule, NotSurtPrefixedDecideRule", make_surt, kLink, kCostly},
    {"class-key", "REGEX or @FILE", "The expression is found in its host as a SURT, such as org,example,www,",
     "ClassKeyMatchesRegexDecideRule", make_class_key, kLink, kCostly},
    {"url", "REGEX or @FILE", "One of the expressions is found anywhere in it.",
     "MatchesRegexDecideRule, MatchesListRegexDecideRule and their Not…", make_url, kLink, kCostly},
    {"url-length", "> N", "It has so many characters, the fragment not counted.", "", make_url_length},
    {"path-depth", "> N", "Its path has so many slashes.", "TooManyPathSegmentsDecideRule", make_path_depth, kLink,
     kCostly},
    {"path-repetitions", "> N",
     "A segment of its path, or a run of them, stands more often than this in a row, one behind the other.",
     "PathologicalPathDecideRule", make_path_repetitions, kLink, kCostly},
    {"file", "images|audio|video|misc…", "Its path ends like a file of such a kind; misc are documents.",
     "MatchesFilePatternDecideRule, NotMatchesFilePatternDecideRule", make_file, kLink, kCostly},
    {"module", "NAME [ARGUMENTS]", "The rule of a module says so, a script or a shared object (docs/extending.md).",
     "ScriptedDecideRule", make_module, kLink, kCostly},
    {"time", "[DAYS] [HOURS] [DATES] [ZONE]",
     "It is such a time when the rule is asked, such as mon..fri 08:00..18:00 Europe/Vienna (docs/sheets.md, Times).",
     "", make_time},
    {"status", "N… or N..M", "The answer has such a status.",
     "FetchStatusDecideRule, MatchesStatusCodeDecideRule, FetchStatusMatchesRegexDecideRule and their Not…",
     make_status, kAnswer},
    {"mime", "REGEX or @FILE", "The expression is found in the type of the answer, without its parameters.",
     "ContentTypeMatchesRegexDecideRule, ContentTypeNotMatchesRegexDecideRule", make_mime, kAnswer, kCostly},
    {"length", "> SIZE", "The body has so many bytes; before it is received, Content-Length says so.",
     "ContentLengthDecideRule, ResponseContentLengthDecideRule, ResourceLongerThanDecideRule, "
     "ResourceNoLongerThanDecideRule",
     make_length, kAnswer},
    {"identical-digest", "", "The content has the digest of the capture before.", "IdenticalDigestDecideRule",
     make_identical, kAnswer},
    {"address", "BLOCK… or @FILE", "The server's address is in one of these blocks, such as 192.0.2.0/24.",
     "IpAddressSetDecideRule", make_address, kAddress},
    {"country", "CODE… or @FILE",
     "The server's address is in one of these countries, such as AT, by the file that pipeline.countries names. One "
     "that the file does not have is in none.",
     "ExternalGeoLocationDecideRule", make_country, kAddress},
};

}  // namespace

std::span<const RuleKind> rule_kinds() { return kKinds; }

const RuleKind* find_rule_kind(std::string_view name) {
  const auto* const found = std::ranges::find(kKinds, name, &RuleKind::name);
  return found == std::end(kKinds) ? nullptr : found;
}

}  // namespace caddis::scope
