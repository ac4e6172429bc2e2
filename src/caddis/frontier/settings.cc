#include "caddis/frontier/settings.h"

namespace caddis::settings {
namespace {

Constraint impolite_below(std::string_view least) {
  return {.severity = Severity::info,
          .min = least,
          .text = "is impolite to sites that are not your own",
          .of_others = true};
}

// How failures are retried, and how much is taken of a host.
std::vector<Field> retries_and_budgets() {
  using S = frontier::PolitenessSettings;
  return {
      field<&S::url_retry_delay>(
          "url-retry-delay", "Wait before a failing URL is tried again; doubles each time.",
          {.flags = kHostSheet | kLive, .min = "0s", .max = "1d", .heritrix = "frontier.retryDelaySeconds"}),
      field<&S::url_retries>(
          "url-retries", "Tries after the first before a failing URL is given up.",
          {.flags = kHostSheet | kLive, .min = "0", .max = "1000", .heritrix = "frontier.maxRetries"}),
      field<&S::host_retry_delay>("host-retry-delay",
                                  "Wait before an unreachable host is tried again; doubles each time.",
                                  {.flags = kHostSheet | kLive, .min = "0s", .max = "1d"}),
      field<&S::max_retry_delay>("max-retry-delay", "The longest wait between two tries.",
                                 {.flags = kHostSheet | kLive, .min = "0s", .max = "7d"}),
      field<&S::host_failures>("host-failures", "Failures in a row before a host is set aside.",
                               {.flags = kHostSheet | kLive, .min = "1", .max = "1000"}),
      field<&S::set_aside>("set-aside",
                           "How long a host is set aside before it is probed again; one that never answered is "
                           "probed at once when nothing else is left to do.",
                           {.flags = kHostSheet | kLive, .min = "0s", .max = "30d"}),
      field<&S::host_probes>("host-probes", "Probes of a host set aside before all its URLs are given up.",
                             {.flags = kHostSheet | kLive, .min = "0", .max = "1000"}),
      field<&S::host_budget>("host-budget",
                             "URLs of one host that are taken; further ones are left out and counted. Seeds are always "
                             "taken, and count. 0: no limit.",
                             {.flags = kHostSheet | kLive, .min = "0"}),
      field<&S::budget_per_domain>("budget-per-domain",
                                   "Added to host-budget for each registrable domain that links to the host, of about "
                                   "250 that can be told apart.",
                                   {.flags = kHostSheet | kLive, .min = "0"}),
      field<&S::domain_hosts>("domain-hosts",
                              "Hosts of one registrable domain that are taken, seeds aside: what ends a server that "
                              "answers under any name. 0: no limit.",
                              {.flags = kHostSheet | kLive, .min = "0"}),
  };
}

// How gently hosts are visited.
std::vector<Field> manners() {
  using S = frontier::PolitenessSettings;
  return {
      field<&S::delay>("delay",
                       "Wait this long between two fetches from a host, longer only where its robots.txt asks for it "
                       "(max-crawl-delay); "
                       "not set: it follows from the fetch time.",
                       {.flags = kHostSheet | kLive,
                        .min = "0s",
                        .max = "1d",
                        .option = "--delay",
                        .constraints = {impolite_below("1s")}}),
      field<&S::delay_factor>(
          "delay-factor", "Wait this many times as long as the last fetch took.",
          {.flags = kHostSheet | kLive, .min = "0", .max = "1000", .heritrix = "disposition.delayFactor"}),
      field<&S::min_delay>("min-delay", "Wait at least this long between two fetches from a host.",
                           {.flags = kHostSheet | kLive,
                            .min = "0s",
                            .max = "1d",
                            .heritrix = "disposition.minDelayMs",
                            .constraints = {impolite_below("1s")}}),
      field<&S::max_delay>(
          "max-delay", "Wait at most this long, whatever the fetch time.",
          {.flags = kHostSheet | kLive, .min = "0s", .max = "1d", .heritrix = "disposition.maxDelayMs"}),
      field<&S::max_crawl_delay>("max-crawl-delay", "Obey a Crawl-delay of robots.txt up to this long.",
                                 {.flags = kHostSheet | kLive,
                                  .min = "0s",
                                  .max = "1d",
                                  .heritrix = "disposition.respectCrawlDelayUpToSeconds"}),
      field<&S::max_per_address>(
          "max-per-address",
          "Visits of one IP address at the same time, whatever the host. As many connections to it may "
          "each lane keep open for the next ones (what the setting is when the crawl starts).",
          {.flags = kLive, .min = "1", .max = "1000"}),
      field<&S::address_delay>("address-delay",
                               "Wait at least this long between two fetches from an IP address, whatever the host.",
                               {.flags = kLive, .min = "0s", .max = "1d"}),
      field<&S::visits_per_host>(
          "visits-per-host",
          "Visits of a host, or of hosts that are polite together, at the same time; the delay "
          "between two is divided by it. More than 1 only where the site's operator allows it.",
          {.flags = kHostSheet | kLive,
           .min = "1",
           .max = "1000",
           .heritrix = "queueAssignmentPolicy.parallelQueues",
           .constraints = {{.severity = Severity::info,
                            .max = "1",
                            .text = "makes several visits of a host at once: only where its operator allows it",
                            .of_others = true}}}),
      field<&S::batch>("batch",
                       "So many URLs of a host are fetched one right behind the other over one connection; the delays "
                       "due for them are then waited at once.",
                       {.flags = kHostSheet | kLive, .min = "1", .max = "1000"}),
      field<&S::group_assignment>(
          "together",
          "Which hosts are polite together, as if they were one: none, those of a registrable domain, those at an "
          "IP address, those with the same last labels of their names, those in the same of a number of "
          "buckets, or those in one group of the module that frontier.policy names.",
          {.flags = kHostSheet | kLive,
           .choices = {choice("host", frontier::GroupAssignment::host),
                       choice("domain", frontier::GroupAssignment::domain),
                       choice("address", frontier::GroupAssignment::address),
                       choice("labels", frontier::GroupAssignment::labels),
                       choice("bucket", frontier::GroupAssignment::bucket),
                       choice("module", frontier::GroupAssignment::module)},
           .heritrix = "preparer.queueAssignmentPolicy"}),
      field<&S::labels>(
          "labels", "With together: labels, so many labels of a name count, from its end: 2 are \"example.org\".",
          {.flags = kHostSheet | kLive, .min = "1", .max = "127", .heritrix = "queueAssignmentPolicy.limit"}),
      field<&S::buckets>("buckets", "With together: bucket, so many there are; hosts fall into them by their names.",
                         {.flags = kHostSheet | kLive, .min = "1", .max = "1000000"}),
      field<&S::groups>("groups",
                        "Further hosts that are polite together, as those on one server: \"name: host host …\", where "
                        "*.example.org is all hosts below example.org.",
                        {.flags = kLive}),
      field<&S::host_bandwidth>("host-bandwidth", "Bytes a second from a host on average, at most; 0: no limit.",
                                {.flags = kHostSheet | kLive,
                                 .unit = kBytes,
                                 .min = "0",
                                 .heritrix = "disposition.maxPerHostBandwidthUsageKbSec"}),
      field<&S::bandwidth>("bandwidth", "Bytes a second from all hosts on average, at most; 0: no limit.",
                           {.flags = kLive, .unit = kBytes, .min = "0"}),
  };
}

}  // namespace

template <>
const Schema& schema_of<frontier::PolitenessSettings>() {
  static const Schema schema("politeness", "How gently hosts are visited, and how failures are retried.", [] {
    std::vector<Field> fields = manners(), more = retries_and_budgets();
    fields.insert(fields.end(), more.begin(), more.end());
    return fields;
  }());
  return schema;
}

template <>
const Schema& schema_of<frontier::OrderSettings>() {
  using S = frontier::OrderSettings;
  static const Schema schema(
      "frontier", "What is visited first.",
      {
          field<&S::order>(
              "order",
              "Which URLs of a queue come first, after seeds, redirects and embeds: as they were found "
              "(breadth first), those fewest links away from a seed, those most links away, the cheapest, the "
              "most important by on-line page importance (opic; with queues: highest-url that counts between hosts, "
              "too), or as the module says that `policy` names.",
              {.flags = kSheet | kLive,
               .choices = {choice("found", frontier::UrlOrder::found), choice("hops", frontier::UrlOrder::hops),
                           choice("deep", frontier::UrlOrder::deep), choice("cost", frontier::UrlOrder::cost),
                           choice("opic", frontier::UrlOrder::opic), choice("module", frontier::UrlOrder::module)},
               .heritrix = "preparer.uriPrecedencePolicy"}),
          field<&S::precedences>(
              "precedences",
              "A file with URLs and their precedences, 0 to 127, lower ones first among links (and among embeds, and "
              "seeds): a URL and a number in each line. It is read at each start, and counts for URLs found from then "
              "on: give "
              "its whole path.",
              {.flags = kLive, .heritrix = "preparer.uriPrecedencePolicy"}),
          field<&S::base_precedence>(
              "base-precedence", "Of URLs that are not in that file, where they are ordered as they were found.",
              {.flags = kSheet | kLive, .min = "0", .max = "127", .heritrix = "uriPrecedencePolicy.basePrecedence"}),
          field<&S::cost>(
              "cost",
              "What a visit costs its queue's session: each the same, nothing, more with a query or where only "
              "that differs from the page before (wag), more where the URL looks like a calendar, or what the module "
              "says that `policy` names.",
              {.flags = kHostSheet | kLive,
               .choices = {choice("unit", frontier::CostPolicy::unit), choice("zero", frontier::CostPolicy::zero),
                           choice("wag", frontier::CostPolicy::wag),
                           choice("anti-calendar", frontier::CostPolicy::anti_calendar),
                           choice("module", frontier::CostPolicy::module)},
               .heritrix = "preparer.costAssignmentPolicy"}),
          field<&S::embed_preference>(
              "embed-preference", "What pages embed, through at most this many embeds, comes before links.",
              {.flags = kSheet | kLive, .min = "0", .heritrix = "preparer.preferenceEmbedHops"}),
          field<&S::depth_preference>(
              "depth-preference", "URLs at most this many hops away from a seed come before all others; -1: none.",
              {.flags = kSheet | kLive, .min = "-1", .heritrix = "preparer.preferenceDepthHops"}),
          field<&S::queues>(
              "queues",
              "Which of several queues that are due comes first: the one due longest, the one with fewest "
              "visits (in steps of 100, 1000, …), the one whose first URL stands in the foremost line, or the one that "
              "the module prefers that `policy` names.",
              {.flags = kLive,
               .choices = {choice("due", frontier::QueueOrderPolicy::due),
                           choice("successes", frontier::QueueOrderPolicy::successes),
                           choice("highest-url", frontier::QueueOrderPolicy::highest_url),
                           choice("module", frontier::QueueOrderPolicy::module)},
               .heritrix = "frontier.queuePrecedencePolicy"}),
          field<&S::stale_patterns>(
              "stale-patterns",
              "What becomes of URLs of a pattern (a path but for numbers, and names of parameters) of "
              "which page after page says nothing new: they are kept, come last, or are not taken any "
              "more when 160 pages said nothing new.",
              {.flags = kHostSheet | kLive,
               .choices = {choice("keep", frontier::StalePatterns::keep), choice("last", frontier::StalePatterns::last),
                           choice("stop", frontier::StalePatterns::stop)}}),
          field<&S::policy>("policy",
                            "A loaded module (modules.load) with a policy. It is asked where order, cost, queues or "
                            "politeness.together say `module`.",
                            {.flags = kLive}),
          field<&S::module>("module",
                            "A loaded module (modules.load) with a frontier, which decides over the order of the whole "
                            "crawl: it holds what was found until it hands it over.",
                            {.flags = kLive, .heritrix = "frontier"}),
          field<&S::ahead>("ahead",
                           "With module: URLs that it hands over ahead of their visits. With 1 they are visited in "
                           "exactly its order, one after the other; with more, several hosts at the same time.",
                           {.flags = kLive, .min = "1"}),
          field<&S::session_budget>(
              "session-budget", "What the visits of a host may cost before it makes way for hosts that wait on disk.",
              {.flags = kHostSheet | kLive, .min = "1", .heritrix = "frontier.balanceReplenishAmount"}),
          field<&S::jobs_at_once>(
              "jobs-at-once",
              "Visit a host also while another job of the engine visits it; otherwise jobs take turns, and one has the "
              "host until its delay has ended.",
              {.flags = kHostSheet | kLive}),
          field<&S::retire>("retire",
                            "Visit nothing of the host. It waits as after `caddis frontier --host HOST --retire`, "
                            "until this is false again.",
                            {.flags = kHostSheet | kLive, .heritrix = "disposition.forceRetire"}),
          field<&S::error_penalty>(
              "error-penalty", "What a failed visit costs in addition.",
              {.flags = kHostSheet | kLive, .min = "0", .heritrix = "frontier.errorPenaltyAmount"}),
      });
  return schema;
}

}  // namespace caddis::settings
