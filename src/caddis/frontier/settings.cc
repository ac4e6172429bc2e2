#include "caddis/frontier/settings.h"

namespace caddis::settings {

template <>
const Schema& schema_of<frontier::PolitenessSettings>() {
  using S = frontier::PolitenessSettings;
  static const Schema schema(
      "politeness", "How gently hosts are visited, and how failures are retried.",
      {
          field<&S::delay>(
              "delay",
              "Wait exactly this long between two fetches from a host; not set: it follows from the fetch time.",
              {.flags = kSheet | kLive, .min = "0s", .max = "1d", .option = "--delay"}),
          field<&S::delay_factor>(
              "delay-factor", "Wait this many times as long as the last fetch took.",
              {.flags = kSheet | kLive, .min = "0", .max = "1000", .heritrix = "disposition.delayFactor"}),
          field<&S::min_delay>(
              "min-delay", "Wait at least this long between two fetches from a host.",
              {.flags = kSheet | kLive, .min = "0s", .max = "1d", .heritrix = "disposition.minDelayMs"}),
          field<&S::max_delay>(
              "max-delay", "Wait at most this long, whatever the fetch time.",
              {.flags = kSheet | kLive, .min = "0s", .max = "1d", .heritrix = "disposition.maxDelayMs"}),
          field<&S::max_crawl_delay>("max-crawl-delay", "Obey a Crawl-delay of robots.txt up to this long.",
                                     {.flags = kSheet | kLive,
                                      .min = "0s",
                                      .max = "1d",
                                      .heritrix = "disposition.respectCrawlDelayUpToSeconds"}),
          field<&S::max_per_address>("max-per-address",
                                     "Connections to one IP address at the same time, whatever the host.",
                                     {.flags = kLive, .min = "1", .max = "1000"}),
          field<&S::url_retry_delay>(
              "url-retry-delay", "Wait before a failing URL is tried again; doubles each time.",
              {.flags = kLive, .min = "0s", .max = "1d", .heritrix = "frontier.retryDelaySeconds"}),
          field<&S::url_retries>("url-retries", "Tries after the first before a failing URL is given up.",
                                 {.flags = kLive, .min = "0", .max = "1000", .heritrix = "frontier.maxRetries"}),
          field<&S::host_retry_delay>("host-retry-delay",
                                      "Wait before an unreachable host is tried again; doubles each time.",
                                      {.flags = kLive, .min = "0s", .max = "1d"}),
          field<&S::max_retry_delay>("max-retry-delay", "The longest wait between two tries.",
                                     {.flags = kLive, .min = "0s", .max = "7d"}),
          field<&S::host_failures>("host-failures", "Failures in a row before a host is set aside.",
                                   {.flags = kLive, .min = "1", .max = "1000"}),
          field<&S::set_aside>(
              "set-aside",
              "How long a host is set aside before it is probed again; when nothing else is left to do, "
              "it is probed at once.",
              {.flags = kLive, .min = "0s", .max = "30d"}),
          field<&S::host_probes>("host-probes", "Probes of a host set aside before all its URLs are given up.",
                                 {.flags = kLive, .min = "0", .max = "1000"}),
          field<&S::host_budget>("host-budget",
                                 "URLs of one host that are taken, seeds aside; further ones are left out and counted. "
                                 "0: no limit.",
                                 {.flags = kLive, .min = "0", .heritrix = "frontier.queueTotalBudget"}),
          field<&S::domain_hosts>(
              "domain-hosts",
              "Hosts of one registrable domain that are taken, seeds aside: what ends a server that "
              "answers under any name. Counted anew after a restart. 0: no limit.",
              {.flags = kLive, .min = "0"}),
      });
  return schema;
}

}  // namespace caddis::settings
