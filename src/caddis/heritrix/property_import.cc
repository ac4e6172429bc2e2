#include "caddis/heritrix/property_import.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "caddis/base/strings.h"
#include "caddis/heritrix/bean_kinds.h"
#include "caddis/heritrix/conversion.h"
#include "caddis/heritrix/expressions.h"
#include "caddis/heritrix/handlers.h"
#include "caddis/heritrix/property_notes.h"

namespace caddis::heritrix {
namespace {

void import_retry_delay(Import& import, const Bean& /*bean*/, const BeanProperty& property) {
  const std::string delay = fmt::format("{}s", trim(property.value.text));
  import.set(
      property, "politeness", "url-retry-delay", {delay}, Fate::differently,
      "it doubles with each try, up to politeness.max-retry-delay; hosts that are down have delays of their own");
}

constexpr std::string_view kNoQuota =
    "0 lets nothing through there; 1 is the least here: a scope rule keeps the host out";

void import_quota_kb(Import& import, const Bean& /*bean*/, const BeanProperty& property) {
  const std::string_view name = property.name;
  const std::string_view of = name.starts_with("host") ? "host" : name.starts_with("server") ? "server" : "group";
  const bool is_novel = name.contains("Novel");
  const auto kb = parse_int(trim(property.value.text));
  if (!kb || *kb > (int64_t{1} << 52))
    return is_open(property.value.text) ? import.tell_open(property)
                                        : import.tell(property, Fate::without, "it is no number");
  if (name.ends_with("Urls"))
    return import.tell(property, *kb < 0 ? Fate::taken : Fate::without,
                       "Caddis counts documents (quota.host-successes)");
  if (*kb == 0) {
    import.set(property, "quota", fmt::format("{}-{}bytes", of, is_novel ? "novel-" : ""), {"1"}, Fate::differently,
               kNoQuota);
    return;
  }
  const bool only_successes = name.contains("Success") && *kb >= 0;
  import.set(property, "quota", fmt::format("{}-{}bytes", of, is_novel ? "novel-" : ""),
             {fmt::format("{}", std::max<int64_t>(*kb, 0) * 1024)}, only_successes ? Fate::differently : Fate::taken,
             only_successes ? "all bytes received count, of failures, too" : "");
}

void import_form_actions(Import& import, const Bean& /*bean*/, const BeanProperty& property) {
  import.set(property, "extract", "forms", {is_true(property.value.text) ? "false" : "true"});
}

void import_kb_per_fetch(Import& import, const Bean& /*bean*/, const BeanProperty& property) {
  const auto kb = parse_int(trim(property.value.text));
  if (!kb || *kb < 0 || *kb > (int64_t{1} << 52))
    return import.tell(property, Fate::without, "it is no number: set fetch.bandwidth");
  import.set(property, "fetch", "bandwidth", {fmt::format("{}", *kb * 1024)});
}

void import_total_bandwidth(Import& import, const Bean& /*bean*/, const BeanProperty& property) {
  const auto kb = parse_int(trim(property.value.text));
  if (!kb || *kb < 0 || *kb > (int64_t{1} << 52))
    return import.tell(property, Fate::without, "it is no number: set politeness.bandwidth");
  import.set(property, "politeness", "bandwidth", {fmt::format("{}", *kb * 1024)});
}

void import_seed_redirects(Import& import, const Bean& /*bean*/, const BeanProperty& property) {
  import.set(property, "scope", "seed-redirects", {is_true(property.value.text) ? "true" : "false"});
}

void import_bytes_written(Import& import, const Bean& /*bean*/, const BeanProperty& property) {
  import.set(property, "limits", "max-warc-bytes", {std::string(trim(property.value.text))});
}

void import_runtime(Import& import, const Bean& /*bean*/, const BeanProperty& property) {
  import.set(property, "limits", "max-time", {fmt::format("{}s", trim(property.value.text))});
}

void import_pause_threshold(Import& import, const Bean& /*bean*/, const BeanProperty& property) {
  const auto kb = parse_int(trim(property.value.text));
  if (!kb || *kb < 0 || *kb > (int64_t{1} << 52))
    return import.tell(property, Fate::without, "it is no number: set limits.min-free-space");
  import.set(property, "limits", "min-free-space", {fmt::format("{}", *kb * 1024)});
}

void import_reschedule(Import& import, const Bean& /*bean*/, const BeanProperty& property) {
  const auto seconds = parse_int(trim(property.value.text));
  if (seconds && *seconds < 0) return import.tell(property, Fate::taken, "nothing is fetched again");
  import.set(property, "fetch", "again", {fmt::format("100-999 after {}s, 1000000 times", seconds.value_or(0))},
             Fate::differently, "for answers of every status; what could not be fetched has its own retries");
}

void import_max_toe_threads(Import& import, const Bean& /*bean*/, const BeanProperty& property) {
  import.set(property, "limits", "max-visits", {std::string(trim(property.value.text))}, Fate::differently,
             "visits in flight need no thread each; 0 lets Caddis find out how many it can follow");
}

void import_forgetting(Import& import, const Bean& /*bean*/, const BeanProperty& property) {
  if (is_true(property.value.text))
    import.set(property, "checkpoint", "kept", {"1"});
  else
    import.tell(property, Fate::differently, "checkpoint.kept says how many are kept");
}

// Said with the property that holds all of them.
void import_with_host(Import& import, const Bean& bean, const BeanProperty& property) {
  const bool has_host = !bean.text("httpProxyHost").empty() || !bean.text("socksProxyHost").empty();
  import.tell(property, Fate::taken, has_host ? "fetch.proxy" : "no proxy");
}

void import_with_matching(Import& import, const Bean& /*bean*/, const BeanProperty& property) {
  import.tell(property, Fate::taken, "section dedup");
}

void import_special_queries(Import& import, const Bean& /*bean*/, const BeanProperty& property) {
  std::vector<std::string> queries;
  const BeanValue& map = property.value;
  for (size_t i = 0; map.is_map() && i < std::min(map.keys.size(), map.items.size()); ++i)
    queries.push_back(map.keys[i] + " " + std::string(trim(map.items[i].text)));
  if (queries.empty()) return import.tell_deep(property, Fate::without, "fetch.whois-queries has the forms of queries");
  import.set(property, "fetch", "whois-queries", queries);
}

// Limits of one protocol.
void import_common_limit(Import& import, const Bean& /*bean*/, const BeanProperty& property) {
  import.tell(property, Fate::differently, "the limits of section fetch hold for all protocols");
}

void import_reports(Import& import, const Bean& /*bean*/, const BeanProperty& property) {
  import.tell(property, Fate::differently, "Caddis writes all its reports");
}

// The scope's own rules are told of before; these are of a sequence that nothing asks.
void import_unasked_rules(Import& import, const Bean& /*bean*/, const BeanProperty& property) {
  import.tell_deep(property, Fate::differently, "nothing asks these rules, so they do not count");
}

void import_outlinks(Import& import, const Bean& /*bean*/, const BeanProperty& property) {
  import.set(property, "archive", "outlinks", {is_true(property.value.text) ? "true" : "false"});
}

void import_compress(Import& import, const Bean& /*bean*/, const BeanProperty& property) {
  import.set(property, "archive", "packing", {is_true(property.value.text) ? "gzip" : "none"});
}

// Rules that have changed are asked again in any case (scope.waiting).
void import_recheck(Import& import, const Bean& /*bean*/, const BeanProperty& property) {
  const bool rechecks = is_true(property.value.text);
  import.tell(property, rechecks ? Fate::taken : Fate::differently,
              "scope.waiting: rules that have changed are asked again before each visit");
}

constexpr auto kPropertyHandlers = std::to_array<PropertyHandler>({
    {"metadata.jobName", import_job_name},
    {"metadata.operatorContactUrl", import_contact},
    {"metadata.userAgentTemplate", import_user_agent},
    {"metadata.robotsPolicyName", import_robots_policy},
    {"robotsPolicy.candidateUserAgents", import_with_matching},
    {"robotsPolicy.customRobots", import_with_matching},
    {"seeds.textSource", import_seeds},
    {"scope.rules", import_unasked_rules},
    {"crawlController.maxToeThreads", import_max_toe_threads},
    {"checkpointService.forgetAllButLatest", import_forgetting},
    {"fetchHttp.acceptHeaders", import_accept_headers},
    {"fetchHttp.acceptCompression", import_accept_compression},
    {"fetchHttp.useHTTP11", import_http_version},
    {"fetchHttp.sendConnectionClose", import_connection_close},
    {"fetchHttp.sslTrustLevel", import_trust},
    {"fetchHttp.useHTTP2", import_use_http2},
    {"fetchHttp.socksProxyHost", import_socks_proxy},
    {"fetchHttp.socksProxyPort", import_with_host},
    {"fetchHttp.socksProxyUsername", import_with_host},
    {"fetchHttp.socksProxyPassword", import_with_host},
    {"fetchHttp.ignoreCookies", import_cookies_ignored},
    {"fetchHttp.loadCookiesFromFile", import_cookie_file},
    {"fetchHttp.saveCookiesToFile", import_cookie_save_file},
    {"cookieStore.cookiesLoadFile", import_cookie_file},
    {"cookieStore.cookiesSaveFile", import_cookie_save_file},
    {"fetchHttp.httpProxyHost", import_proxy},
    {"fetchHttp.httpProxyPort", import_with_host},
    {"fetchHttp.httpProxyUser", import_with_host},
    {"fetchHttp.httpProxyPassword", import_with_host},
    {"fetchHttp.maxFetchKBSec", import_kb_per_fetch},
    {"fetchHttp.shouldFetchBodyRule", import_body_rule},
    {"fetchWhois.specialQueryTemplates", import_special_queries},
    {"fetchWhois.soTimeoutMs", import_common_limit},
    {"fetchFtp.maxLengthBytes", import_common_limit},
    {"fetchFtp.maxFetchKBSec", import_common_limit},
    {"fetchFtp.timeoutSeconds", import_common_limit},
    {"fetchFtp.soTimeoutMs", import_common_limit},
    {"fetchFtp.connectTimeoutMs", import_common_limit},
    {"geoLookup.database", import_geo_database},
    {"fetchProcessors.processors", import_fetch_chain},
    {"dispositionProcessors.processors", import_writing_chain},
    {"preselector.recheckScope", import_recheck},
    {"preselector.blockByRegex", import_preselector_regex},
    {"preselector.allowByRegex", import_preselector_regex},
    {"extractorHtml.ignoreFormActionUrls", import_form_actions},
    {"extractorJs.rejectRelativeMatchingRegexList", import_script_patterns},
    {"extractorJs.forceStrictIfUrlMatchingRegexList", import_script_patterns},
    {"extractorJs.rejectScriptAttributeRegexList", import_script_patterns},
    {"extractorJs.maximumCandidateLength", import_candidate_length},
    {"extractorJs.rejectRelativeIgnoreList", import_ignored_strings},
    {"extractorJs.rejectRelativeIgnoreSet", import_ignored_strings},
    {"extractorImpliedUri.regex", import_implied_uri},
    {"extractorImpliedUri.format", import_implied_format},
    {"extractorHttp.inferPaths", import_inferred_paths},
    {"extractorHttp.inferRootPage", import_inferred_paths},
    {"extractorSitemap.urlPattern", import_sitemap_urls},
    {"extractorMultipleRegex.uriRegex", import_multiple_url},
    {"extractorMultipleRegex.contentRegexes", import_multiple_parts},
    {"candidates.seedsRedirectNewSeeds", import_seed_redirects},
    {"rescheduler.rescheduleDelaySeconds", import_reschedule},
    {"preparer.canonicalizationPolicy", import_policy_reference},
    {"preparer.queueAssignmentPolicy", import_policy_reference},
    {"preparer.uriPrecedencePolicy", import_policy_reference},
    {"preparer.costAssignmentPolicy", import_policy_reference},
    {"frontier.queuePrecedencePolicy", import_policy_reference},
    {"frontier.uriUniqFilter", import_policy_reference},
    {"frontier.retryDelaySeconds", import_retry_delay},
    {"frontier.totalBandwidthUsageKbSec", import_total_bandwidth},
    {"canonicalizationPolicy.rules", import_key_rules},
    {"quotaEnforcer.forceRetire", import_quota_action},
    {"disposition.forceRetire", import_force_retire},
    {"runtimeLimitEnforcer.runtimeSeconds", import_runtime},
    {"runtimeLimitEnforcer.expirationOperation", import_expiration},
    {"runtimeLimitEnforcer.operation", import_expiration},
    {"lowDiskPause.pauseThresholdKb", import_pause_threshold},
    {"warcWriter.maxTotalBytesToWrite", import_bytes_written},
    {"warcWriter.writeMetadataOutlinks", import_outlinks},
    {"warcWriter.compress", import_compress},
    {"deDuplicator.matchingMethod", import_with_matching},
    {"deDuplicator.tryEquivalent", import_with_matching},
    {"deDuplicator.mimeFilter", import_with_matching},
    {"deDuplicator.filterMode", import_with_matching},
    {"statisticsTracker.reports", import_reports},
    {"surtPrefixesSheetAssociation.order", import_sheet_order},
    {"decideRuledSheetAssociation.order", import_sheet_order},
});

constexpr auto kBeanHandlers = std::to_array<BeanHandler>({
    {"FirstNamedRobotsPolicy", import_robots_bean},
    {"MostFavoredRobotsPolicy", import_robots_bean},
    {"CustomRobotsPolicy", import_robots_bean},
    {"SurtAuthorityQueueAssignmentPolicy", import_queue_assignment},
    {"HostnameQueueAssignmentPolicy", import_queue_assignment},
    {"SurtAuthorityQueueAssignmentPolicyWithLimits", import_queue_assignment},
    {"HostnameQueueAssignmentPolicyWithLimits", import_queue_assignment},
    {"AssignmentLevelSurtQueueAssignmentPolicy", import_queue_assignment},
    {"TopmostAssignedSurtQueueAssignmentPolicy", import_queue_assignment},
    {"DomainnameQueueAssignmentPolicy", import_queue_assignment},
    {"SeedUriDomainnameQueueAssignmentPolicy", import_queue_assignment},
    {"IPQueueAssignmentPolicy", import_queue_assignment},
    {"BucketQueueAssignmentPolicy", import_queue_assignment},
    {"UnitCostAssignmentPolicy", import_cost},
    {"ZeroCostAssignmentPolicy", import_cost},
    {"WagCostAssignmentPolicy", import_cost},
    {"AntiCalendarCostAssignmentPolicy", import_cost},
    {"CostUriPrecedencePolicy", import_uri_precedence},
    {"BaseUriPrecedencePolicy", import_uri_precedence},
    {"HopsUriPrecedencePolicy", import_uri_precedence},
    {"PreloadedUriPrecedencePolicy", import_uri_precedence},
    {"BaseQueuePrecedencePolicy", import_queue_precedence},
    {"SuccessCountsQueuePrecedencePolicy", import_queue_precedence},
    {"HighestUriQueuePrecedencePolicy", import_queue_precedence},
    {"DeDuplicator", import_deduplicator},
    {"FetchHistoryProcessor", import_history},
    {"FetchHTTP2", import_http2},
    {"ContentDigestHistoryLoader", import_digest_history},
});

bool is_quota_in_kb(std::string_view role, std::string_view property) {
  return role == "quotaEnforcer" && property.contains("Max") &&
         (property.ends_with("Kb") || property.ends_with("Urls"));
}

// The setting that names it in the tables.
void import_setting(Import& import, const NamedSetting& setting, const BeanProperty& property) {
  const auto texts = texts_for(*setting.field, property.name, property.value);
  if (!texts)
    return import.tell(
        property, Fate::without,
        fmt::format("{}: set {}.{}", texts.error().message, setting.schema->name(), setting.field->name));
  // 0 is no end here.
  const std::string_view name = setting.field->row.heritrix;
  const bool is_quota = name.starts_with("quotaEnforcer.") || name == "frontier.queueTotalBudget";
  if (is_quota && property.value.is_text() && parse_int(trim(property.value.text)) == 0) {
    import.set(property, setting.schema->name(), setting.field->name, {"1"}, Fate::differently, kNoQuota);
    return;
  }
  import.set(property, setting.schema->name(), setting.field->name, *texts);
}

// "role.property" without making a text for each comparison.
bool is_name(std::string_view name, std::string_view role, std::string_view property) {
  return name.size() == role.size() + 1 + property.size() && name.starts_with(role) && name[role.size()] == '.' &&
         name.ends_with(property);
}

}  // namespace

HandleProperty property_handler(std::string_view role, std::string_view property) {
  for (const PropertyHandler& one : kPropertyHandlers)
    if (is_name(one.name, role, property)) return one.handle;
  if (property == "enabled") return import_switched_off;
  if (property == "shouldProcessRule") return import_step_rule;
  return is_quota_in_kb(role, property) ? import_quota_kb : nullptr;
}

HandleBean bean_handler(std::string_view kind) {
  const auto* const found = std::ranges::find(kBeanHandlers, kind, &BeanHandler::kind);
  return found == std::end(kBeanHandlers) ? nullptr : found->handle;
}

bool knows_property(std::string_view role, std::string_view property) {
  return property_handler(role, property) != nullptr ||
         setting_of(fmt::format("{}.{}", role, property)).field != nullptr ||
         std::ranges::any_of(property_notes(),
                             [&](const PropertyNote& note) { return is_name(note.name, role, property); });
}

void import_named(Import& import, std::string_view role, const Bean& bean, const BeanProperty& property) {
  // A mark of a template stands for anything.
  if (property.value.is_text() && is_open(property.value.text)) return import.tell_open(property);
  if (property.value.is_text() && property.value.text.starts_with("[see override"))
    return import.tell(property, Fate::differently, "it is overridden nowhere, so nothing is set");
  if (const HandleProperty handle = property_handler(role, property.name)) return handle(import, bean, property);
  if (const NamedSetting setting = setting_of(fmt::format("{}.{}", role, property.name)); setting.field != nullptr)
    return import_setting(import, setting, property);
  const std::string value = property.value.is_text() ? std::string(trim(property.value.text)) : "";
  const PropertyNote* const note = find_property_note(role, property.name, value);
  if (note == nullptr) return;
  const bool is_empty = property.value.is_text() && value.empty();
  import.tell(property, is_empty ? Fate::taken : note->fate, is_empty ? "it is empty" : note->said);
}

void import_property(Import& import, const Bean& bean, const BeanProperty& property) {
  const BeanKind* const kind = find_bean_kind(bean.kind());
  if (kind == nullptr) return;
  import_named(import, kind->role, bean, property);
  if (!import.is_told(property.item) && kind->fate == Fate::without)
    import.tell_deep(property, Fate::without, kind->said);
}

}  // namespace caddis::heritrix
